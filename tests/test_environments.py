"""The recipes in envs/ install the locked list, on a Python that the project supports."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from scripts.lib.codehash import ROOT
from tests.test_docs import tracked

ENVS = ROOT / "envs"


@pytest.mark.parametrize("recipe", ["Dockerfile", "pipeline.def"])
def test_an_image_installs_the_locked_list(recipe):
    text = (ENVS / recipe).read_text(encoding="utf-8")
    copied = re.search(r"^ *(?:COPY |envs/)pipeline\.txt (\S+)$", text, re.MULTILINE)
    installed = re.search(r"pip install .*--require-hashes -r (\S+)$", text, re.MULTILINE)
    assert copied and installed and copied[1] == installed[1]


def test_all_recipes_take_one_supported_python_and_name_no_host():
    said = {}
    for recipe in ("Dockerfile", "pipeline.def"):
        (base,) = re.findall(
            r"^F(?:ROM|rom:) (.+)$", (ENVS / recipe).read_text(encoding="utf-8"), re.MULTILINE
        )
        said[recipe] = re.fullmatch(r"python:(3\.\d+)-slim", base)[1]  # no host, no other owner
    conda = yaml.safe_load((ENVS / "pipeline.yaml").read_text(encoding="utf-8"))
    said["pipeline.yaml"] = conda["dependencies"][0].removeprefix("python =")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    least = re.search(r'requires-python = ">=3\.(\d+)"', project)[1]
    assert len(set(said.values())) == 1, said
    assert int(said["Dockerfile"].removeprefix("3.")) >= int(least)


def test_the_conda_environment_gets_the_locked_list_wherever_snakemake_puts_its_script(tmp_path):
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    script = tmp_path / "copied.post-deploy.sh"
    script.write_bytes((ENVS / "pipeline.post-deploy.sh").read_bytes())
    env = {"PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(["sh", script], cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    said = ran.stdout.split("\n")
    assert said[:4] == ["-m", "pip", "install", "--require-hashes"]
    assert Path(said[5]).samefile(ENVS / "pipeline.txt")


def test_every_rule_names_its_environment():
    for path in tracked("workflow/rules/collaboration/*.smk"):
        text = path.read_text(encoding="utf-8")
        rules = len(re.findall(r"^\s*rule \w+:", text, re.MULTILINE))
        assert text.count("ENVIRONMENT\n") == rules, path


def test_the_catalogue_finds_what_it_asks_for():
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text(encoding="utf-8"))["usage"]
    assert set(usage) == {"mandatory-flags", "software-stack-deployment", "report"}
    assert any(usage["software-stack-deployment"].values())
    profile = usage["mandatory-flags"]["flags"].partition("clone/")[2]
    for name in ("workflow/Snakefile", "config/README.md", "LICENSE", "README.md", profile):
        assert (ROOT / name).exists(), name
    readme = (ROOT / "README.md").read_text(encoding="utf-8").lower()
    assert "snakemake" in readme and "workflow" in readme
