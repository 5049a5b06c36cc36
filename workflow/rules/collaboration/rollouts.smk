# Reads:  views/{task}/{batch}.parquet
# Writes: rollouts/{arm}/{team}/{mode}/{family}/{batch}.parquet; replies go to the ledger first.
# The rule exists only where calls are allowed: offline, a missing rollout is a missing input.


if CALLS_ALLOWED:

    rule run_rollouts:
        """Let a team solve one batch of a family's instances in one mode."""
        input:
            lambda wildcards: of_family("views", wildcards),
        output:
            DATA / "rollouts" / f"{SHARD}.parquet",
        log:
            DATA / "logs" / "run_rollouts" / f"{SHARD}.log",
        conda:
            ENVIRONMENT
        resources:
            **calling(lambda wildcards: TEAMS[wildcards.team]),
        params:
            job=rollouts_job,
        shell:
            "python -m scripts.collaboration.run_rollouts"
            " --views {input:q} --output {output:q} --job {params.job:q} --log {log:q}"
            f" {CALL_OPTIONS}"
