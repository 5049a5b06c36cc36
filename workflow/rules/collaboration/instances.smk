# Reads:  the configuration.
# Writes: instances/{task}.parquet, views/{task}.parquet


rule generate_instances:
    """Draw and certify a task's instances from the study seed."""
    output:
        DATA / "instances" / "{task}.parquet",
    params:
        job=lambda wildcards: as_job(
            task=wildcards.task,
            size=STUDY.size,
            seed=STUDY.seed,
            count=STUDY.rollouts,
            code=code.instances_code([wildcards.task]),
        ),
    log:
        DATA / "logs" / "generate_instances" / "{task}.log",
    shell:
        "python -m scripts.collaboration.generate_instances"
        " --output {output:q} --job {params.job:q} --log {log:q}"


rule split_views:
    """Write out what an agent sees: the full problem and the two views."""
    input:
        rules.generate_instances.output,
    output:
        DATA / "views" / "{task}.parquet",
    params:
        job=lambda wildcards: as_job(task=wildcards.task),
    log:
        DATA / "logs" / "split_views" / "{task}.log",
    shell:
        "python -m scripts.collaboration.split_views"
        " --instances {input:q} --output {output:q} --job {params.job:q} --log {log:q}"
