"""The finished small study that the tests copy, and a real endpoint on loopback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hostile.server import HostileServer
from tests.pipeline.study import Study


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> Study:
    """A study that was run once; copy it before changing anything."""
    return Study.shared(tmp_path_factory, "finished", lambda study: study.run("--cores", "2"))


@pytest.fixture
def study(finished, tmp_path) -> Study:
    """A finished study of this test's own."""
    return finished.copy(tmp_path / "study")


@pytest.fixture
def server():
    """A fresh endpoint without faults, which keeps its requests."""
    with HostileServer().in_thread() as running:
        yield running


def over_http(study: Study, url: str, name: str = "served") -> None:
    """Give the study a model behind a real endpoint, and use it."""
    entry = (
        f"\n{json.dumps(name)}:\n  base_url: {url}\n  served_name: simulated-middle\n"
        "  limits: {in_flight: 4, timeout: 20, retries: 1}\n"
    )
    path = Path("config/models.yaml")
    study.write(str(path), (study.folder / path).read_text(encoding="utf-8") + entry)
    study.configure(models=[name], grader=None)
