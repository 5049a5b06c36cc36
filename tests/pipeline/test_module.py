"""The pipeline as a module of another workflow, with a folder and a configuration of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

import yaml
from snakemake.utils import update_config

from tests.pipeline.study import ROOT, SMALL, Study

SNAKEFILE = f"""
configfile: "config/config.yaml"

module collaboration_tax:
    snakefile: "{ROOT}/Snakefile"
    config: config["tax"]

use rule * from collaboration_tax as tax_*

rule all:
    default_target: True
    input: rules.tax_all.input, "size.txt"

rule size_of_table:
    input: rules.tax_estimate_tax.output
    output: "size.txt"
    shell: "wc -c < {{input}} > {{output}}"
"""


class Outer:
    """Another workflow's folder: its Snakefile, its configuration, the models."""

    def __init__(self, folder, **changes):
        self.folder = folder
        (folder / "config").mkdir(parents=True)
        shutil.copy(ROOT / "config" / "models.yaml", folder / "config")
        (folder / "Snakefile").write_text(SNAKEFILE, encoding="utf-8")
        block = {"data_dir": "tax/data", "reports_dir": "tax/reports", "ledger": ["tax/ledger"]}
        study = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))["collaboration"]
        update_config(study, SMALL | {"published": None} | changes)  # a module reads no file of its own
        self.config = {"mine": 1, "tax": block | {"collaboration": study}}
        (folder / "config" / "config.yaml").write_text(yaml.safe_dump(self.config), encoding="utf-8")

    def run(self, *arguments, fails=False):
        snakemake = str(Path(sys.executable).with_name("snakemake"))
        command = [snakemake, "--workflow-profile", str(ROOT / "profiles" / "default"), *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        output = done.stdout + done.stderr
        assert (done.returncode != 0) == fails, output[-4000:]
        return output


def test_a_study_as_a_module_gives_the_tables_it_gives_alone(finished, tmp_path):
    outer = Outer(tmp_path / "outer")
    plan = outer.run("tax_plan")
    assert "run_rollouts: 4 jobs: not there yet (4)" in plan
    assert not list(outer.folder.rglob("*.parquet"))
    outer.run()
    made = Study.__new__(Study)
    made.folder = outer.folder / "tax"
    assert made.tables() == finished.tables()
    assert int((outer.folder / "size.txt").read_text()) > 1000
    assert (outer.folder / "tax/reports/collaboration/report.html").is_file()
    assert {path.name for path in outer.folder.iterdir()} == {
        ".snakemake",
        "Snakefile",
        "config",
        "size.txt",
        "tax",
    }
    assert "Nothing to be done" in outer.run()
    assert "No job would run." in outer.run("tax_plan")


def test_a_mistake_in_a_modules_configuration_is_named(tmp_path):
    output = Outer(tmp_path / "outer", rolouts=3).run("-n", fails=True)
    assert 'unknown key "collaboration.rolouts"' in output and "did you mean" in output


def test_the_catalogues_snakefile_is_the_same_workflow(study):
    assert "Nothing to be done" in study.run("-n", "--snakefile", "workflow/Snakefile")
    study.configure(statistics={"resamples": 300})
    assert study.jobs("--snakefile", "workflow/Snakefile") == study.jobs()
