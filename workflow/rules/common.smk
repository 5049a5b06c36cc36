# The checked configuration, shared by all studies. Nothing here reads or writes an artifact.
import fcntl
import json
import os
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

# The folder of the pipeline; workflow.basedir is another one where this is a module of another workflow.
HOME = Path(str(workflow.current_basedir)).parents[1]
if not (HOME / "scripts").is_dir():
    raise WorkflowError(
        "the pipeline runs from a clone: name the path of its Snakefile on this machine, not a URL"
    )

# Jobs run `python -m scripts...` with this interpreter, from wherever Snakemake was started.
os.environ.update(
    PATH=os.pathsep.join([str(Path(sys.executable).parent), *os.get_exec_path()]),
    PYTHONPATH=str(HOME),
)
sys.path.insert(0, str(HOME))

from scripts.config import load_config, used_models
from scripts.lib.agents import account
from scripts.lib.agents.ledger import spent
from scripts.lib.agents.models import check_keys
from scripts.lib.dryrun import only_looks
from scripts.lib.errors import UserError
from scripts.lib.names import resource_name, SLUG_PATTERN, slug, team_slug

# The files as they are laid over each other: the last one wins, as in Snakemake.
LAID_OVER = [Path(file).absolute() for file in workflow.overwrite_configfiles]
FILES = [Path(file).absolute() for file in workflow.configfiles]
FILES = [file for file in FILES if file not in LAID_OVER] + LAID_OVER

try:
    CONFIG, MODELS = load_config(
        config, [Path(os.path.relpath(file)) for file in FILES]
    )
except UserError as error:
    raise WorkflowError(str(error)) from None

# Whoever only looks (a dry run, the plan, the power) begins no run and needs no key.
LOOKING = ("plan", "plan_handoff", "estimate_power", "check_intervals")
RUNNING = not only_looks(
    sys.argv[1:], [workflow.modifier.modify_rulename(name) for name in LOOKING]
)

# One run at a time in a folder. The system drops this lock when a run is killed, unlike Snakemake's own,
# so that the same command simply goes on (the profile sets nolock).
if workflow.is_main_process and RUNNING:
    Path(".snakemake").mkdir(exist_ok=True)
    RUN_LOCK = open(".snakemake/run.lock", "w")
    try:
        fcntl.flock(RUN_LOCK, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise WorkflowError(
            "another run is at work in this folder; wait for it or stop it"
        ) from None

ENVIRONMENT = str(HOME / "envs" / "pipeline.yaml")
CALLS_ALLOWED = not CONFIG.offline
# The real models that this configuration calls.
CALLED = [name for name in used_models(CONFIG) if not MODELS[name].simulated]
# How a job reaches models; no parameter, because it decides no row.
RUN_STATE = Path(CONFIG.ledger[0]) / account.NAME
HOW = json.dumps(
    {
        "models_file": CONFIG.models_file,
        "ledger": CONFIG.ledger,
        "replay_only": CONFIG.replay_only or CONFIG.offline,
        "state": str(RUN_STATE),
    }
)


def literal(text):
    """A text as a part of a shell command in which Snakemake fills in nothing."""
    return shlex.quote(text).replace("{", "{{").replace("}", "}}")


CALL_OPTIONS = f"--calls {literal(HOW)}"
# The prices in it are a parameter where they decide a row; its name is none, so that a study may be moved.
MODELS_OPTION = f"--models-file {literal(CONFIG.models_file)}"


def spent_so_far():
    """US dollars that were paid before this run; nobody asks without a budget."""
    return spent(Path(CONFIG.ledger[0]), MODELS) if CONFIG.budget else 0.0


# Jobs of this run share its budget; a job left over from an earlier run stops.
if workflow.is_main_process and RUNNING and CALLS_ALLOWED and not CONFIG.replay_only:
    try:
        account.open_run(RUN_STATE, CONFIG.budget, spent_so_far())
    except UserError as error:
        raise WorkflowError(str(error)) from None


onerror:
    # A run that ran out of money ends with an exit code of its own: 3 no credit, 4 the budget.
    if RUNNING and (stopped := account.read_stop(RUN_STATE)):
        print(f"the run was stopped: {stopped[1]}", file=sys.stderr)
        sys.exit(stopped[0])


def as_job(**job):
    """The one parameter of a job: its slice of the configuration and the code that decides its rows, as JSON."""
    return json.dumps(job)


FORMATS = ["pdf", "svg", "png"]


def figure_files(folder, stem, caption, category):
    """A figure's files; the SVG carries the caption into Snakemake's own report."""
    svg = report(folder / f"{stem}.svg", caption=caption, category=category)
    return [svg, *(folder / f"{stem}.{form}" for form in FORMATS if form != "svg")]


def calling(models_of):
    """Resources where models are called. A job takes one for each real model that it calls.

    So all jobs of a run together stay inside the limits of models.yaml, on one machine or on a cluster.
    """

    def takes(name):
        return lambda wildcards: int(name in models_of(wildcards))

    return {resource_name(name): takes(name) for name in CALLED}


for name in CALLED:
    if resource_name(name) not in workflow.global_resources:
        workflow.register_resource(resource_name(name), MODELS[name].limits.shares)
