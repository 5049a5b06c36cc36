# Reads:  the configuration.
# Writes: calibration/{team}.parquet (`make calibrate`) and intervals.parquet (`make calibration`), when asked for


if CALLS_ALLOWED:

    rule calibrate_size:
        """Let a model solve each task alone on a ladder of sizes, and propose one."""
        output:
            DATA / "calibration" / "{team}.parquet",
        log:
            DATA / "logs" / "calibrate_size" / "{team}.log",
        conda:
            ENVIRONMENT
        resources:
            **calling(lambda wildcards: TEAMS[wildcards.team]),
        params:
            job=calibration_job,
        shell:
            "python -m scripts.collaboration.calibrate_size"
            " --output {output:q} --job {params.job:q} --log {log:q}"
            f" {CALL_OPTIONS}"


rule check_intervals:
    """Simulate studies whose truth is known, and count how often the intervals hold it."""
    log:
        DATA / "logs" / "check_intervals.log",
    localrule: True
    conda:
        ENVIRONMENT
    threads: 2
    params:
        output=DATA / "intervals.parquet",
        job=as_job(replications=4000, resamples=500, seed=1),
    shell:
        "python -m scripts.collaboration.check_intervals"
        " --output {params.output:q} --job {params.job:q} --threads {threads} --log {log:q}"
