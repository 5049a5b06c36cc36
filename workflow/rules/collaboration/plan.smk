# Reads:  the configuration, what is in data/ and the ledger, and a dry run.
# Writes: statistics/power.parquet and variance_components.parquet (`make power`); both rules print.


rule plan:
    """Say what a run would cost, how long it would take and why each job would run."""
    log:
        DATA / "logs" / "plan_run.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        job=plan_job,
        config=json.dumps(config),
        snakefile=HOME / "Snakefile",
        data=DATA,
    shell:
        "python -m scripts.collaboration.plan_run --snakefile {params.snakefile:q} --data {params.data:q}"
        " --config {params.config:q} --job {params.job:q} --log {log:q}"
        f" {CALL_OPTIONS}"


rule estimate_power:
    """Say how many instances the planned comparisons need, from the variance measured so far."""
    log:
        DATA / "logs" / "estimate_power.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        job=as_job(**planned(half_width=STUDY.power.half_width)),
        data=DATA,
        output=DATA / "statistics" / "power.parquet",
        components=DATA / "statistics" / "variance_components.parquet",
    shell:
        "python -m scripts.collaboration.estimate_power --data {params.data:q} --output {params.output:q}"
        " --components-output {params.components:q} --job {params.job:q} --log {log:q}"
