# Reads:  rollouts/..., instances/{task}/{batch}.parquet
# Writes: answers/..., grades/... in the same shards


rule extract_answers:
    """Read one structured answer a rollout, by program and by the grader model where there is one."""
    input:
        DATA / "rollouts" / f"{SHARD}.parquet",
    output:
        DATA / "answers" / f"{SHARD}.parquet",
    log:
        DATA / "logs" / "extract_answers" / f"{SHARD}.log",
    conda:
        ENVIRONMENT
    resources:
        **calling(lambda wildcards: [STUDY.grader]),
    params:
        job=answers_job,
    shell:
        "python -m scripts.collaboration.extract_answers"
        " --rollouts {input:q} --output {output:q} --job {params.job:q} --log {log:q}"
        f" {CALL_OPTIONS}"


rule grade_answers:
    """Score each answer by program."""
    input:
        answers=rules.extract_answers.output,
        instances=lambda wildcards: of_family("instances", wildcards),
    output:
        DATA / "grades" / f"{SHARD}.parquet",
    log:
        DATA / "logs" / "grade_answers" / f"{SHARD}.log",
    conda:
        ENVIRONMENT
    params:
        job=lambda wildcards: as_job(
            code=code.stage_code("grade_answers", tasks_of(wildcards.family))
        ),
    shell:
        "python -m scripts.collaboration.grade_answers"
        " --answers {input.answers:q} --instances {input.instances:q} --output {output:q} --log {log:q}"
