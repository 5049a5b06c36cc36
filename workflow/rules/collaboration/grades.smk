# Reads:  rollouts/..., instances/{task}.parquet
# Writes: answers/..., grades/... in the same shards


def answers_job(wildcards):
    """The grader model and the code that reads answers."""
    grader = STUDY.grader
    return as_job(
        grader=grader,
        identity=MODELS[grader].identity(grader) if grader else None,
        code=code.answers_code(
            tasks_of(wildcards.family), simulated=bool(grader and MODELS[grader].simulated)
        ),
    )


rule extract_answers:
    """Read one structured answer a rollout, by program and by the grader model where there is one."""
    input:
        DATA / "rollouts" / "{arm}" / "{team}" / "{mode}" / "{family}" / "{batch}.parquet",
    output:
        DATA / "answers" / "{arm}" / "{team}" / "{mode}" / "{family}" / "{batch}.parquet",
    params:
        job=answers_job,
    log:
        DATA / "logs" / "extract_answers" / "{arm}" / "{team}" / "{mode}" / "{family}" / "{batch}.log",
    shell:
        "python -m scripts.collaboration.extract_answers"
        " --rollouts {input:q} --output {output:q} --models-file {MODELS_FILE:q} --ledger {LEDGER:q}"
        " --replay-only {REPLAY_ONLY} --job {params.job:q} --log {log:q}"


rule grade_answers:
    """Score each answer by program."""
    input:
        answers=rules.extract_answers.output,
        instances=lambda wildcards: map(ancient, per_task("instances", tasks_of(wildcards.family))),
    output:
        DATA / "grades" / "{arm}" / "{team}" / "{mode}" / "{family}" / "{batch}.parquet",
    params:
        job=lambda wildcards: as_job(code=code.stage_code("grade_answers", tasks_of(wildcards.family))),
    log:
        DATA / "logs" / "grade_answers" / "{arm}" / "{team}" / "{mode}" / "{family}" / "{batch}.log",
    shell:
        "python -m scripts.collaboration.grade_answers"
        " --answers {input.answers:q} --instances {input.instances:q} --output {output:q} --log {log:q}"
