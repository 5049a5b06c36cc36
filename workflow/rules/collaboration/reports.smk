# Reads:  statistics/, instances/, views/ and, for the transcripts, rollouts/, answers/, grades/
# Writes: reports/collaboration/figures/, tables/, report.html


report: "../../report/workflow.rst"


rule draw_views:
    """Figure 1: an instance and its two views, for each family."""
    input:
        instances=first_batch("instances"),
        views=first_batch("views"),
    output:
        figure("fig1_views", "../../report/fig1_views.rst"),
    log:
        DATA / "logs" / "draw_views.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            tasks={TASKS[name]: name for name in FIGURE_TASKS},
            index=0,
            code=code.stage_code("draw_views"),
        ),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_views --instances {input.instances:q}"
        " --views {input.views:q} --output {params.folder:q} --job {params.job:q} --log {log:q}"


rule draw_game:
    """Figure 2: a team as a game of two players."""
    input:
        rules.estimate_game_values.output,
    output:
        figure("fig2_game", "../../report/fig2_game.rst"),
    log:
        DATA / "logs" / "draw_game.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(published=published("pairs"), code=code.stage_code("draw_game")),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_game"
        " --game-values {input:q} --output {params.folder:q} --job {params.job:q} --log {log:q}"


rule draw_tax:
    """Figure 3: the tax by model and family, and what it is made of."""
    input:
        rules.estimate_tax.output,
    output:
        figure("fig3_tax", "../../report/fig3_tax.rst"),
    log:
        DATA / "logs" / "draw_tax.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(**planned(), code=code.stage_code("draw_tax")),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_tax"
        " --tax {input:q} --output {params.folder:q} --job {params.job:q} --log {log:q}"


rule draw_ratio_gap:
    """Figure 4: the ratio gap by task."""
    input:
        rules.estimate_tax.output,
    output:
        figure("fig4_ratio_gap", "../../report/fig4_ratio_gap.rst"),
    log:
        DATA / "logs" / "draw_ratio_gap.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **planned(published=published("ratio_gaps")),
            code=code.stage_code("draw_ratio_gap"),
        ),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_ratio_gap"
        " --tax {input:q} --output {params.folder:q} --job {params.job:q} --log {log:q}"


rule draw_cascade:
    """Figure 5: how often successes and failures satisfy each stage."""
    input:
        DATA / "statistics" / "stages.parquet",
    output:
        figure("fig5_cascade", "../../report/fig5_cascade.rst"),
    log:
        DATA / "logs" / "draw_cascade.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(**conversations(**judged_by()), code=code.stage_code("draw_cascade")),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_cascade"
        " --stages {input:q} --output {params.folder:q} --job {params.job:q} --log {log:q}"


rule draw_stage_overlap:
    """Which stages fire together in failures, and how many do."""
    input:
        overlap=DATA / "statistics" / "stage_overlap.parquet",
        counts=DATA / "statistics" / "stage_counts.parquet",
    output:
        figure("fig_stage_overlap", "../../report/fig_stage_overlap.rst"),
    log:
        DATA / "logs" / "draw_stage_overlap.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            published=published("cascade"),
            **judged_by(),
            code=code.stage_code("draw_stage_overlap"),
        ),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_stage_overlap --overlap {input.overlap:q}"
        " --counts {input.counts:q} --output {params.folder:q} --job {params.job:q} --log {log:q}"


rule draw_arms:
    """Figure 6: the share of the tax that each arm recovers."""
    input:
        rules.compare_arms.output,
    output:
        figure("fig6_arms", "../../report/fig6_arms.rst"),
    log:
        DATA / "logs" / "draw_arms.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **planned(published=published("arms")), code=code.stage_code("draw_arms")
        ),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_arms"
        " --arms {input:q} --output {params.folder:q} --job {params.job:q} --log {log:q}"


rule draw_pairs:
    """Figure 7: mixed pairs against their members, in both slot orders."""
    input:
        rules.compare_pairs.output,
    output:
        figure("fig7_pairs", "../../report/fig7_pairs.rst"),
    log:
        DATA / "logs" / "draw_pairs.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(published=published("pairs"), code=code.stage_code("draw_pairs")),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_pairs"
        " --pairs {input:q} --output {params.folder:q} --job {params.job:q} --log {log:q}"


