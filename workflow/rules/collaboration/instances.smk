# Reads:  the configuration.
# Writes: instances/{task}/{batch}.parquet, views/{task}/{batch}.parquet


rule generate_instances:
    """Draw and certify a task's instances from the study seed."""
    output:
        DATA / "instances" / "{task}" / "{batch}.parquet",
    log:
        DATA / "logs" / "generate_instances" / "{task}" / "{batch}.log",
    conda:
        ENVIRONMENT
    params:
        job=lambda wildcards: as_job(
            task=wildcards.task,
            size=size_of(wildcards.task),
            seed=STUDY.seed,
            **batch_range(wildcards),
            code=code.instances_code([wildcards.task]),
        ),
    shell:
        "python -m scripts.collaboration.generate_instances"
        " --output {output:q} --job {params.job:q} --log {log:q}"


rule split_views:
    """Write out what an agent sees: the full problem and the two views."""
    input:
        rules.generate_instances.output,
    output:
        DATA / "views" / "{task}" / "{batch}.parquet",
    log:
        DATA / "logs" / "split_views" / "{task}" / "{batch}.log",
    conda:
        ENVIRONMENT
    params:
        job=lambda wildcards: as_job(task=wildcards.task),
    shell:
        "python -m scripts.collaboration.split_views"
        " --instances {input:q} --output {output:q} --job {params.job:q} --log {log:q}"
