"""Which conversations are judged, described and annotated."""

from scripts.collaboration.layout import artifacts
from scripts.collaboration.schemas import GRADES, SAMPLES
from scripts.collaboration.select_rollouts import select_rollouts
from scripts.lib.tables import read_rows, write_rows

PLAN = {
    "arms": ["baseline"],
    "teams": [["m"], ["n"]],
    "modes": ["collab"],
    "tasks": {"maze": "spatial", "geomaze": "spatial"},
    "batches": ["000"],
    "rollouts": 10,
}


def grade(team: str, task: str, index: int, score: float | None) -> dict:
    identity = {"arm": "baseline", "team": team, "mode": "collab", "family": "spatial", "task": task}
    outcome = "failed" if score is None else "answered"
    return identity | {"index": index, "outcome": outcome, "score": score, "accepted": []}


def samples(folder, score, **sizes) -> dict[str, list[dict]]:
    """The samples of a study in which ``score`` says what each rollout (team, task, index) got."""
    for path, (team,) in zip(artifacts(folder, "grades", PLAN), PLAN["teams"], strict=True):
        rows = [grade(team, task, i, score(team, task, i)) for task in PLAN["tasks"] for i in range(12)]
        write_rows(path, rows, GRADES)
    wanted = {"judgements": 16, "descriptions": 6, "annotations": 8} | sizes
    select_rollouts(folder, folder / "samples", PLAN | {"success": 0.8, "seed": 0, "sizes": wanted})
    paths = artifacts(folder, "samples", PLAN)
    return {path.stem: read_rows(path, SAMPLES) for path in paths}


def test_every_stratum_gets_its_share_and_ungraded_rollouts_none(tmp_path):
    found = samples(tmp_path, lambda team, task, i: None if i == 0 else 0.9 if i < 4 else 0.5)
    assert len(found["judgements"]) == 16
    counts = {(row["stratum"], row["available"], row["drawn"]) for row in found["judgements"]}
    assert counts == {
        (f"{team}/{task}/{kind}", available, drawn)
        for team in "mn"
        for task in PLAN["tasks"]
        for kind, available, drawn in (("success", 3, 2), ("failure", 6, 2))
    }
    assert all(0 < row["index"] < 10 for rows in found.values() for row in rows)
    assert {row["success"] for row in found["descriptions"]} == {False}
    judged = [(row["team"], row["task"], row["index"]) for row in found["judgements"]]
    assert {(row["team"], row["task"], row["index"]) for row in found["annotations"]} <= set(judged)
    assert [row["success"] for row in found["judgements"]] == [
        row["score"] >= 0.8 for row in found["judgements"]
    ]


def test_a_study_without_failures_describes_nothing(tmp_path):
    found = samples(tmp_path, lambda team, task, i: 1.0)
    assert found["descriptions"] == [] and len(found["judgements"]) == 16
