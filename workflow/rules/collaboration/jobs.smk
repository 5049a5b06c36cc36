# What decides the rows of each stage that calls models: the job of its command.


def rollouts_job(wildcards):
    """What decides a batch's rollouts. The total number of rollouts is not in it: more of them add batches."""
    team = TEAMS[wildcards.team]
    tasks = tasks_of(wildcards.family)
    collab = wildcards.mode == "collab"
    clauses = clause_texts(wildcards.arm)
    return as_job(
        arm=wildcards.arm,
        team=team,
        mode=wildcards.mode,
        family=wildcards.family,
        tasks=tasks,
        **batch_range(wildcards),
        sizes=[size_of(task) for task in tasks],
        seed=STUDY.seed,
        max_exchanges=STUDY.max_exchanges if collab else None,
        **({"clauses": clauses} if clauses else {}),
        critic=None if collab else STUDY.critic,
        identities=[MODELS[name].identity(name) for name in team],
        code=code.rollouts_code(
            tasks, wildcards.mode, any(MODELS[name].simulated for name in team)
        ),
    )


def calibration_job(wildcards):
    """What decides a model's ladder of sizes."""
    (model,) = TEAMS[wildcards.team]
    return as_job(
        model=model,
        identity=MODELS[model].identity(model),
        tasks=PLAYED,
        seed=STUDY.seed,
        critic=STUDY.critic,
        **STUDY.calibration.model_dump(),
        code=code.rollouts_code(PLAYED, "solo_full", MODELS[model].simulated),
        grader=code.stage_code("grade_answers", PLAYED),
    )


def answers_job(wildcards):
    """The grader model and the code that reads answers."""
    grader = STUDY.grader
    return as_job(
        grader=grader,
        identity=MODELS[grader].identity(grader) if grader else None,
        code=code.answers_code(
            tasks_of(wildcards.family),
            simulated=bool(grader and MODELS[grader].simulated),
        ),
    )


def judged_by():
    """The judge, and who is simulated of those it reads and it."""
    judge = STUDY.judging.judge
    names = [*(name for (name,) in conversations()["teams"]), *filter(None, [judge])]
    return {
        "judge": judge,
        "simulated": {name: MODELS[name].simulated for name in names},
    }


def judgements_job(wildcards):
    """A team's judge and the code that asks it."""
    judge = STUDY.judging.judge
    return as_job(
        team=TEAMS[wildcards.team],
        judge=judge,
        identity=MODELS[judge].identity(judge),
        code=code.judgements_code(PLAYED, MODELS[judge].simulated),
    )


def reader_job(its_code, **named):
    """A model that reads what others wrote, by its role, and the code that decides what is made of it."""
    (model,) = named.values()
    return as_job(**named, identity=MODELS[model].identity(model), code=its_code)


def descriptions_job(wildcards):
    """What decides the descriptions of a team's failures, besides the failures."""
    describer = STUDY.descriptions.describer
    return as_job(
        **conversations(teams=[TEAMS[wildcards.team]]),
        describer=describer,
        identity=MODELS[describer].identity(describer),
        code=code.descriptions_code(PLAYED, MODELS[describer].simulated),
    )


def readers():
    """The models that read a sample of the conversations, by role, and how many they read."""
    roles = {
        "judge": (STUDY.judging.judge, STUDY.judging.rollouts),
        "describer": (STUDY.descriptions.describer, STUDY.descriptions.rollouts),
    }
    return {
        role: {"model": model, "rollouts": rollouts}
        for role, (model, rollouts) in roles.items()
        if model
    }


def plan_job(wildcards):
    """What decides the plan: what is run how often, and the limits of the run itself."""
    settings = workflow.resource_settings
    return as_job(
        **planned(
            batch_size=STUDY.batch_size,
            sizes={name: size_of(name) for name in PLAYED},
            seed=STUDY.seed,
            critic=STUDY.critic,
            max_exchanges=STUDY.max_exchanges,
            clauses={arm: clause_texts(arm) for arm in CLAUSES},
            grader=STUDY.grader,
            readers=readers(),
            budget=CONFIG.budget,
            jobs=settings.nodes or settings.cores or 1,
        )
    )
