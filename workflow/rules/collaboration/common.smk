# What the study runs: tasks, teams and batches from the configuration, and where its artifacts lie.
from scripts.collaboration import code
from scripts.collaboration.arms import clause_text, clauses_by_arm
from scripts.collaboration.layout import (
    ALONE,
    BASELINE,
    PER_TASK,
    SHAPE,
    SHARDED,
    THEME_STATISTICS,
    artifacts,
)
from scripts.collaboration.relays import relays_by_arm
from scripts.collaboration.published import load_published, published_name
from scripts.collaboration.tables import FILES
from tasks import TASKS

STUDY = CONFIG.collaboration
DATA = Path(CONFIG.data_dir) / "collaboration"
REPORTS = Path(CONFIG.reports_dir) / "collaboration"

CLAUSES = clauses_by_arm(STUDY)  # {arm: its clauses}
RELAYS = relays_by_arm(STUDY)  # {arm: its seat, turns and teams}
PLAYED = (
    list(TASKS)
    if STUDY.tasks == "all"
    else [name for name in TASKS if name in STUDY.tasks]
)
FAMILIES = list(dict.fromkeys(TASKS[name] for name in PLAYED))
TEAMS = {
    team_slug(team): team
    for team in [*((name,) for name in STUDY.models), *map(tuple, STUDY.pairs)]
}
SINGLE = [team for team in TEAMS.values() if len(team) == 1]
BATCHES = [f"{number:03d}" for number in range(-(-STUDY.rollouts // STUDY.batch_size))]
SHARD = "{arm}/{team}/{mode}/{family}/{batch}"
try:
    PUBLISHED = load_published(Path(STUDY.published)) if STUDY.published else None
except UserError as error:
    raise WorkflowError(str(error)) from None

FIGURES = [
    "fig1_views",
    "fig2_game",
    "fig3_tax",
    "fig4_ratio_gap",
    *(["fig5_cascade", "fig_stage_overlap"] if STUDY.judging.judge else []),
    "fig_themes",
    "fig_theme_stability",
    *(["fig6_arms"] if len(CLAUSES) > 1 else []),
    *(["fig7_pairs"] if STUDY.pairs else []),
    "fig_prediction",
    "fig_caps",
    *(["fig_published_gaps"] if PUBLISHED and PUBLISHED.ratio_gaps else []),
    "fig_agreement",
]
FIGURE_TASKS = [
    next(name for name in PLAYED if TASKS[name] == family) for family in FAMILIES
]

if RUNNING and CALLS_ALLOWED and not CONFIG.replay_only:
    try:
        check_keys(MODELS, used_models(CONFIG))
    except UserError as error:
        raise WorkflowError(str(error)) from None


wildcard_constraints:
    arm=SLUG_PATTERN,
    team=SLUG_PATTERN,
    mode="|".join(["solo_full", "solo_split", "collab"]),
    family="|".join(dict.fromkeys(TASKS.values())),
    task="|".join(TASKS),
    batch="[0-9]+",


def size_of(task):
    """The size of a task's instances."""
    return STUDY.sizes.get(task, STUDY.size)


def tasks_of(family):
    """The played tasks of a family, in the order of the registry."""
    return [name for name in PLAYED if TASKS[name] == family]


def planned(**more):
    """What was planned, as the statistics need it, with more of the configuration where asked for."""
    return {
        "arms": list(CLAUSES),
        "arm_models": STUDY.arm_models or STUDY.models,
        "teams": list(TEAMS.values()),
        "modes": STUDY.modes,
        "tasks": {name: TASKS[name] for name in PLAYED},
        "batches": BATCHES,
        "rollouts": STUDY.rollouts,
        "statistics": STUDY.statistics.model_dump(),
        "simulated": {
            name: MODELS[name].simulated for team in TEAMS.values() for name in team
        },
    } | more


def baseline(**more):
    """What was planned in the baseline, for statistics that no other arm has a part in."""
    return planned(arms=[BASELINE], arm_models=[], **more)


def homogeneous(*modes):
    """The plan of single models in the baseline, in some of the modes."""
    return baseline(teams=SINGLE, modes=[mode for mode in STUDY.modes if mode in modes])


def relayed(*arms, **more):
    """The plan of the relays, with other arms where asked for."""
    return planned(arms=[*arms, *RELAYS], arm_models=[], relays=RELAYS, **more)


def asked_alone(**more):
    """The plan of the conversations whose agents are each asked alone at the end."""
    modes = [mode for mode in STUDY.modes if mode == "collab"]
    return baseline(teams=[[name] for name in STUDY.ask_alone], modes=modes, **more)


def conversations(**more):
    """The plan of the conversations that are judged: of single models with themselves, in the baseline."""
    modes = [mode for mode in STUDY.modes if mode == "collab"]
    return {
        "arms": [BASELINE],
        "teams": SINGLE,
        "modes": modes,
        "tasks": {name: TASKS[name] for name in PLAYED},
        "batches": BATCHES,
        "rollouts": STUDY.rollouts,
    } | more


# The model that makes each of these stages; null: the stage is left out.
READ_BY_MODELS = {
    "judgements": STUDY.judging.judge,
    "descriptions": STUDY.descriptions.describer,
    "embeddings": STUDY.descriptions.describer and STUDY.themes.embedder,
    "names": STUDY.descriptions.describer and STUDY.themes.namer,
}


def read_by_models(stage):
    """What models make of the conversations: the files of a stage, none where no model is named for it."""
    return artifacts(DATA, stage, conversations()) if READ_BY_MODELS[stage] else []


# The stages of this run, in run order.
STAGES = [
    *[*PER_TASK, *SHARDED, SHAPE, "samples"],
    *filter(read_by_models, ["judgements", "descriptions", "embeddings"]),
    *["themes", *filter(read_by_models, ["names"])],
]


def all_of(stage):
    """Every planned file of a stage."""
    return artifacts(DATA, stage, planned())


def planted_profiles():
    """The planted rates of the simulated models whose conversations are judged."""
    names = [name for (name,) in conversations()["teams"] if STUDY.judging.judge]
    return {
        name: MODELS[name].profile.model_dump()
        for name in names
        if MODELS[name].simulated
    }


def planted_conversations():
    """Views and rollouts of the simulated teams whose conversations are judged."""
    plan = conversations(teams=[[name] for name in planted_profiles()])
    return (
        [*artifacts(DATA, "views", plan), *artifacts(DATA, "rollouts", plan)]
        if plan["teams"]
        else []
    )


def missing_offline():
    """What models make and is not there; Snakemake would silently keep the statistics made without it."""
    called = ["rollouts", *filter(read_by_models, READ_BY_MODELS)]
    made = [path for stage in called for path in all_of(stage)]
    made += artifacts(DATA, "rollouts", relayed())
    made += artifacts(DATA, ALONE, asked_alone())
    return [] if CALLS_ALLOWED else [path for path in made if not path.exists()]


def of_family(stage, wildcards):
    """The files that a batch of a family needs of a stage with one file a task and batch."""
    tasks = dict.fromkeys(tasks_of(wildcards.family))
    return artifacts(DATA, stage, {"tasks": tasks, "batches": [wildcards.batch]})


def first_batch(stage):
    """The files of a stage that hold the instances of Figure 1."""
    return artifacts(DATA, stage, {"tasks": FIGURE_TASKS, "batches": BATCHES[:1]})


def batch_range(wildcards):
    """First and last (exclusive) instance of a batch. The total is not in it: more rollouts add batches."""
    first = int(wildcards.batch) * STUDY.batch_size
    return {"first": first, "last": min(first + STUDY.batch_size, STUDY.rollouts)}


def collaboration_pages():
    """The report, and the kit that it links to."""
    return [REPORTS / "report.html", REPORTS / "annotation_kit.html"]


def collaboration_figures():
    """Every figure in every format."""
    return [
        REPORTS / "figures" / f"{stem}.{form}" for stem in FIGURES for form in FORMATS
    ]


def collaboration_tables():
    """Every table of the report."""
    return [REPORTS / "tables" / name for name in FILES]


def collaboration_files():
    """Everything that the study makes."""
    statistics = [
        DATA / "statistics" / "task_properties.parquet",
        DATA / "manifest.csv",
    ]
    shown = [*collaboration_pages(), *collaboration_figures(), *collaboration_tables()]
    return [*shown, *statistics]


def describe_models():
    """What the report says about each model: where it was, what was sent or which rates were planted."""
    names = dict.fromkeys(
        [
            *(name for team in TEAMS.values() for name in team),
            *STUDY.readers.values(),
        ]
    )
    wanted = {"base_url", "served_name", "parameters", "profile"}
    return {
        name: MODELS[name].model_dump(include=wanted)
        | {"simulated": MODELS[name].simulated}
        for name in names
    }


def clause_texts(arm):
    """The texts of an arm's clauses, in their order."""
    return [clause_text(clause, STUDY.clauses) for clause in CLAUSES.get(arm, ())]


def of_team(stage):
    """The files of a stage that hold one team's conversations, and what they are about."""
    return lambda wildcards: artifacts(
        DATA, stage, conversations(teams=[TEAMS[wildcards.team]])
    )


def published(topic):
    """The published numbers of a topic, for the jobs that show them; None where there are none."""
    found = getattr(PUBLISHED, topic, None)
    return found.model_dump() if found else None


def beside_published(*topics):
    """Published numbers by topic, whose they are, and which of them belong to which model of this run."""
    names = PUBLISHED.models() if PUBLISHED else []
    played = dict.fromkeys(name for team in TEAMS.values() for name in team)
    matched = {
        name: published_name([name, MODELS[name].served_name], names) for name in played
    }
    about = {"study": PUBLISHED.study if PUBLISHED else None, "matched": matched}
    return about | {topic: published(topic) for topic in topics}


def figure(stem, caption):
    """The files of one of the study's figures."""
    return figure_files(REPORTS / "figures", stem, caption, "Collaboration tax")


if missing := missing_offline():
    raise WorkflowError(
        f"offline is set, but {len(missing)} of the planned tables that take calls are missing, the first is "
        f"{missing[0]}. Run them with offline: false, or plan less."
    )
