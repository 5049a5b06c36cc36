"""What Snakemake itself costs, before and while jobs run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SNAKEMAKE = str(Path(sys.executable).with_name("snakemake"))
JOBS = 12
SNAKEFILE = f"""
include: "engine.smk"

rule all:
    input: expand("{{number}}.txt", number=range({JOBS}))

rule wait:
    output: "{{number}}.txt"
    params: how=config["how"]
    shell: "sleep 0.4; touch {{output}}"
"""


@pytest.fixture
def folder(tmp_path):
    """A workflow of short jobs with our settings of Snakemake."""
    shutil.copy(ROOT / "workflow" / "rules" / "engine.smk", tmp_path)
    (tmp_path / "Snakefile").write_text(SNAKEFILE, encoding="utf-8")
    return tmp_path


def snakemake(folder, *options, how="so", **env):
    """Run it; returns what it said."""
    command = [SNAKEMAKE, *options, "--cores", "1", "--scheduler", "greedy", "--config", f"how={how}"]
    ran = subprocess.run(
        command, cwd=folder, env=os.environ | env, capture_output=True, text=True, check=True
    )
    return ran.stdout + ran.stderr


def test_rounds_of_scheduling_follow_the_jobs_and_not_the_clock(folder):
    said = snakemake(folder, "--verbose")
    assert len(list(folder.glob("*.txt"))) == JOBS
    assert said.count("Ready jobs: ") <= JOBS + 2


def test_a_start_imports_no_pandas_and_still_notices_a_parameter(folder):
    snakemake(folder, "0.txt")
    said = snakemake(folder, "0.txt", "-n", PYTHONPROFILEIMPORTTIME="1")
    assert "snakemake.persistence" in said and "Nothing to be done" in said
    assert not re.search(r"\| +pandas\b", said)
    assert "params have changed" in snakemake(folder, "0.txt", "-n", how="otherwise").lower()
