# Reads:  instances/, rollouts/, answers/, grades/
# Writes: statistics/{cells,tax,arms,pairs,game_values,task_properties}.parquet


rule estimate_cells:
    """Planned, run and graded counts, mean score and its interval for every team, mode and task."""
    input:
        all_of("rollouts"),
        all_of("answers"),
        all_of("grades"),
        all_of("instances"),
    output:
        DATA / "statistics" / "cells.parquet",
    log:
        DATA / "logs" / "estimate_cells.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **planned(),
            prices={
                name: MODELS[name].price and MODELS[name].price.model_dump()
                for name in MODELS
            },
            code=code.stage_code("estimate_cells"),
        ),
        data=DATA,
    shell:
        "python -m scripts.collaboration.estimate_cells"
        " --data {params.data:q} --output {output:q} --job {params.job:q} --log {log:q}"
        f" {MODELS_OPTION}"


rule estimate_tax:
    """The tax, its split into alignment and talking, and the ratio gap by task, family and over all."""
    input:
        all_of("grades"),
    output:
        DATA / "statistics" / "tax.parquet",
    log:
        DATA / "logs" / "estimate_tax.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(**planned(), code=code.stage_code("estimate_tax")),
        data=DATA,
    shell:
        "python -m scripts.collaboration.estimate_tax"
        " --data {params.data:q} --output {output:q} --job {params.job:q} --log {log:q}"


rule compare_pairs:
    """Mixed pairs against their members, the midpoint and the other slot order."""
    input:
        artifacts(DATA, "grades", baseline()),
    output:
        DATA / "statistics" / "pairs.parquet",
    log:
        DATA / "logs" / "compare_pairs.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(**baseline(code=code.stage_code("compare_pairs"))),
        data=DATA,
    shell:
        "python -m scripts.collaboration.compare_pairs"
        " --data {params.data:q} --output {output:q} --job {params.job:q} --log {log:q}"


rule estimate_game_values:
    """Every team as a game of two players: tax, Shapley values, violations counted over tasks."""
    input:
        artifacts(DATA, "grades", baseline()),
    output:
        DATA / "statistics" / "game_values.parquet",
    log:
        DATA / "logs" / "estimate_game_values.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(**baseline(code=code.stage_code("estimate_game_values"))),
        data=DATA,
    shell:
        "python -m scripts.collaboration.estimate_game_values"
        " --data {params.data:q} --output {output:q} --job {params.job:q} --log {log:q}"


rule compare_arms:
    """What each arm gains over the baseline, and which share of the tax that is."""
    input:
        all_of("grades"),
    output:
        DATA / "statistics" / "arms.parquet",
    log:
        DATA / "logs" / "compare_arms.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(**planned(), code=code.stage_code("compare_arms")),
        data=DATA,
    shell:
        "python -m scripts.collaboration.compare_arms"
        " --data {params.data:q} --output {output:q} --job {params.job:q} --log {log:q}"


rule measure_task_properties:
    """What guessing and luck earn in each task, and what there is to read; no model takes part."""
    output:
        DATA / "statistics" / "task_properties.parquet",
    log:
        DATA / "logs" / "measure_task_properties.log",
    conda:
        ENVIRONMENT
    threads: 2
    params:
        job=as_job(
            sizes={task: size_of(task) for task in PLAYED},
            seed=STUDY.seed,
            instances=STUDY.properties.instances,
            code=code.stage_code("measure_task_properties", PLAYED),
        ),
    shell:
        "python -m scripts.collaboration.measure_task_properties"
        " --output {output:q} --job {params.job:q} --threads {threads} --log {log:q}"
