# Reads:  every table of the run: instances/ to statistics/, and reports/collaboration/tables/
# Writes: manifest.csv


rule write_manifest:
    """What every table holds, as hashes that are the same wherever the study is run."""
    input:
        *(all_of(stage) for stage in STAGES),
        rules.estimate_cells.output,
        rules.estimate_tax.output,
        rules.compare_pairs.output,
        rules.estimate_game_values.output,
        rules.fit_ridge.output,
        rules.compare_arms.output,
        *ANNOTATIONS,
        *SIMULATED_ANNOTATIONS,
        rules.measure_agreement.output,
        rules.measure_task_properties.output,
        rules.estimate_stages.output,
        rules.recover_stages.output,
        rules.estimate_themes.output,
        rules.write_tables.output,
    output:
        DATA / "manifest.csv",
    log:
        DATA / "logs" / "write_manifest.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **planned(
                files=FILES,
                stages=STAGES,
                annotations=[
                    path.relative_to(DATA).as_posix()
                    for path in [*ANNOTATIONS, *SIMULATED_ANNOTATIONS]
                ],
            ),
            code=code.stage_code("write_manifest"),
        ),
        data=DATA,
        reports=REPORTS,
    shell:
        "python -m scripts.collaboration.write_manifest --data {params.data:q}"
        " --reports {params.reports:q} --output {output:q} --job {params.job:q} --log {log:q}"
