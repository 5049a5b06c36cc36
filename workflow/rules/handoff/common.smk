# What the study runs, from its block of the configuration, and where its artifacts lie; then its stages.
from scripts.handoff import code as handoff_code
from scripts.handoff.layout import pilot_files
from scripts.lib.manifest import REPORTED
from scripts.handoff.published import load_published as load_published_handoff

HANDOFF = CONFIG.handoff  # null: the study is left out
HANDOFF_DATA = Path(CONFIG.data_dir) / "handoff"
HANDOFF_REPORTS = Path(CONFIG.reports_dir) / "handoff"
STYLISED = ["single_against_chunks", "regimes", "voting"]
PILOT = HANDOFF and HANDOFF.pilot  # null: the pilot is left out
PILOT_STATISTICS = {
    "loads": HANDOFF_DATA / "statistics" / "pilot.parquet",
    "hinges": HANDOFF_DATA / "statistics" / "pilot_hinges.parquet",
}
HANDOFF_MODELS = {slug(name): name for name in (HANDOFF.called if HANDOFF else [])}
try:
    HANDOFF_PUBLISHED = load_published_handoff(
        Path(HANDOFF.published) if HANDOFF and HANDOFF.published else None
    )
except UserError as error:
    raise WorkflowError(str(error)) from None


wildcard_constraints:
    model=SLUG_PATTERN,


include: "ledger_jobs.smk"


HANDOFF_FIGURES = [
    *STYLISED,
    *(["pilot"] if PILOT else []),
    *(["ledger"] if LEDGER else []),
]


def stylised_job(stem, *names):
    """What a figure of the model is computed from."""
    return as_job(
        **HANDOFF.stylised.model_dump(include=set(names)),
        code=handoff_code.stage_code(f"draw_{stem}"),
    )


def all_of_pilot():
    """Every file of the pilot's calls."""
    pilot = PILOT.model_dump() if PILOT else None
    names = HANDOFF.pilot_models if PILOT else []
    return [path for name in names for path in pilot_files(HANDOFF_DATA, name, pilot)]


def pilot_job(wildcards):
    """What decides a batch of the pilot. The number of problems is not in it: more of them add batches."""
    name = HANDOFF_MODELS[wildcards.model]
    first = int(wildcards.batch) * PILOT.batch_size
    return as_job(
        model=name,
        first=first,
        last=min(first + PILOT.batch_size, PILOT.problems),
        seed=HANDOFF.seed,
        **PILOT.model_dump(include={"calls", "steps", "loads"}),
        identity=MODELS[name].identity(name),
        code=handoff_code.pilot_code(MODELS[name].simulated),
    )


def fit_pilot_job():
    """What decides the pilot's statistics, besides its calls."""
    return as_job(
        models={name: MODELS[name].simulated for name in HANDOFF.pilot_models},
        pilot=PILOT.model_dump(include={"problems", "calls", "loads", "batch_size"}),
        statistics=HANDOFF.statistics.model_dump(),
        code=handoff_code.stage_code("fit_pilot"),
    )


if HANDOFF and not CALLS_ALLOWED:
    needed = all_of_pilot() + all_of_ledger("trajectories", "handoffs", "chains")
    if missing := [path for path in needed if not path.exists()]:
        raise WorkflowError(
            f"offline, and {len(missing)} files of calls are missing, the first is {missing[0]}. "
            "Run them with offline: false, or plan less."
        )


def handoff_figure(stem):
    """The files of one of the study's figures."""
    caption = f"../../report/handoff/{stem}.rst"
    return figure_files(
        HANDOFF_REPORTS / "figures", stem, caption, "Attention tax, handoff tax"
    )


def handoff_files():
    """Everything that the study makes: its page, figures and tables."""
    if not HANDOFF:
        return []
    stems = [HANDOFF_REPORTS / "figures" / stem for stem in HANDOFF_FIGURES]
    figures = [f"{stem}.{form}" for stem in stems for form in FORMATS]
    pages = [HANDOFF_REPORTS / "report.html", HANDOFF_DATA / "manifest.csv"]
    return [*pages, *figures, *handoff_tables()]


def printed_tables(stems):
    """Tables of the report as CSV and LaTeX."""
    folder = HANDOFF_REPORTS / "tables"
    return [folder / f"{stem}.{form}" for stem in stems for form in ("csv", "tex")]


def handoff_tables():
    """Every table of the report."""
    stems = [
        *(["pilot", "pilot_hinges"] if PILOT else []),
        *(LEDGER_TABLES if LEDGER else []),
    ]
    return printed_tables(stems)


def handoff_data():
    """Every table of the study's data."""
    pilot = [*all_of_pilot(), *PILOT_STATISTICS.values()] if PILOT else []
    if not LEDGER:
        return pilot
    played = all_of_ledger("trajectories", "handoffs", "chains")
    return [*pilot, *played, *predictions(), *statistics_of(*LEDGER_TABLES).values()]


def named_tables():
    """All tables by their names in the manifest."""
    made = [path.relative_to(HANDOFF_DATA).as_posix() for path in handoff_data()]
    return [*made, *(f"{REPORTED}tables/{path.name}" for path in handoff_tables())]


def plan_handoff_job():
    """What decides the calls of the study; nothing where it is left out."""
    return as_job(
        seed=HANDOFF.seed if HANDOFF else 0,
        pilot=PILOT.model_dump() if PILOT else None,
        ledger=LEDGER.model_dump() if LEDGER else None,
        pilot_models=HANDOFF.pilot_models if HANDOFF else [],
        models=HANDOFF.models if HANDOFF else [],
    )


include: "plan.smk"


if HANDOFF:

    include: "stylised.smk"

    if PILOT:

        include: "pilot.smk"

    if LEDGER:

        include: "ledger.smk"
    include: "reports.smk"
