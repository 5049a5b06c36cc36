# Reads:  instances/, rollouts/, answers/, grades/
# Writes: statistics/cells.parquet, statistics/tax.parquet


rule estimate_cells:
    """Planned, run and graded counts, mean score and its interval for every team, mode and task."""
    input:
        rollouts=shards("rollouts"),
        answers=shards("answers"),
        grades=shards("grades"),
        instances=per_task("instances"),
    output:
        DATA / "statistics" / "cells.parquet",
    params:
        job=as_job(
            **planned(),
            prices={name: MODELS[name].price and MODELS[name].price.model_dump() for name in MODELS},
            code=code.stage_code("estimate_cells"),
        ),
    log:
        DATA / "logs" / "estimate_cells.log",
    shell:
        "python -m scripts.collaboration.estimate_cells --rollouts {input.rollouts:q}"
        " --answers {input.answers:q} --grades {input.grades:q} --instances {input.instances:q}"
        " --models-file {MODELS_FILE:q} --output {output:q} --job {params.job:q} --log {log:q}"


rule estimate_tax:
    """The tax, its split into alignment and talking, and the ratio gap by task, family and over all."""
    input:
        shards("grades"),
    output:
        DATA / "statistics" / "tax.parquet",
    params:
        job=as_job(**planned(), code=code.stage_code("estimate_tax")),
    log:
        DATA / "logs" / "estimate_tax.log",
    shell:
        "python -m scripts.collaboration.estimate_tax"
        " --grades {input:q} --output {output:q} --job {params.job:q} --log {log:q}"
