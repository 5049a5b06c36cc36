# Beyond the published study: what its limitations ask for.
# Reads:  instances/, rollouts/ and grades/ of the baseline, grades/ of the relays
# Writes: alone/..., statistics/{caps,critic,relays,alone}.parquet and a figure; only ask_alone calls a model
from scripts.collaboration.layout import BEYOND_STATISTICS

BEYOND = [DATA / name for name in BEYOND_STATISTICS]


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


if CALLS_ALLOWED:

    rule ask_alone:
        """Ask each agent for its own answer when the conversation is over."""
        input:
            rollouts=DATA / "rollouts" / f"{SHARD}.parquet",
            views=lambda wildcards: of_family("views", wildcards),
        output:
            DATA / ALONE / f"{SHARD}.parquet",
        log:
            DATA / "logs" / "ask_alone" / f"{SHARD}.log",
        conda:
            ENVIRONMENT
        resources:
            **calling(lambda wildcards: TEAMS[wildcards.team]),
        params:
            job=alone_job,
        shell:
            "python -m scripts.collaboration.ask_alone --rollouts {input.rollouts:q}"
            " --views {input.views:q} --output {output:q} --job {params.job:q} --log {log:q}"
            f" {CALL_OPTIONS}"


rule estimate_alone:
    """Did one of them know? The agents' own answers against the conversation's."""
    input:
        artifacts(DATA, "instances", asked_alone()),
        artifacts(DATA, ALONE, asked_alone()),
        artifacts(DATA, "grades", homogeneous("collab")),
    output:
        DATA / "statistics" / "alone.parquet",
    log:
        DATA / "logs" / "estimate_alone.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(**asked_alone(), code=code.stage_code("estimate_alone", PLAYED)),
        data=DATA,
    shell:
        "python -m scripts.collaboration.estimate_alone"
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
