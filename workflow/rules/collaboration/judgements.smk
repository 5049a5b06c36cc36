# Reads:  samples/judgements.parquet, views/, rollouts/ of the homogeneous baseline conversations
# Writes: judgements/{team}.parquet, statistics/stages.parquet, stage_counts.parquet, stage_overlap.parquet,
#         recovery.parquet. Without a judge nothing is judged, and the statistics are empty.


if CALLS_ALLOWED and STUDY.judging.judge:

    rule judge_stages:
        """Judge a team's sampled conversations: four questions about each."""
        input:
            sample=DATA / "samples" / "judgements.parquet",
            views=all_of("views"),
            rollouts=lambda wildcards: artifacts(
                DATA, "rollouts", conversations(teams=[TEAMS[wildcards.team]])
            ),
        output:
            DATA / "judgements" / "{team}.parquet",
        log:
            DATA / "logs" / "judge_stages" / "{team}.log",
        conda:
            ENVIRONMENT
        resources:
            **calling(lambda wildcards: [STUDY.judging.judge]),
        params:
            job=judgements_job,
        shell:
            "python -m scripts.collaboration.judge_stages --sample {input.sample:q} --views {input.views:q}"
            " --rollouts {input.rollouts:q} --output {output:q} --job {params.job:q} --log {log:q}"
            f" {CALL_OPTIONS}"


rule estimate_stages:
    """How often successes and failures satisfy each stage, how many fire together, and which."""
    input:
        DATA / "samples" / "judgements.parquet",
        read_by_models("judgements"),
    output:
        expand(
            DATA / "statistics" / "{name}.parquet",
            name=["stages", "stage_counts", "stage_overlap"],
        ),
    log:
        DATA / "logs" / "estimate_stages.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **conversations(
                judge=STUDY.judging.judge,
                statistics=STUDY.statistics.model_dump(),
                code=code.stage_code("estimate_stages"),
            )
        ),
        data=DATA,
        folder=DATA / "statistics",
    shell:
        "python -m scripts.collaboration.estimate_stages --data {params.data:q}"
        " --output {params.folder:q} --job {params.job:q} --log {log:q}"


rule recover_stages:
    """The judge against what the simulated agents were planted with; empty for models."""
    input:
        DATA / "samples" / "judgements.parquet",
        read_by_models("judgements"),
        planted_conversations(),
    output:
        DATA / "statistics" / "recovery.parquet",
    log:
        DATA / "logs" / "recover_stages.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **conversations(
                judge=STUDY.judging.judge,
                profiles=planted_profiles(),
                statistics=STUDY.statistics.model_dump(),
                code=code.stage_code("recover_stages", PLAYED),
            )
        ),
        data=DATA,
    shell:
        "python -m scripts.collaboration.recover_stages"
        " --data {params.data:q} --output {output:q} --job {params.job:q} --log {log:q}"
