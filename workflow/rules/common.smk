# The checked configuration, shared by all studies. Nothing here reads or writes an artifact.
import fcntl
import json
import os
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

# Jobs run `python -m scripts...` with this interpreter, from wherever Snakemake was started.
os.environ.update(
    PATH=os.pathsep.join([str(Path(sys.executable).parent), *os.get_exec_path()]),
    PYTHONPATH=workflow.basedir,
)
sys.path.insert(0, workflow.basedir)

from scripts.config import load_config
from scripts.lib.agents.models import check_keys
from scripts.lib.errors import UserError
from scripts.lib.names import SLUG_PATTERN, slug, team_slug

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

# One run at a time in a folder. The system drops this lock when a run is killed, unlike Snakemake's own,
# so that the same command simply goes on (the profile sets nolock).
if workflow.is_main_process and not workflow.dryrun:
    Path(".snakemake").mkdir(exist_ok=True)
    RUN_LOCK = open(".snakemake/run.lock", "w")
    try:
        fcntl.flock(RUN_LOCK, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise WorkflowError(
            "another run is at work in this folder; wait for it or stop it"
        ) from None

ENVIRONMENT = str(Path(workflow.basedir) / "envs" / "pipeline.yaml")
CALLS_ALLOWED = not CONFIG.offline
# How a job reaches models; no parameter, because it decides no row.
CALL_OPTIONS = shlex.join(
    ["--models-file", CONFIG.models_file, "--ledger", *CONFIG.ledger]
    + ["--replay-only", json.dumps(CONFIG.replay_only)]
)


def as_job(**job):
    """A rule's one parameter: its slice of the configuration and the code that decides its rows, as JSON."""
    return json.dumps(job)
