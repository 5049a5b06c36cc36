# Reads:  the configuration.
# Writes: calibration/{team}.parquet (only when asked for: `make calibrate`)


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
