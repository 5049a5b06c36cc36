"""What can be said about runs on SLURM without a cluster; tests/slurm/ has a real one."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PROFILES = {
    name: yaml.safe_load((ROOT / "profiles" / name / "config.yaml").read_text(encoding="utf-8"))
    for name in ("default", "slurm")
}
LEFT_OUT = {"cores"}  # of the default profile: one machine has other cores than a cluster's job


def test_the_profiles_agree_on_what_runs_again():
    shared = {key: value for key, value in PROFILES["default"].items() if key not in LEFT_OUT}
    assert shared and shared == {key: PROFILES["slurm"].get(key) for key in shared}


def test_the_profile_names_rules_and_groups_that_there_are():
    rules = {
        name
        for path in (ROOT / "workflow" / "rules").rglob("*.smk")
        for name in re.findall(r"^\s*rule (\w+):", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    profile = PROFILES["slurm"]
    assert set(profile["set-resources"]) | set(profile["groups"]) <= rules
    assert set(profile["group-components"]) <= set(profile["groups"].values())


def test_every_resource_grows_with_the_attempt():
    profile = PROFILES["slurm"]
    settings = [profile["default-resources"], *profile["set-resources"].values()]
    amounts = [amount for setting in settings for amount in setting.values()]
    assert len(amounts) >= 4 and all(str(amount).endswith("* attempt") for amount in amounts)


def test_the_environment_for_slurm_adds_the_plugin_and_nothing_else():
    """It sees the packages of the pipeline's environment, so the versions must be the same."""
    pinned = {
        name: set(re.findall(r"^([\w.-]+==[^\s;]+)", (ROOT / "envs" / name).read_text(), re.MULTILINE))
        for name in ("pipeline.txt", "slurm.txt")
    }
    assert pinned["pipeline.txt"] <= pinned["slurm.txt"]
    added = {pin.partition("==")[0] for pin in pinned["slurm.txt"] - pinned["pipeline.txt"]}
    assert added == {"snakemake-executor-plugin-slurm", "snakemake-executor-plugin-slurm-jobstep"}


def run(module: str, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, *arguments]
    environment = os.environ | env
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_without_slurm_it_says_where_to_start(tmp_path):
    done = run("scripts.run_on_slurm", PATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == "error: there is no scontrol here. Start this on a login node of a SLURM cluster.\n"


@pytest.mark.parametrize(
    ("command", "address", "said"),
    [
        (["true"], "here", "holds no {port}"),
        (["sh", "-c", "exit 3 # {port}"], "here", "ended with exit code 3"),
        (["true", "{port}"], "", "MODEL_SERVER_ADDRESS is not set"),
    ],
)
def test_a_server_that_cannot_be_reached_is_told(tmp_path, command, address, said):
    done = run("scripts.serve_on_node", *command, MODEL_SERVER_ADDRESS=address and str(tmp_path / address))
    assert done.returncode == 1
    assert said in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


SNAKEMAKE = """
import pathlib, sys, time
print("begun", flush=True)
time.sleep(2)
print("ended", flush=True)
pathlib.Path("ended").touch()
sys.exit(7)
"""


def test_it_outlives_its_terminal(tmp_path):
    """The cluster's programs and Snakemake are stand-ins here; the terminal is real."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("scontrol", "squeue", "scancel"):
        (programs / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    (tmp_path / "snakemake").mkdir()
    (tmp_path / "snakemake" / "__init__.py").touch()
    (tmp_path / "snakemake" / "__main__.py").write_text(SNAKEMAKE, encoding="utf-8")
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.environ |= {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
        os.execv(sys.executable, [sys.executable, "-m", "scripts.run_on_slurm"])
    seen = b""
    while b"begun" not in seen:
        seen += os.read(terminal, 1000)
    os.close(terminal)  # the connection is lost
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 7
    assert (tmp_path / "ended").exists() and b"ended" not in seen
    (log,) = (tmp_path / ".snakemake/slurm").glob("*.log")
    assert log.read_text(encoding="utf-8") == "begun\nended\n"
    assert f"tail -f {log.relative_to(tmp_path)}".encode() in seen
