"""A small study in a copy of the repository, run through Snakemake as a user runs it."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import yaml

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("Snakefile", "workflow", "profiles", "config", "tasks", "scripts", "envs", "tests/recorded")

# The target of whoever needs every table and no figure, which takes half the time.
TABLES = "data/collaboration/manifest.csv"

SMALL = {
    "tasks": ["maze", "treesum"],
    "size": "tiny",
    "models": ["simulated-middle"],
    "pairs": [],
    "relays": [],
    "ask_alone": [],
    "arms": [],
    "arm_models": None,
    "modes": ["solo_full", "collab"],
    "rollouts": 4,
    "batch_size": 4,
    "statistics": {"resamples": 200},
    "themes": {"k_range": [4, 5], "resamples": 2},
    "prediction": {"bootstraps": 100, "permutations": 100},
    "properties": {"instances": 4},
}


class Study:
    """A folder with the pipeline and a configuration on top of config/config.yaml."""

    def __init__(self, folder: Path, **collaboration) -> None:
        self.folder = folder
        if not folder.exists():
            for name in COPIED:
                source, target = ROOT / name, folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                if source.is_dir():
                    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
                elif source.exists():
                    shutil.copy(source, target)
        self.configure(**collaboration)

    def configure(self, **collaboration) -> None:
        """Write the configuration: SMALL with changes."""
        self.top = {"collaboration": SMALL | collaboration, "handoff": None}
        self.write("config/study.yaml", yaml.safe_dump(self.top))

    @classmethod
    def shared(cls, tmp_path_factory, name: str, make: Callable[[Study], None]) -> Study:
        """The study of a name, made once for all test processes; copy it before changing anything."""
        folder = tmp_path_factory.getbasetemp()
        folder = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
        made = folder / f"{name}.yaml"  # written last
        with (folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.exists():
                study = cls(folder / name)
                make(study)
                made.write_text(yaml.safe_dump(study.top), encoding="utf-8")
            study = cls.__new__(cls)
            study.folder, study.top = folder / name, yaml.safe_load(made.read_text(encoding="utf-8"))
            return study

    def copy(self, folder: Path) -> Study:
        """The same study with all its artifacts in another folder."""
        shutil.copytree(self.folder, folder)
        study = Study.__new__(Study)
        study.folder, study.top = folder, self.top
        return study

    def write(self, path: str, text: str) -> None:
        """Write a file of the study."""
        (self.folder / path).write_text(text, encoding="utf-8")

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace a text that must be there."""
        text = (self.folder / path).read_text(encoding="utf-8")
        assert old in text, f"{path} holds no {old!r}"
        self.write(path, text.replace(old, new))

    def command(self, *arguments: str, config: str = "config/study.yaml") -> list[str]:
        """The command line of a run."""
        snakemake = str(Path(sys.executable).with_name("snakemake"))
        return [snakemake, *arguments, "--configfile", config]

    def run(self, *arguments: str, fails: bool = False, config: str = "config/study.yaml", **env: str) -> str:
        """Run Snakemake; returns what it printed."""
        result = subprocess.run(
            self.command(*arguments, config=config),
            cwd=self.folder,
            env=os.environ | env,
            capture_output=True,
            text=True,
            check=False,
            timeout=1800,
        )
        output = result.stdout + result.stderr
        assert (result.returncode != 0) == fails, output[-6000:]
        return output

    def jobs(self, *arguments: str, **env: str) -> dict[str, int]:
        """What a run would do: jobs by rule, without ``all``."""
        output = self.run("-n", *arguments, **env)
        table = output.partition("Job stats:")[2].partition("Reasons:")[0]
        assert table or "Nothing to be done" in output, output[-6000:]
        counts = {name: int(count) for name, count in re.findall(r"^(\w+) +(\d+)$", table, re.MULTILINE)}
        return {name: count for name, count in counts.items() if name not in ("all", "total")}

    def tables(self, data: str = "data") -> dict[str, bytes]:
        """The bytes of every Parquet artifact, by path; of the task properties, all but the timing."""
        folder = self.folder / data / "collaboration"
        tables = {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*.parquet"))}
        timed = "statistics/task_properties.parquet"
        if timed in tables:
            tables[timed] = repr(pq.read_table(folder / timed).drop(["seconds"]).to_pylist()).encode()
        return tables

    def rows(self, stage: str, data: str = "data") -> list[dict]:
        """All rows of a stage."""
        folder = self.folder / data / "collaboration" / stage
        return [row for path in sorted(folder.rglob("*.parquet")) for row in pq.read_table(path).to_pylist()]

    def outcomes(self) -> Counter:
        """How the rollouts ended."""
        return Counter(row["outcome"] for row in self.rows("rollouts"))


TAXES = {
    "estimate_cells": 1,
    "estimate_tax": 1,
    "compare_arms": 1,
    "estimate_caps": 1,
    "estimate_critic": 1,
    "compare_relays": 1,
    "estimate_alone": 1,
    "draw_caps": 1,
    "compare_pairs": 1,
    "estimate_game_values": 1,
    "draw_game": 1,
    "draw_tax": 1,
    "draw_ratio_gap": 1,
    "draw_published_gaps": 1,
    "fit_ridge": 1,
    "draw_prediction": 1,
    "write_tables": 1,
    "write_report": 1,
    "write_manifest": 1,
}
# Statistics of the baseline and of relays; other arms change all else of the taxes.
NO_ARMS = (
    "compare_pairs",
    "estimate_game_values",
    "draw_game",
    "estimate_caps",
    "estimate_critic",
    "draw_caps",
)
NO_ARMS += ("compare_relays", "estimate_alone")
ARM_STATISTICS = {rule: jobs for rule, jobs in TAXES.items() if rule not in NO_ARMS}
STAGES = {
    "estimate_stages": 1,
    "recover_stages": 1,
    "draw_cascade": 1,
    "draw_stage_overlap": 1,
    "measure_agreement": 1,
    "draw_agreement": 1,
}
ANALYSIS = TAXES | STAGES
SHOWN_THEMES = {"draw_themes": 1, "draw_theme_stability": 1}
THEMES = {"cluster_themes": 1, "estimate_themes": 1} | SHOWN_THEMES
READ = {"judge_stages": 1, "describe_failures": 1, "write_annotation_kit": 1, "simulate_raters": 1}
FOLLOWING = ANALYSIS | THEMES | READ | {"select_rollouts": 1}
# The words of docs/reruns.md: analysis is what a statistic makes run, the last what new grades do.
GROUPS = {
    "what arms change": ARM_STATISTICS,
    "the taxes": TAXES,
    "the stages": STAGES,
    "the themes": THEMES,
    "analysis": ANALYSIS,
    "what follows": FOLLOWING,
}
