# Reads:  the block `pilot` of the study's configuration.
# Writes: pilot/{model}/{batch}.parquet, statistics/{pilot,pilot_hinges}.parquet,
#         reports/handoff/figures/pilot.*, reports/handoff/tables/{pilot,pilot_hinges}.*
# run_pilot exists only where calls are allowed: offline, what is missing is an error.


if CALLS_ALLOWED:

    rule run_pilot:
        """Ask a model one batch of arithmetic problems behind filler, at every load."""
        output:
            HANDOFF_DATA / "pilot" / "{model}" / "{batch}.parquet",
        log:
            HANDOFF_DATA / "logs" / "run_pilot" / "{model}" / "{batch}.log",
        conda:
            ENVIRONMENT
        resources:
            **calling(lambda wildcards: [HANDOFF_MODELS[wildcards.model]]),
        params:
            job=pilot_job,
        shell:
            "python -m scripts.handoff.run_pilot --output {output:q}"
            " --job {params.job:q} --log {log:q}"
            f" {CALL_OPTIONS}"


rule fit_pilot:
    """Failure by load in three definitions, paired differences, and the hinge."""
    input:
        all_of_pilot(),
    output:
        **PILOT_STATISTICS,
    log:
        HANDOFF_DATA / "logs" / "fit_pilot.log",
    conda:
        ENVIRONMENT
    params:
        job=fit_pilot_job(),
        data=HANDOFF_DATA,
    shell:
        "python -m scripts.handoff.fit_pilot --data {params.data:q} --loads {output.loads:q}"
        " --hinges {output.hinges:q} --job {params.job:q} --log {log:q}"


rule draw_pilot:
    """Failure by load, and the hinge in nats."""
    input:
        **PILOT_STATISTICS,
    output:
        handoff_figure("pilot"),
    log:
        HANDOFF_DATA / "logs" / "draw_pilot.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            published=HANDOFF_PUBLISHED.get("pilot"),
            code=handoff_code.stage_code("draw_pilot"),
        ),
        folder=HANDOFF_REPORTS / "figures",
    shell:
        "python -m scripts.handoff.draw_pilot --loads {input.loads:q} --hinges {input.hinges:q}"
        " --output {params.folder:q} --job {params.job:q} --log {log:q}"


rule tabulate_pilot:
    """The pilot's tables as CSV and LaTeX."""
    input:
        **PILOT_STATISTICS,
    output:
        report(
            printed_tables(["pilot", "pilot_hinges"]),
            caption="../../report/handoff/tables.rst",
            category="Attention tax, handoff tax",
        ),
    log:
        HANDOFF_DATA / "logs" / "tabulate_pilot.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            published=HANDOFF_PUBLISHED,
            code=handoff_code.stage_code("tabulate_pilot"),
        ),
        folder=HANDOFF_REPORTS / "tables",
    shell:
        "python -m scripts.handoff.tabulate_pilot --loads {input.loads:q} --hinges {input.hinges:q}"
        " --output {params.folder:q} --job {params.job:q} --log {log:q}"
