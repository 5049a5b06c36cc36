# Reads:  rollouts/ of mode collab, views/, statistics/tax.parquet
# Writes: shape/{arm}/{team}/{mode}/{family}/{batch}.parquet,
#         statistics/{prediction,prediction_coefficients,prediction_cells}.parquet


rule measure_shape:
    """How each conversation of a batch ran: lengths, markers, what was told when."""
    input:
        rollouts=DATA / "rollouts" / f"{SHARD}.parquet",
        views=lambda wildcards: of_family("views", wildcards),
    output:
        DATA / SHAPE / f"{SHARD}.parquet",
    log:
        DATA / "logs" / "measure_shape" / f"{SHARD}.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(code=code.stage_code("measure_shape")),
    shell:
        "python -m scripts.collaboration.measure_shape --rollouts {input.rollouts:q}"
        " --views {input.views:q} --output {output:q} --log {log:q}"


rule fit_ridge:
    """How well the shape of its conversations predicts what a model scores on a task."""
    input:
        artifacts(DATA, SHAPE, conversations()),
        rules.estimate_tax.output,
    output:
        prediction=DATA / "statistics" / "prediction.parquet",
        coefficients=DATA / "statistics" / "prediction_coefficients.parquet",
        cells=DATA / "statistics" / "prediction_cells.parquet",
    log:
        DATA / "logs" / "fit_ridge.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **planned(prediction=STUDY.prediction.model_dump()),
            code=code.stage_code("fit_ridge"),
        ),
        data=DATA,
    shell:
        "python -m scripts.collaboration.fit_ridge --data {params.data:q}"
        " --prediction {output.prediction:q} --coefficients {output.coefficients:q}"
        " --cells {output.cells:q} --job {params.job:q} --log {log:q}"
