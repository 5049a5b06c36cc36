"""What Snakemake itself costs while jobs run."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
JOBS = 12
SNAKEFILE = f"""
include: "engine.smk"

rule all:
    input: expand("{{number}}.txt", number=range({JOBS}))

rule wait:
    output: "{{number}}.txt"
    shell: "sleep 0.4; touch {{output}}"
"""


def test_rounds_of_scheduling_follow_the_jobs_and_not_the_clock(tmp_path):
    shutil.copy(ROOT / "workflow" / "rules" / "engine.smk", tmp_path)
    (tmp_path / "Snakefile").write_text(SNAKEFILE, encoding="utf-8")
    command = [
        Path(sys.executable).with_name("snakemake"),
        "--cores",
        "1",
        "--scheduler",
        "greedy",
        "--verbose",
    ]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert len(list(tmp_path.glob("*.txt"))) == JOBS
    assert ran.stderr.count("Ready jobs: ") <= JOBS + 2
