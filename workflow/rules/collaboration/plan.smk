# Reads:  the configuration, what is in data/ and the ledger, and a dry run.
# Writes: nothing; it prints (`make plan`).


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
