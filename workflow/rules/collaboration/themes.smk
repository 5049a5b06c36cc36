# Reads:  samples/descriptions.parquet and what was seen, said and graded in these rollouts; judgements/
# Writes: descriptions/{team}.parquet, embeddings/{team}.parquet, themes/*.parquet, statistics/theme*.parquet
# Rules that call models exist only where calls are allowed: offline, what they make is a missing input.


if CALLS_ALLOWED:

    rule describe_failures:
        """Have a model say why each sampled conversation of a team failed."""
        input:
            DATA / "samples" / "descriptions.parquet",
            of_team("rollouts"),
            of_team("grades"),
            of_team("instances"),
            of_team("views"),
        output:
            DATA / "descriptions" / "{team}.parquet",
        log:
            DATA / "logs" / "describe_failures" / "{team}.log",
        conda:
            ENVIRONMENT
        resources:
            **calling(lambda wildcards: [STUDY.descriptions.describer]),
        params:
            job=descriptions_job,
            data=DATA,
        shell:
            "python -m scripts.collaboration.describe_failures --data {params.data:q}"
            " --output {output:q} --job {params.job:q} --log {log:q}"
            f" {CALL_OPTIONS}"

    rule embed_descriptions:
        """Turn the descriptions into vectors by an embedding model."""
        input:
            rules.describe_failures.output,
        output:
            DATA / "embeddings" / "{team}.parquet",
        log:
            DATA / "logs" / "embed_descriptions" / "{team}.log",
        conda:
            ENVIRONMENT
        resources:
            **calling(lambda wildcards: [STUDY.themes.embedder]),
        params:
            job=lambda wildcards: reader_job(
                code.reader_code("embed_descriptions"), embedder=STUDY.themes.embedder
            ),
        shell:
            "python -m scripts.collaboration.embed_descriptions --descriptions {input:q}"
            " --output {output:q} --job {params.job:q} --log {log:q}"
            f" {CALL_OPTIONS}"


rule cluster_themes:
    """Cluster the descriptions into themes, and measure how far their number can be trusted."""
    input:
        descriptions=read_by_models("descriptions"),
        embeddings=read_by_models("embeddings"),
    output:
        artifacts(DATA, "themes", conversations()),
    log:
        DATA / "logs" / "cluster_themes.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **STUDY.themes.model_dump(exclude={"embedder", "namer"}),
            level=STUDY.statistics.level,
            code=code.stage_code("cluster_themes"),
        ),
        folder=DATA / "themes",
    shell:
        "python -m scripts.collaboration.cluster_themes --descriptions {input.descriptions:q}"
        " --embeddings {input.embeddings:q} --output {params.folder:q} --job {params.job:q} --log {log:q}"


if CALLS_ALLOWED:

    rule name_themes:
        """Have a model name each theme."""
        input:
            DATA / "themes" / "themes.parquet",
        output:
            DATA / "themes" / "names.parquet",
        log:
            DATA / "logs" / "name_themes.log",
        conda:
            ENVIRONMENT
        resources:
            **calling(lambda wildcards: [STUDY.themes.namer]),
        params:
            job=lambda wildcards: reader_job(
                code.reader_code("name_themes", "theme_system.txt"),
                namer=STUDY.themes.namer,
            ),
        shell:
            "python -m scripts.collaboration.name_themes --themes {input:q}"
            " --output {output:q} --job {params.job:q} --log {log:q}"
            f" {CALL_OPTIONS}"


rule estimate_themes:
    """How themes relate to tasks and to the stages that fired."""
    input:
        themes=DATA / "themes" / "themes.parquet",
        assignments=DATA / "themes" / "assignments.parquet",
        names=read_by_models("names"),
        judgements=read_by_models("judgements"),
    output:
        [DATA / name for name in THEME_STATISTICS],
    log:
        DATA / "logs" / "estimate_themes.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            tasks={name: TASKS[name] for name in PLAYED},
            seed=STUDY.statistics.seed,
            level=STUDY.statistics.level,
            code=code.stage_code("estimate_themes"),
        ),
        folder=DATA / "statistics",
    shell:
        "python -m scripts.collaboration.estimate_themes --themes {input.themes:q}"
        " --assignments {input.assignments:q} --names {input.names:q} --judgements {input.judgements:q}"
        " --output {params.folder:q} --job {params.job:q} --log {log:q}"