rule draw_published_gaps:
    """Published ratio gaps by model and family, with those of this run."""
    input:
        rules.estimate_tax.output,
    output:
        figure("fig_published_gaps", "../../report/fig_published_gaps.rst"),
    log:
        DATA / "logs" / "draw_published_gaps.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            published=beside_published("ratio_gaps"),
            code=code.stage_code("draw_published_gaps"),
        ),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_published_gaps"
        " --tax {input:q} --output {params.folder:q} --job {params.job:q} --log {log:q}"


rule draw_themes:
    """The themes of failure: size, stages, concentration on tasks."""
    input:
        themes=DATA / "statistics" / "themes.parquet",
        stages=DATA / "statistics" / "theme_stages.parquet",
    output:
        figure("fig_themes", "../../report/fig_themes.rst"),
    log:
        DATA / "logs" / "draw_themes.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(code=code.stage_code("draw_themes")),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_themes --themes {input.themes:q}"
        " --stages {input.stages:q} --output {params.folder:q} --log {log:q}"


rule draw_theme_stability:
    """How many themes there are: silhouette and stability by their number."""
    input:
        DATA / "themes" / "stability.parquet",
    output:
        figure("fig_theme_stability", "../../report/fig_theme_stability.rst"),
    log:
        DATA / "logs" / "draw_theme_stability.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(code=code.stage_code("draw_theme_stability")),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_theme_stability"
        " --stability {input:q} --output {params.folder:q} --log {log:q}"


rule draw_prediction:
    """How well the shape of conversations predicts a cell: out of fold against observed, and by scheme."""
    input:
        prediction=rules.fit_ridge.output.prediction,
        cells=rules.fit_ridge.output.cells,
    output:
        figure("fig_prediction", "../../report/fig_prediction.rst"),
    log:
        DATA / "logs" / "draw_prediction.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **planned(published=published("prediction")),
            code=code.stage_code("draw_prediction"),
        ),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_prediction --prediction {input.prediction:q}"
        " --cells {input.cells:q} --output {params.folder:q} --job {params.job:q} --log {log:q}"


rule write_tables:
    """Every table as CSV and LaTeX."""
    input:
        rules.estimate_cells.output,
        rules.estimate_tax.output,
        rules.compare_pairs.output,
        rules.estimate_game_values.output,
        rules.fit_ridge.output,
        rules.estimate_stages.output,
        rules.recover_stages.output,
        rules.compare_arms.output,
        rules.estimate_themes.output,
        DATA / "themes" / "stability.parquet",
        rules.measure_agreement.output,
    output:
        report(
            collaboration_tables(),
            caption="../../report/tables.rst",
            category="Collaboration tax",
        ),
    log:
        DATA / "logs" / "write_tables.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            files=FILES,
            published=beside_published("ratio_gaps", "pairs"),
            code=code.stage_code("write_tables"),
        ),
        data=DATA,
        folder=REPORTS / "tables",
    shell:
        "python -m scripts.collaboration.write_tables --data {params.data:q}"
        " --output {params.folder:q} --job {params.job:q} --log {log:q}"


rule write_report:
    """One self-contained page: what was run, the numbers, the figures and a few conversations."""
    input:
        rules.estimate_cells.output,
        rules.estimate_tax.output,
        rules.compare_pairs.output,
        rules.estimate_game_values.output,
        rules.fit_ridge.output,
        rules.estimate_stages.output,
        rules.recover_stages.output,
        rules.compare_arms.output,
        rules.estimate_themes.output,
        DATA / "themes" / "stability.parquet",
        rules.measure_agreement.output,
        DATA / "samples" / "annotations.parquet",
        *(all_of(stage) for stage in [*PER_TASK, *SHARDED]),
        figures=[REPORTS / "figures" / f"{stem}.svg" for stem in FIGURES],
    output:
        report(
            REPORTS / "report.html",
            caption="../../report/report.rst",
            category="Collaboration tax",
        ),
    log:
        DATA / "logs" / "write_report.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **planned(
                size=STUDY.size,
                sizes=STUDY.sizes,
                seed=STUDY.seed,
                report=STUDY.report.model_dump(),
                prediction=STUDY.prediction.model_dump(),
                models=describe_models(),
                judging=STUDY.judging.model_dump(),
                arm_clauses=CLAUSES,
                own_clauses=STUDY.clauses,
                published=beside_published(
                    "ratio_gaps",
                    "pairs",
                    "arms",
                    "cascade",
                    "themes",
                    "prediction",
                    "agreement",
                ),
            ),
            code=code.report_code(),
        ),
        data=DATA,
    shell:
        "python -m scripts.collaboration.write_report --data {params.data:q}"
        " --figures {input.figures:q} --output {output:q} --job {params.job:q} --log {log:q}"
