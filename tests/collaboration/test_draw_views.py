"""Figure 1: whole facts, abridged rules, nothing too wide, the same bytes twice."""

import pytest

from scripts.collaboration.draw_views import LETTERS, STEM, abridged, draw_views, wrapped
from scripts.collaboration.schemas import VIEWS
from scripts.lib.errors import UserError
from scripts.lib.tables import read_rows
from tests.collaboration.figures import check_figure
from tests.collaboration.fixtures import TASK_FAMILIES, made_up_study

JOB = {"tasks": {family: task for task, family in TASK_FAMILIES.items()}, "index": 0}


def test_draw_views(tmp_path):
    study = made_up_study(tmp_path)
    for folder in ("one", "two"):
        draw_views(study.instances, study.views, tmp_path / folder, JOB)
    svg = check_figure(tmp_path / "one", tmp_path / "two", STEM)
    assert "View A" in svg and "View B" in svg and "Full problem" in svg
    assert "simulated" not in svg  # no agent's result is in it


def test_facts_and_notation_stay_whole(tmp_path):
    for path in made_up_study(tmp_path).views:
        for row in read_rows(path, VIEWS):
            whole = row["text"].split("\n\n")[1]
            lines = abridged(row["text"])
            assert whole in "\n".join(lines)
            assert len("\n".join(lines)) < len(row["text"])
            assert max(map(len, wrapped(lines))) <= LETTERS


def test_an_index_that_is_not_there(tmp_path):
    study = made_up_study(tmp_path)
    with pytest.raises(UserError, match="no instance 99 of task maze"):
        draw_views(study.instances, study.views, tmp_path, JOB | {"index": 99})
