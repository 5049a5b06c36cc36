# The checked configuration, shared by all studies. Nothing here reads or writes an artifact.
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
from scripts.lib.names import SLUG_PATTERN, team_slug

try:
    CONFIG, MODELS = load_config(config, [Path(file) for file in workflow.configfiles])
except UserError as error:
    raise WorkflowError(str(error)) from None

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
