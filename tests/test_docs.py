"""The documents say what is there."""

import re
import subprocess
from pathlib import Path

import pytest

from scripts.collaboration.measure_task_properties import measure_task
from scripts.write_gallery import GALLERY, SEED, gallery, read_properties
from tasks import TASKS, get_task

ROOT = Path(__file__).resolve().parents[1]


def tracked(*patterns: str) -> list[Path]:
    """The files of the repository, as git knows them, or as they lie there outside of git."""
    found = subprocess.run(
        ["git", "ls-files", "--", *patterns], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    return [ROOT / name for name in found] or [p for pattern in patterns for p in ROOT.rglob(pattern)]


def test_the_gallery_is_what_the_tasks_generate():
    assert GALLERY.read_text(encoding="utf-8") == gallery(read_properties()), "run `make gallery`"
    assert all(f"### {name}\n" in GALLERY.read_text(encoding="utf-8") for name in TASKS)


@pytest.mark.parametrize("name", TASKS)
def test_the_measured_properties_are_those_of_the_tasks(name):
    properties = read_properties()
    assert {size for task, size in properties if task == name} == set(get_task(name).sizes)
    assert all(float(properties[name, size]["floor"]) <= 0.35 for size in get_task(name).sizes)
    kept, made = properties[name, "small"], measure_task(name, "small", SEED, 40)
    assert float(kept["floor"]) == pytest.approx(made["floor"], abs=0.08)
    assert float(kept["characters_full"]) == pytest.approx(made["characters_full"], rel=0.06)


def test_the_snakefile_fits_one_screen():
    assert len((ROOT / "Snakefile").read_text(encoding="utf-8").splitlines()) <= 50


def test_files_are_short():
    for path in tracked("*.py", "*.smk"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 500, path


def test_every_rule_has_its_script_and_stands_in_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = {
        (path.parent.name, name)
        for path in (ROOT / "workflow" / "rules").glob("*/*.smk")
        for name in re.findall(r"^\s*rule (\w+):", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert {study for study, _ in found} == {"collaboration", "handoff"} and len(found) >= 16
    for study, name in found:
        # the rules without an artifact are named as they are asked for
        script = {"plan": "plan_run"}.get(name, name)
        assert (ROOT / "scripts" / study / f"{script}.py").is_file()
        assert f"`{name}`" in readme


def test_the_links_of_the_documents_lead_somewhere():
    for path in tracked("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path}: {target}"


def test_lock_files_hold_hashes_and_no_index():
    for path in (ROOT / "envs").glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert text.count("==") and "--hash=sha256:" in text
        assert not re.search(r"index-url|find-links|https?://", text), path
