# Reads:  views/{task}.parquet
# Writes: rollouts/{arm}/{team}/{mode}/{family}/{batch}.parquet; replies go to the ledger first.
# The rule exists only where calls are allowed: offline, a missing rollout is a missing input.


def rollouts_job(wildcards):
    """What decides a batch's rollouts. The total number of rollouts is not in it: more of them add batches."""
    team, first = TEAMS[wildcards.team], int(wildcards.batch) * STUDY.batch_size
    tasks = tasks_of(wildcards.family)
    collab = wildcards.mode == "collab"
    return as_job(
        arm=wildcards.arm,
        team=team,
        mode=wildcards.mode,
        family=wildcards.family,
        tasks=tasks,
        first=first,
        last=min(first + STUDY.batch_size, STUDY.rollouts),
        size=STUDY.size,
        seed=STUDY.seed,
        max_exchanges=STUDY.max_exchanges if collab else None,
        critic=None if collab else STUDY.critic,
        identities=[MODELS[name].identity(name) for name in team],
        code=code.rollouts_code(tasks, any(MODELS[name].simulated for name in team)),
    )


if CALLS_ALLOWED:

    rule run_rollouts:
        """Let a team solve one batch of a family's instances in one mode."""
        input:
            lambda wildcards: map(ancient, per_task("views", tasks_of(wildcards.family))),
        output:
            DATA / "rollouts" / "{arm}" / "{team}" / "{mode}" / "{family}" / "{batch}.parquet",
        params:
            job=rollouts_job,
        log:
            DATA / "logs" / "run_rollouts" / "{arm}" / "{team}" / "{mode}" / "{family}" / "{batch}.log",
        shell:
            "python -m scripts.collaboration.run_rollouts"
            " --views {input:q} --output {output:q} --models-file {MODELS_FILE:q} --ledger {LEDGER:q}"
            " --replay-only {REPLAY_ONLY} --job {params.job:q} --log {log:q}"
