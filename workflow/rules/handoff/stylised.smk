# Reads:  the block `stylised` of the study's configuration.
# Writes: reports/handoff/figures/{single_against_chunks,regimes,voting}.*
STYLISED_COMMAND = "--output {params.folder:q} --job {params.job:q} --log {log:q}"


rule draw_single_against_chunks:
    """Success of one agent and of chains of agents, on a rising and on a flat curve."""
    output:
        handoff_figure("single_against_chunks"),
    log:
        HANDOFF_DATA / "logs" / "draw_single_against_chunks.log",
    conda:
        ENVIRONMENT
    params:
        job=stylised_job(
            "single_against_chunks",
            *["base", "slope", "growth", "start", "note", "handoff", "depth"],
        ),
        folder=HANDOFF_REPORTS / "figures",
    shell:
        f"python -m scripts.handoff.draw_single_against_chunks {STYLISED_COMMAND}"


rule draw_regimes:
    """The crossover depth over attention tax a step and handoff tax."""
    output:
        handoff_figure("regimes"),
    log:
        HANDOFF_DATA / "logs" / "draw_regimes.log",
    conda:
        ENVIRONMENT
    params:
        job=stylised_job("regimes", "slope", "growth", "note", "handoff"),
        folder=HANDOFF_REPORTS / "figures",
    shell:
        f"python -m scripts.handoff.draw_regimes {STYLISED_COMMAND}"


rule draw_voting:
    """A vote of parallel calls against one call with their whole budget."""
    output:
        handoff_figure("voting"),
    log:
        HANDOFF_DATA / "logs" / "draw_voting.log",
    conda:
        ENVIRONMENT
    params:
        job=stylised_job("voting", "least", "spread", "budget", "shared", "votes"),
        folder=HANDOFF_REPORTS / "figures",
    shell:
        f"python -m scripts.handoff.draw_voting {STYLISED_COMMAND}"
