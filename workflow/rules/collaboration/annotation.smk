# Reads:  samples/annotations.parquet, views/, rollouts/, judgements/, and what people labelled: annotations/*.csv
# Writes: reports/collaboration/annotation_kit.html, annotations/simulated/ratings.csv,
#         statistics/agreement.parquet, statistics/disagreements.parquet, figures/fig_agreement.*

# What people sent. Simulated raters are asked only where there is nothing of people.
ANNOTATIONS = sorted((DATA / "annotations").glob("*.csv"))
SIMULATED_ANNOTATIONS = (
    [DATA / "annotations" / "simulated" / "ratings.csv"]
    if STUDY.annotation.simulated_raters and not ANNOTATIONS
    else []
)


rule write_annotation_kit:
    """One page on which people label the drawn conversations, without a network."""
    input:
        sample=DATA / "samples" / "annotations.parquet",
        views=all_of("views"),
        rollouts=artifacts(DATA, "rollouts", conversations()),
    output:
        REPORTS / "annotation_kit.html",
    log:
        DATA / "logs" / "write_annotation_kit.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(seed=STUDY.annotation.seed, code=code.annotation_kit_code()),
    shell:
        "python -m scripts.collaboration.write_annotation_kit --sample {input.sample:q}"
        " --views {input.views:q} --rollouts {input.rollouts:q} --output {output:q}"
        " --job {params.job:q} --log {log:q}"


rule simulate_raters:
    """Label simulated conversations as people would who err at planted rates."""
    input:
        sample=DATA / "samples" / "annotations.parquet",
        views=all_of("views"),
        rollouts=artifacts(DATA, "rollouts", conversations()),
    output:
        DATA / "annotations" / "simulated" / "ratings.csv",
    log:
        DATA / "logs" / "simulate_raters.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            raters=STUDY.annotation.simulated_raters,
            seed=STUDY.annotation.seed,
            code=code.stage_code("simulate_raters", PLAYED),
        ),
    shell:
        "python -m scripts.collaboration.simulate_raters --sample {input.sample:q}"
        " --views {input.views:q} --rollouts {input.rollouts:q} --output {output:q}"
        " --job {params.job:q} --log {log:q}"


rule measure_agreement:
    """How far raters agree with each other, and the judge with their majority."""
    input:
        annotations=ANNOTATIONS,
        simulated=SIMULATED_ANNOTATIONS,
        judgements=read_by_models("judgements"),
    output:
        agreement=DATA / "statistics" / "agreement.parquet",
        disagreements=DATA / "statistics" / "disagreements.parquet",
    log:
        DATA / "logs" / "measure_agreement.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **conversations(
                judge=STUDY.judging.judge,
                statistics=STUDY.statistics.model_dump(),
                simulated={name: MODELS[name].simulated for name in STUDY.models},
                code=code.stage_code("measure_agreement"),
            )
        ),
    shell:
        "python -m scripts.collaboration.measure_agreement --annotations {input.annotations:q}"
        " --simulated-annotations {input.simulated:q} --judgements {input.judgements:q}"
        " --output {output.agreement:q} --disagreements {output.disagreements:q}"
        " --job {params.job:q} --log {log:q}"


rule draw_agreement:
    """Kappa and alpha by stage, beside the published ones."""
    input:
        rules.measure_agreement.output.agreement,
    output:
        figure("fig_agreement", "../../report/fig_agreement.rst"),
    log:
        DATA / "logs" / "draw_agreement.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            published=published("agreement"),
            code=code.stage_code("draw_agreement"),
        ),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_agreement"
        " --agreement {input:q} --output {params.folder:q} --job {params.job:q} --log {log:q}"
