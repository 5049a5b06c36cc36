"""Batches of rollouts against the hostile endpoint, as the tests need them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from scripts.collaboration.generate_instances import generate_instances
from scripts.collaboration.run_rollouts import run_rollouts
from scripts.collaboration.schemas import ROLLOUTS
from scripts.collaboration.split_views import split_views
from scripts.lib.tables import read_rows
from tasks import TASKS
from tests.hostile.options import Options
from tests.hostile.record import Entry
from tests.hostile.server import ROOT, HostileServer

MODEL = "simulated-middle"
LIMITS = {"jobs": 1, "in_flight": 128, "timeout": 2, "retries": 6}

Rows = list[dict[str, Any]]


def make_views(folder: Path, task: str, count: int) -> Path:
    """The views of so many tiny instances of a task."""
    instances, views = folder / "instances" / f"{task}.parquet", folder / "views" / f"{task}.parquet"
    generate_instances(instances, {"task": task, "size": "tiny", "seed": 0, "first": 0, "last": count})
    split_views(instances, views, {"task": task})
    return views


class Runs:
    """Rollouts of one model behind a URL; each ``ledger`` is a folder of its own below ``folder``."""

    def __init__(self, folder: Path, views: list[Path], url: str, **settings: Any) -> None:
        self.folder, self.views = folder, views
        folder.mkdir(exist_ok=True)
        self.models = folder / "models.yaml"
        model = {"base_url": url, "limits": LIMITS, **settings}
        self.models.write_text(json.dumps({MODEL: model}), encoding="utf-8")

    def calls(self, ledger: str) -> dict[str, Any]:
        """How the stage reaches the model."""
        return {
            "models_file": str(self.models),
            "ledger": [str(self.folder / ledger)],
            "replay_only": False,
            "state": str(self.folder / ledger / "run.json"),
        }

    def job(self, mode: str) -> dict[str, Any]:
        """The stage's job."""
        family = TASKS[self.views[0].stem]
        job = {"arm": "baseline", "team": [MODEL], "mode": mode, "family": family}
        return job | {"critic": mode == "solo_full", "max_exchanges": 12}

    def rows(self, ledger: str, mode: str) -> Rows:
        """Run, and read what was written."""
        output = self.folder / ledger / f"{mode}.parquet"
        run_rollouts(self.views, output, self.calls(ledger), self.job(mode))
        return read_rows(output, ROLLOUTS)

    def start(self, ledger: str, mode: str, **environment: str) -> subprocess.Popen[str]:
        """The same as a process of its own."""
        command = [sys.executable, "-m", "scripts.collaboration.run_rollouts", "--views", *self.views]
        command += ["--output", self.folder / ledger / f"{mode}.parquet"]
        command += ["--calls", json.dumps(self.calls(ledger)), "--job", json.dumps(self.job(mode))]
        return subprocess.Popen(
            list(map(str, command)),
            cwd=ROOT,
            text=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=os.environ | environment,
        )


def options(**changes: Any) -> Options:
    """A hostile endpoint that is quick: waits of a tenth of a second instead of minutes."""
    return Options(**{"seed": 1, "retry_after": 0.1, "pause": 0.2, **changes})


def under_way(server: HostileServer) -> int:
    """How many chats the server is busy with."""
    return sum(where == "chat" for where, _ in server.record.under_way)


def paid(entries: list[Entry]) -> int:
    """How many final replies were delivered."""
    return sum(one.delivered and one.final for one in entries if one.where == "chat")
