# Reads:  grades/ of the homogeneous baseline conversations
# Writes: samples/{judgements,descriptions,annotations}.parquet


rule select_rollouts:
    """Draw the conversations that are judged, described and annotated, stratified."""
    input:
        artifacts(DATA, "grades", conversations()),
    output:
        artifacts(DATA, "samples", conversations()),
    log:
        DATA / "logs" / "select_rollouts.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **conversations(
                success=STUDY.statistics.success,
                seed=STUDY.seed,
                sizes={
                    "judgements": STUDY.judging.rollouts,
                    "descriptions": STUDY.descriptions.rollouts,
                    "annotations": STUDY.annotation.rollouts,
                },
                code=code.stage_code("select_rollouts"),
            )
        ),
        data=DATA,
        folder=DATA / "samples",
    shell:
        "python -m scripts.collaboration.select_rollouts --data {params.data:q}"
        " --output {params.folder:q} --job {params.job:q} --log {log:q}"
