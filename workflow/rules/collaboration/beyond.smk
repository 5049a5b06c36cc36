# Beyond the published study: what its limitations ask for.
# Reads:  instances/, rollouts/ and grades/ of the baseline, grades/ of the relays
# Writes: statistics/{caps,critic,relays}.parquet and a figure; no model is called for them
from scripts.collaboration.layout import BEYOND_STATISTICS

BEYOND = [DATA / name for name in BEYOND_STATISTICS]


def homogeneous(*modes):
    """The plan of single models in the baseline, in some of the modes."""
    teams = [team for team in TEAMS.values() if len(team) == 1]
    return baseline(teams=teams, modes=[mode for mode in STUDY.modes if mode in modes])


rule estimate_caps:
    """The tax under shorter turn caps, replayed from the conversations."""
    input:
        artifacts(DATA, "rollouts", homogeneous("solo_full", "collab")),
        artifacts(DATA, "grades", homogeneous("solo_full", "collab")),
    output:
        DATA / "statistics" / "caps.parquet",
    log:
        DATA / "logs" / "estimate_caps.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **baseline(caps=STUDY.caps, max_exchanges=STUDY.max_exchanges),
            code=code.stage_code("estimate_caps"),
        ),
        data=DATA,
    shell:
        "python -m scripts.collaboration.estimate_caps"
        " --data {params.data:q} --output {output:q} --job {params.job:q} --log {log:q}"


rule estimate_critic:
    """What the critic pass changes, replayed from the first replies."""
    input:
        artifacts(DATA, "instances", homogeneous()),
        artifacts(DATA, "rollouts", homogeneous("solo_full", "solo_split")),
        artifacts(DATA, "grades", homogeneous(*STUDY.modes)),
    output:
        DATA / "statistics" / "critic.parquet",
    log:
        DATA / "logs" / "estimate_critic.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **baseline(critic=STUDY.critic),
            code=code.stage_code("estimate_critic", PLAYED),
        ),
        data=DATA,
    shell:
        "python -m scripts.collaboration.estimate_critic"
        " --data {params.data:q} --output {output:q} --job {params.job:q} --log {log:q}"


rule compare_relays:
    """Relays against the pair that keeps its seats, and against each model with itself."""
    input:
        artifacts(
            DATA, "grades", relayed(BASELINE, modes=homogeneous("collab")["modes"])
        ),
    output:
        DATA / "statistics" / "relays.parquet",
    log:
        DATA / "logs" / "compare_relays.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            **relayed(BASELINE, modes=homogeneous("collab")["modes"]),
            code=code.stage_code("compare_relays"),
        ),
        data=DATA,
    shell:
        "python -m scripts.collaboration.compare_relays"
        " --data {params.data:q} --output {output:q} --job {params.job:q} --log {log:q}"


rule draw_caps:
    """The tax by turn cap, and the share of conversations that it cuts."""
    input:
        rules.estimate_caps.output,
    output:
        figure("fig_caps", "../../report/fig_caps.rst"),
    log:
        DATA / "logs" / "draw_caps.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(code=code.stage_code("draw_caps")),
        folder=REPORTS / "figures",
    shell:
        "python -m scripts.collaboration.draw_caps"
        " --caps {input:q} --output {params.folder:q} --log {log:q}"
