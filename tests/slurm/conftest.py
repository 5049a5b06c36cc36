"""A SLURM cluster for each test process, and studies that run on it as a user runs them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.pipeline.study import Study
from tests.slurm.cluster import Cluster, await_true, missing

SLURM_PYTHON = Path(f"{sys.prefix}-slurm") / "bin" / "python"
MODES = ("solo_full", "solo_split", "collab")
ONE_TASK = {"tasks": ["maze"], "modes": list(MODES)}

# Beside the Snakefile of a study it is loaded by every Python of a job.
FAULTS = '''
"""Faults for a test: what happens to a batch of rollouts the first time it is run."""
import json, os, sys, time
from pathlib import Path

here = Path(__file__).parent
if "scripts.collaboration.run_rollouts" in sys.orig_argv:
    output = sys.orig_argv[sys.orig_argv.index("--output") + 1]
    for mode, fault in json.loads((here / "faults.json").read_text()).items():
        mark = here / f"happened-{fault}"
        if f"/{mode}/" in output and not mark.exists():
            mark.write_text(os.environ["SLURMD_NODENAME"])
            if fault == "fails":
                os._exit(3)
            time.sleep(600)
'''


class SlurmStudy(Study):
    """A study whose runs go to a cluster."""

    cluster: Cluster

    def on(self, cluster: Cluster) -> SlurmStudy:
        """The same study on a cluster."""
        self.cluster = cluster
        return self

    def copy(self, folder: Path) -> SlurmStudy:
        """The same study with all its artifacts in another folder, on the same cluster."""
        study = SlurmStudy.__new__(SlurmStudy)
        study.__dict__ |= super().copy(folder).__dict__
        return study.on(self.cluster)

    def command(self, *arguments: str, config: str = "config/study.yaml") -> list[str]:
        """The command line of `make paper-slurm`, with a shorter patience."""
        quick = ["--slurm-init-seconds-before-status-checks", "1", "--latency-wait", "5"]
        program = [str(SLURM_PYTHON), "-m", "scripts.run_on_slurm"]
        return [*program, *arguments, *quick, "--configfile", config]

    def run(self, *arguments: str, fails: bool = False, config: str = "config/study.yaml", **env: str) -> str:
        """Run on the cluster; returns what was printed."""
        return super().run(*arguments, fails=fails, config=config, **self.cluster.environment, **env)

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a run deaf to SIGINT, as a script's ``&`` does; it prints to the file ``printed``."""
        with (self.folder / "printed").open("wb") as printed:
            return subprocess.Popen(
                ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *self.command(*arguments)],
                cwd=self.folder,
                env=os.environ | self.cluster.environment,
                stdout=printed,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def printed(self) -> str:
        """What the started run has printed so far."""
        return (self.folder / "printed").read_text(encoding="utf-8", errors="replace")

    def inject(self, **faults: str) -> None:
        """Let the rollouts of a mode meet a fault once."""
        self.write("sitecustomize.py", FAULTS)
        self.write("faults.json", json.dumps(faults))

    def await_fault(self, fault: str) -> str:
        """Wait until a fault happened; returns the node it happened on."""
        mark = self.folder / f"happened-{fault}"
        await_true(
            lambda: mark.exists() and bool(mark.read_text()), 180, f"{fault}: {self.printed()[-3000:]}"
        )
        return mark.read_text()

    def history(self) -> list[list[str]]:
        """Every job there was, as [rule and wildcards, state, time limit, memory], oldest first."""
        form = "--format=%k|%T|%l|%m|%Z"
        lines = self.cluster.run("squeue", "--noheader", "--states=all", "--sort=i", form).splitlines()
        fields = [line.strip().split("|") for line in lines]
        return [job[:4] for job in fields if job[4] == str(self.folder)]

    def active(self) -> list[str]:
        """The jobs of this study that have not ended."""
        lines = self.cluster.run("squeue", "--noheader", "--format=%j|%Z").splitlines()
        return [line for line in lines if line.strip().endswith(f"|{self.folder}")]


def shards(stage: str, *modes: str) -> list[str]:
    """The shards of a stage, as paths below the study's data."""
    return [f"{stage}/baseline/simulated-middle/{mode}/spatial/000.parquet" for mode in modes or MODES]


def targets(stage: str, *modes: str) -> list[str]:
    """The same as targets for Snakemake."""
    return [f"data/collaboration/{shard}" for shard in shards(stage, *modes)]


@pytest.fixture(scope="session")
def cluster():
    """A cluster of this process's own, so that tests may run side by side."""
    if not SLURM_PYTHON.exists():
        pytest.skip(f"there is no {SLURM_PYTHON.parent.parent}; `make test-slurm` makes it")
    if reason := missing():
        pytest.skip(reason)
    with Cluster(Path(tempfile.mkdtemp(prefix="slurm-"))) as running:
        yield running


@pytest.fixture(scope="session")
def local(tmp_path_factory, cluster) -> Study:
    """The study as it runs on this machine; made once for all test processes."""

    def make(study: Study) -> None:
        study.configure(**ONE_TASK)
        study.run("--cores", "2")

    return Study.shared(tmp_path_factory, "local", make)


@pytest.fixture(scope="session")
def begun(local, cluster, tmp_path_factory) -> SlurmStudy:
    """The study with its instances and views made; copy it before it is run."""
    study = SlurmStudy.__new__(SlurmStudy)
    study.__dict__ |= local.copy(tmp_path_factory.mktemp("begun") / "study").__dict__
    for name in ("rollouts", "answers", "grades", "statistics"):
        shutil.rmtree(study.folder / "data/collaboration" / name)
    shutil.rmtree(study.folder / "reports")
    return study.on(cluster)


@pytest.fixture
def study(begun, tmp_path) -> SlurmStudy:
    """A study of this test's own, ready for its rollouts."""
    return begun.copy(tmp_path / "study")
