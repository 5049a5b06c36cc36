"""Own answers at the end: who is asked, what simulated agents say, and whether one of them knew."""

from __future__ import annotations

import json

import pytest

from scripts.collaboration.ask_alone import ask, ask_alone
from scripts.collaboration.beyond_schemas import ALONE, ASKED_ALONE
from scripts.collaboration.estimate_alone import estimate_alone
from scripts.collaboration.generate_instances import generate_instances
from scripts.collaboration.instances import optimal_answer
from scripts.collaboration.run_rollouts import read_items, run_rollouts
from scripts.collaboration.schemas import INSTANCES, ROLLOUTS
from scripts.collaboration.split_views import split_views
from scripts.lib.errors import UserError
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.statistics_cases import MODELS, SHAPE, a_job, grades_of, write_grades


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Instances, views and rollouts of a perfect simulated agent with itself."""
    folder = tmp_path_factory.mktemp("study")
    generate_instances(
        folder / "i.parquet", {"task": "maze", "size": "tiny", "seed": 1, "first": 0, "last": 4}
    )
    split_views(folder / "i.parquet", folder / "v.parquet", {"task": "maze"})
    (folder / "models.yaml").write_text(MODELS)
    calls = {
        "models_file": str(folder / "models.yaml"),
        "ledger": [str(folder / "ledger")],
        "replay_only": False,
    }
    job = {"arm": "baseline", "team": ["sim"], "mode": "collab", "family": "spatial", "critic": None}
    run_rollouts([folder / "v.parquet"], folder / "r.parquet", calls, job | {"max_exchanges": 9})
    return folder, calls


def test_each_agent_of_each_conversation_answers_and_a_perfect_one_knows(study, tmp_path):
    folder, calls = study
    ask_alone(folder / "r.parquet", [folder / "v.parquet"], tmp_path / "a.parquet", calls, {"team": ["sim"]})
    rows = read_rows(tmp_path / "a.parquet", ASKED_ALONE)
    assert [(row["index"], row["slot"]) for row in rows] == [(i, s) for i in range(4) for s in (1, 2)]
    assert all(row["outcome"] == "answered" and row["simulated"] for row in rows)
    grades = write_grades(tmp_path / "g.parquet", grades_of("sim", "collab", [0, 0, 1, 1]))
    (row,) = estimated(folder, tmp_path, grades, "sim")
    assert (row["alone_1"], row["alone_2"], row["best"], row["joint"]) == (1, 1, 1, 0.5)
    assert (row["known"], row["unknown"], row["from_best"], row["graded"]) == (0.5, 0, -0.5, 4)


def estimated(folder, made, grades, team):
    job = a_job(teams=[[team]], modes=["collab"], statistics=SHAPE | {"success": 1.0})
    estimate_alone([folder / "i.parquet"], [made / "a.parquet"], [grades], made / "s.parquet", job)
    return [row for row in read_rows(made / "s.parquet", ALONE) if row["scope"] == "all"]


def asked(instance, slot, outcome="answered", right=True, **changes):
    (answer,) = json.loads(optimal_answer(instance, "ab"[slot - 1])).values()
    row = dict.fromkeys(ASKED_ALONE.names) | {"arm": "baseline", "team": "priced", "mode": "collab"}
    row |= {"family": "spatial", "simulated": False, "slot": slot, "outcome": outcome, "text": "words"}
    row |= {name: instance[name] for name in ("task", "index", "digest")}
    return row | {"answer_text": json.dumps(answer) if right else "nothing"} | changes


def test_by_hand(study, tmp_path):
    folder, _ = study
    one, two, three, four = read_rows(folder / "i.parquet", INSTANCES)
    rows = [asked(one, 1), asked(one, 2, right=False), asked(two, 1, right=False), asked(two, 2, right=False)]
    rows += [asked(three, 1, outcome="failed"), asked(three, 2), asked(four, 1), asked(four, 2)]
    write_rows(tmp_path / "a.parquet", rows, ASKED_ALONE)
    grades = write_grades(tmp_path / "g.parquet", grades_of("priced", "collab", [0, 1, 1, 1]))
    (row,) = estimated(folder, tmp_path, grades, "priced")
    third = pytest.approx(1 / 3)
    assert (row["graded"], row["planned"]) == (3, 4)  # a failed call says nothing
    assert (row["joint"], row["best"]) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert (row["alone_1"], row["alone_2"]) == (pytest.approx(2 / 3), third)
    assert (row["known"], row["unknown"], row["from_best"]) == (third, third, 0)
    assert row["known_low"] <= row["known"] <= row["known_high"]


def test_another_instance_is_refused_when_asking_and_when_grading(study, tmp_path):
    folder, calls = study
    rollouts = [row | {"digest": "0"} for row in read_rows(folder / "r.parquet", ROLLOUTS)]
    write_rows(tmp_path / "r.parquet", rollouts, ROLLOUTS)
    with pytest.raises(UserError, match="another instance"):
        ask_alone(
            tmp_path / "r.parquet", [folder / "v.parquet"], tmp_path / "a.parquet", calls, {"team": ["sim"]}
        )
    one = read_rows(folder / "i.parquet", INSTANCES)[0]
    write_rows(tmp_path / "a.parquet", [asked(one, 1, digest="0")], ASKED_ALONE)
    grades = write_grades(tmp_path / "g.parquet", grades_of("priced", "collab", [0]))
    with pytest.raises(UserError, match="another instance"):
        estimated(folder, tmp_path, grades, "priced")


def test_each_sees_its_own_view_and_not_the_partners(study):
    folder, _ = study
    (item, *_) = read_items([folder / "v.parquet"])
    (row, *_) = read_rows(folder / "r.parquet", ROLLOUTS)
    for slot, own, other in ((1, "a", "b"), (2, "b", "a")):
        opening = ask(row["messages"], item, slot)[1]["content"]
        assert item[own].strip() in opening and item[other].strip() not in opening
