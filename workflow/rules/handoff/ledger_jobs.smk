# What decides the rows of each stage of the ledger experiment, and which files belong to it.
from scripts.handoff.layout import LEDGER_TABLES, steps_of

LEDGER = HANDOFF and HANDOFF.ledger  # null: the experiment is left out


def statistics_of(*names):
    """Tables of the ledger experiment by name."""
    return {name: HANDOFF_DATA / "statistics" / f"{name}.parquet" for name in names}


def steps_played(stage, name):
    """A model's files of a stage."""
    return steps_of(HANDOFF_DATA, stage, name, LEDGER.model_dump())


def all_of_ledger(*stages):
    """Every file of some stages."""
    names = HANDOFF.models if LEDGER else []
    return [
        path for stage in stages for name in names for path in steps_played(stage, name)
    ]


def predictions():
    """The predictions of all models."""
    return [
        HANDOFF_DATA / "predictions" / f"{slug(name)}.json" for name in HANDOFF.models
    ]


def predicted_from(wildcards):
    """What a model's prediction is made from."""
    name = HANDOFF_MODELS[wildcards.model]
    return [*steps_played("trajectories", name), *steps_played("handoffs", name)]


def played_job(wildcards, stage, *settings):
    """What decides a batch of ledgers. Their number is not in it: more of them add batches."""
    name = HANDOFF_MODELS[wildcards.model]
    first = int(wildcards.batch) * LEDGER.batch_size
    return as_job(
        model=name,
        first=first,
        last=min(first + LEDGER.batch_size, LEDGER.tasks),
        seed=HANDOFF.seed,
        depth=LEDGER.depths[-1],
        **LEDGER.model_dump(include={"reach", "memo", *settings}),
        identity=MODELS[name].identity(name),
        code=handoff_code.ledger_code(stage, MODELS[name].simulated),
    )


def trajectories_job(wildcards):
    """One agent: all depths are beginnings of one trajectory."""
    return played_job(wildcards, "run_trajectories")


def handoffs_job(wildcards):
    """Handoffs at each cut with notes of each length."""
    return played_job(wildcards, "run_handoffs", "chunk", "cuts", "notes")


def chains_job(wildcards):
    """A chain of agents with notes of one length."""
    return played_job(wildcards, "run_chains", "chunks", "note")


def ledger_statistics_job(stage):
    """What decides the statistics of all models, besides the steps."""
    return as_job(
        models={name: MODELS[name].simulated for name in HANDOFF.models},
        ledger=LEDGER.model_dump(),
        statistics=HANDOFF.statistics.model_dump(),
        code=handoff_code.stage_code(stage),
    )


def prediction_job(wildcards):
    """What decides a model's prediction, besides the steps."""
    return as_job(
        model=HANDOFF_MODELS[wildcards.model],
        ledger=LEDGER.model_dump(),
        statistics=HANDOFF.statistics.model_dump(),
        code=handoff_code.stage_code("predict_success"),
    )
