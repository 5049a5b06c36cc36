"""The documents say what is there."""

import re
import subprocess
from pathlib import Path

from scripts.write_gallery import GALLERY, gallery
from tasks import TASKS

ROOT = Path(__file__).resolve().parents[1]


def tracked(*patterns: str) -> list[Path]:
    """The files of the repository, as git knows them, or as they lie there outside of git."""
    found = subprocess.run(
        ["git", "ls-files", "--", *patterns], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    return [ROOT / name for name in found] or [p for pattern in patterns for p in ROOT.rglob(pattern)]


def test_the_gallery_is_what_the_tasks_generate():
    assert GALLERY.read_text(encoding="utf-8") == gallery(), "run `make gallery`"
    assert all(f"### {name}\n" in GALLERY.read_text(encoding="utf-8") for name in TASKS)


def test_the_snakefile_fits_one_screen():
    assert len((ROOT / "Snakefile").read_text(encoding="utf-8").splitlines()) <= 40


def test_files_are_short():
    for path in tracked("*.py", "*.smk"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path


def test_every_rule_has_its_script_and_stands_in_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rules = [
        name
        for path in (ROOT / "workflow" / "rules" / "collaboration").glob("*.smk")
        for name in re.findall(r"^\s*rule (\w+):", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert len(rules) >= 12
    for name in rules:
        assert (ROOT / "scripts" / "collaboration" / f"{name}.py").is_file()
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
