# What the study runs: tasks, teams and batches from the configuration, and where its artifacts lie.
from scripts.collaboration import code
from scripts.collaboration.write_tables import TABLES
from tasks import TASKS

STUDY = CONFIG.collaboration
DATA = Path(CONFIG.data_dir) / "collaboration"
REPORTS = Path(CONFIG.reports_dir) / "collaboration"

ARMS = ["baseline"]
PLAYED = list(TASKS) if STUDY.tasks == "all" else [name for name in TASKS if name in STUDY.tasks]
FAMILIES = list(dict.fromkeys(TASKS[name] for name in PLAYED))
TEAMS = {team_slug(team): team for team in [*((name,) for name in STUDY.models), *map(tuple, STUDY.pairs)]}
BATCHES = [f"{number:03d}" for number in range(-(-STUDY.rollouts // STUDY.batch_size))]
FIGURES = ["fig1_views", "fig3_tax", "fig4_ratio_gap"]
FORMATS = ["pdf", "svg", "png"]

if CALLS_ALLOWED and not CONFIG.replay_only:
    used = [*STUDY.models, *(name for pair in STUDY.pairs for name in pair)]
    try:
        check_keys(MODELS, [*used, *filter(None, [STUDY.grader])])
    except UserError as error:
        raise WorkflowError(str(error)) from None


wildcard_constraints:
    arm=SLUG_PATTERN,
    team=SLUG_PATTERN,
    mode="|".join(["solo_full", "solo_split", "collab"]),
    family="|".join(dict.fromkeys(TASKS.values())),
    task="|".join(TASKS),
    batch="[0-9]+",


def tasks_of(family):
    """The played tasks of a family, in the order of the registry."""
    return [name for name in PLAYED if TASKS[name] == family]


def shards(stage):
    """Every planned batch of a sharded stage; mixed teams only talk."""
    return [
        DATA / stage / arm / slug / mode / family / f"{batch}.parquet"
        for arm in ARMS
        for slug, team in TEAMS.items()
        for mode in STUDY.modes
        if len(team) == 1 or mode == "collab"
        for family in FAMILIES
        for batch in BATCHES
    ]


def per_task(stage, tasks=PLAYED):
    """The artifacts of a stage that has one a task."""
    return [DATA / stage / f"{task}.parquet" for task in tasks]


def collaboration_figures():
    """Every figure in every format."""
    return [REPORTS / "figures" / f"{stem}.{form}" for stem in FIGURES for form in FORMATS]


def collaboration_tables():
    """Every table of the report."""
    return [REPORTS / "tables" / name for name in TABLES]


def planned(**more):
    """What was planned, as the statistics need it, with more of the configuration where asked for."""
    return {
        "arms": ARMS,
        "teams": list(TEAMS.values()),
        "modes": STUDY.modes,
        "tasks": {name: TASKS[name] for name in PLAYED},
        "rollouts": STUDY.rollouts,
        "statistics": STUDY.statistics.model_dump(),
        "simulated": {name: MODELS[name].simulated for team in TEAMS.values() for name in team},
    } | more


def describe_models():
    """What the report says about each model: where it was, what was sent or which rates were planted."""
    names = dict.fromkeys([*(name for team in TEAMS.values() for name in team), *filter(None, [STUDY.grader])])
    wanted = {"base_url", "served_name", "parameters", "profile"}
    return {name: MODELS[name].model_dump(include=wanted) | {"simulated": MODELS[name].simulated} for name in names}
