# Reads:  the block `ledger` of the study's configuration.
# Writes: trajectories/, handoffs/, chains/{model}/{batch}.parquet, predictions/{model}.json, statistics/,
#         reports/handoff/figures/ledger.*, reports/handoff/tables/
# run_* exist only where calls are allowed: offline, what is missing is an error.
ANY_BATCH = "{model}/{batch}"


if CALLS_ALLOWED:

    rule run_trajectories:
        """One agent keeps each ledger to the largest depth."""
        output:
            HANDOFF_DATA / "trajectories" / f"{ANY_BATCH}.parquet",
        log:
            HANDOFF_DATA / "logs" / "run_trajectories" / f"{ANY_BATCH}.log",
        conda:
            ENVIRONMENT
        resources:
            **calling(lambda wildcards: [HANDOFF_MODELS[wildcards.model]]),
        params:
            job=trajectories_job,
        shell:
            "python -m scripts.handoff.run_trajectories --output {output:q}"
            " --job {params.job:q} --log {log:q}"
            f" {CALL_OPTIONS}"

    rule run_handoffs:
        """From prefixes of the same trajectories, a new agent goes on from a note."""
        input:
            HANDOFF_DATA / "trajectories" / f"{ANY_BATCH}.parquet",
        output:
            HANDOFF_DATA / "handoffs" / f"{ANY_BATCH}.parquet",
        log:
            HANDOFF_DATA / "logs" / "run_handoffs" / f"{ANY_BATCH}.log",
        conda:
            ENVIRONMENT
        resources:
            **calling(lambda wildcards: [HANDOFF_MODELS[wildcards.model]]),
        params:
            job=handoffs_job,
        shell:
            "python -m scripts.handoff.run_handoffs --trajectories {input:q} --output {output:q}"
            " --job {params.job:q} --log {log:q}"
            f" {CALL_OPTIONS}"

    rule run_chains:
        """A chain of agents keeps each ledger, once its success has been predicted."""
        input:
            HANDOFF_DATA / "predictions" / "{model}.json",
        output:
            HANDOFF_DATA / "chains" / f"{ANY_BATCH}.parquet",
        log:
            HANDOFF_DATA / "logs" / "run_chains" / f"{ANY_BATCH}.log",
        conda:
            ENVIRONMENT
        resources:
            **calling(lambda wildcards: [HANDOFF_MODELS[wildcards.model]]),
        params:
            job=chains_job,
        shell:
            "python -m scripts.handoff.run_chains --prediction {input:q} --output {output:q}"
            " --job {params.job:q} --log {log:q}"
            f" {CALL_OPTIONS}"


rule estimate_handoffs:
    """The in-task curves, their hinges, and the handoff tax by length of the note."""
    input:
        all_of_ledger("trajectories", "handoffs"),
    output:
        **statistics_of("curve", "hinges", "handoffs"),
    log:
        HANDOFF_DATA / "logs" / "estimate_handoffs.log",
    conda:
        ENVIRONMENT
    params:
        job=ledger_statistics_job("estimate_handoffs"),
        data=HANDOFF_DATA,
    shell:
        "python -m scripts.handoff.estimate_handoffs --data {params.data:q} --curve {output.curve:q}"
        " --hinges {output.hinges:q} --handoffs {output.handoffs:q} --job {params.job:q} --log {log:q}"


rule predict_success:
    """What chains will reach, written before any is run."""
    input:
        predicted_from,
    output:
        HANDOFF_DATA / "predictions" / "{model}.json",
    log:
        HANDOFF_DATA / "logs" / "predict_success" / "{model}.log",
    conda:
        ENVIRONMENT
    params:
        job=prediction_job,
        data=HANDOFF_DATA,
    shell:
        "python -m scripts.handoff.predict_success --data {params.data:q} --output {output:q}"
        " --job {params.job:q} --log {log:q}"


rule compare_prediction:
    """Predicted against observed success, single agents against chains, and the test of independence."""
    input:
        all_of_ledger("trajectories", "chains"),
        predictions=predictions(),
    output:
        **statistics_of("comparison", "independence"),
    log:
        HANDOFF_DATA / "logs" / "compare_prediction.log",
    conda:
        ENVIRONMENT
    params:
        job=ledger_statistics_job("compare_prediction"),
        data=HANDOFF_DATA,
    shell:
        "python -m scripts.handoff.compare_prediction --data {params.data:q}"
        " --comparison {output.comparison:q} --independence {output.independence:q}"
        " --job {params.job:q} --log {log:q}"


rule draw_ledger:
    """The in-task curve, the handoff tax by length of the note, predicted against observed success."""
    input:
        **statistics_of(*LEDGER_TABLES),
    output:
        handoff_figure("ledger"),
    log:
        HANDOFF_DATA / "logs" / "draw_ledger.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            published=HANDOFF_PUBLISHED.get("ledger"),
            code=handoff_code.stage_code("draw_ledger"),
        ),
        data=HANDOFF_DATA,
        folder=HANDOFF_REPORTS / "figures",
    shell:
        "python -m scripts.handoff.draw_ledger --data {params.data:q} --output {params.folder:q}"
        " --job {params.job:q} --log {log:q}"


rule tabulate_ledger:
    """The tables of the ledger experiment as CSV and LaTeX."""
    input:
        **statistics_of(*LEDGER_TABLES),
    output:
        report(
            printed_tables(LEDGER_TABLES),
            caption="../../report/handoff/tables.rst",
            category="Attention tax, handoff tax",
        ),
    log:
        HANDOFF_DATA / "logs" / "tabulate_ledger.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            published=HANDOFF_PUBLISHED,
            code=handoff_code.stage_code("tabulate_ledger"),
        ),
        data=HANDOFF_DATA,
        folder=HANDOFF_REPORTS / "tables",
    shell:
        "python -m scripts.handoff.tabulate_ledger --data {params.data:q} --output {params.folder:q}"
        " --job {params.job:q} --log {log:q}"
