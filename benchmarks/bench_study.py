"""The whole study at full size, from nothing to its report: ``make bench-study``, a tenth with ``--quick``.

It runs ``config/paper.yaml`` (simulated agents) in a copy of the repository and prints what that takes beside
what is aimed at. Wall time is that of this machine as it is; CPU seconds count all processes of a run.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from threading import Event, Thread

import psutil
import yaml

from scripts.collaboration.schemas import CELLS
from scripts.lib.tables import read_rows

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("Snakefile", "workflow", "profiles", "config", "tasks", "scripts", "envs")
SNAKEMAKE = str(Path(sys.executable).with_name("snakemake"))
PAPER = "config/paper.yaml"
GROWN = "simulated/gpt-4o-mini"  # the model that is run once with the rollouts, once with ten times as many
REPEATS = 5
EMPTY = "rule all:\n    input:\n        [],\n"


@dataclass
class Run:
    """What a command took: wall and CPU seconds, and memory in MB."""

    wall: float
    cpu: float
    largest: float  # of its largest process
    together: float  # of all its processes at once, sampled; what they share counts in each


def run(folder: Path, *arguments: str, says: str = "") -> Run:
    """Run Snakemake in a folder and measure it. Exits where it fails, or does not say what it should."""
    log = folder / "output.log"
    with log.open("w", encoding="utf-8") as output:
        start = time.perf_counter()
        process = subprocess.Popen([SNAKEMAKE, *arguments], cwd=folder, stdout=output, stderr=output)
        peak = Peak(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    told = log.read_text(encoding="utf-8")
    if process.returncode or says not in told:
        sys.exit(f"{told[-3000:]}\nsnakemake {' '.join(arguments)} did not do what it should")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, peak.stop())


class Peak:
    """Samples the resident memory of a process and of all below it."""

    def __init__(self, pid: int) -> None:
        self.pid, self.bytes, self.over = pid, 0, Event()
        self.thread = Thread(target=self._sample, daemon=True)
        self.thread.start()

    def _sample(self) -> None:
        while not self.over.wait(0.2):
            try:
                root = psutil.Process(self.pid)
                alive = [root, *root.children(recursive=True)]
                self.bytes = max(self.bytes, sum(map(_resident, alive)))
            except psutil.Error:
                return

    def stop(self) -> float:
        """The peak so far, in MB."""
        self.over.set()
        self.thread.join()
        return self.bytes / 2**20


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0  # it has just ended


def copy_study(folder: Path, name: str, **collaboration: object) -> Path:
    """A copy of the pipeline; its ``over.yaml`` holds what differs from config/paper.yaml."""
    study = folder / name
    for part in COPIED:
        source, target = ROOT / part, study / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    write_over(study, "over", **collaboration)
    return study


def write_over(study: Path, name: str, **collaboration: object) -> None:
    """Write a configuration that is laid over config/paper.yaml."""
    (study / f"{name}.yaml").write_text(yaml.safe_dump({"collaboration": collaboration}), encoding="utf-8")


def bench_whole(folder: Path, batch: int) -> Path:
    """The study from nothing; prints time, memory and disk."""
    study = copy_study(folder, "whole", rollouts=batch, batch_size=batch)
    made = run(study, "--configfile", PAPER, "over.yaml")
    cells = read_rows(study / "data/paper/collaboration/statistics/cells.parquet", CELLS, ["run", "replies"])
    rollouts, replies = (sum(row[name] for row in cells) for name in ("run", "replies"))
    jobs = len(list((study / "data/paper/collaboration/logs").rglob("*.log")))
    disk = sum(path.stat().st_blocks * 512 for path in (study / "data").rglob("*")) / 1e6
    print(f"{rollouts:,} rollouts, {replies:,} replies, {jobs} jobs")
    show("from nothing to the report", f"{made.wall:.0f} s, {made.cpu:.0f} CPU s", "under 1,200 s on 2 cores")
    show(
        "memory", f"largest process {made.largest:.0f} MB, all at once {made.together:.0f} MB", "under 3 GiB"
    )
    show("data", f"{disk:.0f} MB", "under 400 MB")
    return study


def bench_again(folder: Path, study: Path) -> None:
    """Nothing to do against an empty workflow, in turn; then another number of resamples."""
    empty = folder / "empty"
    empty.mkdir()
    (empty / "Snakefile").write_text(EMPTY, encoding="utf-8")
    floor, nothing = [], []
    for _ in range(REPEATS):
        floor.append(run(empty, "-n"))
        nothing.append(run(study, "--configfile", PAPER, "over.yaml", says="Nothing to be done"))
    wall, cpu = (
        [median(getattr(taken, kind) for taken in runs) for runs in (nothing, floor)]
        for kind in ("wall", "cpu")
    )
    show(
        "nothing to do / empty workflow",
        f"{wall[0]:.1f} / {wall[1]:.1f} s = {wall[0] / wall[1]:.2f}, in CPU {cpu[0] / cpu[1]:.2f}",
        "at most 2",
    )
    write_over(study, "statistic", statistics={"resamples": 1999})
    changed = run(study, "--configfile", PAPER, "over.yaml", "statistic.yaml", says="estimate_tax")
    show("a changed statistic", f"{changed.wall:.0f} s, {changed.cpu:.0f} CPU s", "under 60 s")


def bench_analysis(study: Path) -> None:
    """All that is made of rollouts, grades, judgements and descriptions, without a call."""
    data = study / "data/paper/collaboration"
    for path in [data / "shape", data / "themes", study / "reports"]:
        shutil.rmtree(path)
    for path in (data / "statistics").glob("*.parquet"):
        if path.stem != "task_properties":  # of the tasks alone
            path.unlink()
    made = run(study, "--configfile", PAPER, "over.yaml", "--config", "offline=True", says="fit_ridge")
    show("the whole analysis, offline", f"{made.wall:.0f} s, {made.cpu:.0f} CPU s", "under 180 s on 2 cores")


def bench_growth(folder: Path, batch: int) -> None:
    """One model with one batch and with ten batches of rollouts."""
    runs = []
    for times in (1, 10):
        study = copy_study(
            folder,
            f"times{times}",
            models=[GROWN],
            rollouts=times * batch,
            batch_size=batch,
            properties={"instances": 2},
        )
        runs.append(run(study, "--configfile", PAPER, "over.yaml"))
    once, tenfold = runs
    show(
        "ten times the rollouts, one model",
        f"{once.cpu:.0f} -> {tenfold.cpu:.0f} CPU s, slope {math.log10(tenfold.cpu / once.cpu):.2f}",
        "1 is linear",
    )
    show(
        "  memory of the largest process",
        f"{once.largest:.0f} -> {tenfold.largest:.0f} MB = {tenfold.largest / once.largest:.2f}",
        "does not grow",
    )


def show(what: str, measured: str, aim: str) -> None:
    """Print one measure."""
    print(f"{what:36}{measured:52}({aim})", flush=True)


def main() -> None:
    """Print all measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the rollouts")
    batch = 5 if parser.parse_args().quick else 50
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        study = bench_whole(folder, batch)
        bench_again(folder, study)
        bench_analysis(study)
        bench_growth(folder, batch)


if __name__ == "__main__":
    main()
