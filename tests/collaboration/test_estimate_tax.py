"""The tax: hand-worked values, pairing, missing data, mixed teams and invariance."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.collaboration.estimate_tax import estimate_tax
from scripts.collaboration.schemas import TAX
from scripts.lib.tables import read_rows
from tests.collaboration.statistics_cases import SHAPE, a_job, grades_of, write_grades

Row = dict[str, Any]
TWO_TASKS = {"maze": "spatial", "cube": "spatial", "logic": "csp"}
four_scores = st.lists(st.integers(0, 64).map(lambda steps: steps / 64), min_size=4, max_size=4)


def estimates(folder: Path, job: Row, *cells: list[Row], shards: int = 1) -> list[Row]:
    paths = [
        write_grades(folder / f"grades{shard}.parquet", *(cell[shard::shards] for cell in cells))
        for shard in range(shards)
    ]
    estimate_tax(paths, folder / "tax.parquet", job)
    return read_rows(folder / "tax.parquet", TAX)


def only(rows: list[Row], **where: Any) -> Row:
    (row,) = [row for row in rows if all(row[name] == value for name, value in where.items())]
    return row


def test_one_task_by_hand(tmp_path: Path) -> None:
    rows = estimates(
        tmp_path,
        a_job(),
        grades_of("priced", "solo_full", [1, 1, 1, 0.2]),
        grades_of("priced", "solo_split", [1, 1, 0.5, 0.3]),
        grades_of("priced", "collab", [0.5, 0.5, 0.5, 0.1]),
    )
    assert [row["scope"] for row in rows] == ["task", "family", "all"]
    row = rows[0]
    assert (row["kind"], row["family"], row["task"], row["simulated"]) == (
        "homogeneous",
        "spatial",
        "maze",
        False,
    )
    assert (row["tasks"], row["planned"], row["graded"], row["dagger"]) == (1, 12, 12, False)
    values = {"solo_full": 0.8, "solo_split": 0.7, "collab": 0.4, "tax": 0.4, "ratio_gap": 0.5}
    for name, value in (values | {"alignment": 0.1, "talking": 0.3}).items():
        assert row[name] == pytest.approx(value, abs=1e-8)
        assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
    places = {"scope", "task", "family"}
    for other in rows[1:]:
        assert {k: v for k, v in other.items() if k not in places} == {
            k: v for k, v in row.items() if k not in places
        }


def test_a_difference_uses_the_indices_graded_in_both_modes(tmp_path: Path) -> None:
    rows = estimates(
        tmp_path,
        a_job(),
        grades_of("priced", "solo_full", [1, 1, 0, None]),
        grades_of("priced", "collab", [0.5, None, 0, 0.5]),
    )
    row = rows[0]
    assert row["solo_full"] == pytest.approx(2 / 3) and row["collab"] == pytest.approx(1 / 3)
    assert row["tax"] == 0.25
    assert row["ratio_gap"] == pytest.approx(0.375)
    assert (row["solo_split"], row["alignment"], row["talking"]) == (None, None, None)
    assert (row["planned"], row["graded"]) == (12, 6)


def test_families_weigh_tasks_alike_and_leave_out_those_without_a_tax(tmp_path: Path) -> None:
    cells = [
        grades_of("priced", "solo_full", [1, None, None, None], "maze"),
        grades_of("priced", "collab", [0.5, None, None, None], "maze"),
        grades_of("priced", "solo_full", [0.5] * 4, "logic"),
        grades_of("priced", "collab", [0.25] * 4, "logic"),
    ]
    rows = estimates(
        tmp_path, a_job(tasks=TWO_TASKS), *cells, grades_of("priced", "solo_full", [0] * 4, "cube")
    )
    spatial, everything = only(rows, scope="family", family="spatial"), only(rows, scope="all")
    assert (spatial["tasks"], spatial["solo_full"], spatial["tax"], spatial["planned"]) == (1, 1.0, 0.5, 24)
    assert (everything["tasks"], everything["tax"], everything["solo_full"]) == (2, 0.375, 0.75)
    cube = only(rows, task="cube")
    assert (cube["tasks"], cube["solo_full"], cube["tax"], cube["dagger"]) == (0, 0.0, None, True)
    full = estimates(
        tmp_path,
        a_job(tasks=TWO_TASKS),
        *cells,
        grades_of("priced", "solo_full", [0.5] * 4, "cube"),
        grades_of("priced", "collab", [0.5] * 4, "cube"),
    )
    assert only(full, scope="family", family="spatial")["tax"] == 0.25
    assert only(full, scope="all")["tax"] == 0.25


def test_a_missing_mode_gives_nulls_but_leaves_the_other_means(tmp_path: Path) -> None:
    rows = estimates(tmp_path, a_job(), grades_of("priced", "solo_full", [0.5] * 4))
    for row in rows:
        assert (row["tasks"], row["solo_full"], row["dagger"]) == (0, 0.5, True)
        assert row["collab"] is row["tax"] is row["tax_low"] is row["ratio_gap"] is None
    (empty, *_) = estimates(tmp_path, a_job())
    assert (empty["solo_full"], empty["dagger"], empty["graded"]) == (None, None, 0)


def test_the_ratio_is_undefined_where_solo_is_about_zero(tmp_path: Path) -> None:
    cells = [grades_of("priced", "solo_full", [0.04] * 4), grades_of("priced", "collab", [0.0] * 4)]
    row = estimates(tmp_path, a_job(), *cells)[0]
    assert (row["ratio_gap"], row["ratio_gap_low"], row["ratio_gap_high"]) == (None, None, None)
    row = estimates(tmp_path, a_job(statistics=SHAPE | {"least_solo": 0.01}), *cells)[0]
    assert row["ratio_gap"] == row["ratio_gap_low"] == 1.0


def test_a_mixed_team_is_measured_against_its_better_member_at_each_scope(tmp_path: Path) -> None:
    job = a_job(teams=[["priced"], ["sim"], ["sim", "priced"]], tasks={"maze": "spatial", "cube": "spatial"})
    cells = [
        grades_of("priced", "solo_full", [0.5] * 4, "maze"),
        grades_of("priced", "solo_full", [0.75] * 4, "cube"),
        grades_of("sim", "solo_full", [1.0] * 4, "maze"),
        grades_of("sim", "solo_full", [0.5] * 4, "cube"),
        grades_of("sim + priced", "collab", [0.25] * 4, "maze"),
        grades_of("sim + priced", "collab", [0.5] * 4, "cube"),
    ]
    rows = [row for row in estimates(tmp_path, job, *cells) if row["team"] == "sim + priced"]
    assert [(row["solo_full"], row["tax"]) for row in rows] == [(1.0, 0.75), (0.75, 0.25)] + [
        (0.75, 0.375)
    ] * 2
    for row in rows:
        assert (row["kind"], row["simulated"], row["solo_split"], row["alignment"], row["talking"]) == (
            "mixed",
            True,
            None,
            None,
            None,
        )
    assert (rows[0]["planned"], rows[0]["graded"], rows[-1]["tasks"]) == (4, 4, 2)


def test_a_mixed_team_uses_the_indices_that_both_members_and_the_pair_were_graded_on(tmp_path: Path) -> None:
    cells = [
        grades_of("priced", "solo_full", [0, 0, 1, 1]),
        grades_of("sim", "solo_full", [0.25, 0.25, None, None]),
        grades_of("sim + priced", "collab", [0] * 4),
    ]
    job = a_job(teams=[["priced"], ["sim"], ["sim", "priced"]])
    row = only(estimates(tmp_path, job, *cells), team="sim + priced", scope="task")
    assert (row["solo_full"], row["tax"]) == (0.5, 0.25)


def test_a_mixed_team_without_a_member_has_no_tax(tmp_path: Path) -> None:
    job = a_job(teams=[["priced"], ["sim", "priced"]])
    cells = [grades_of("priced", "solo_full", [1] * 4), grades_of("sim + priced", "collab", [0.5] * 4)]
    row = only(estimates(tmp_path, job, *cells), team="sim + priced", scope="all")
    assert (row["solo_full"], row["tax"], row["dagger"], row["collab"]) == (None, None, None, 0.5)


@settings(max_examples=20, deadline=None)
@given(four_scores, four_scores, four_scores)
def test_the_tax_is_alignment_plus_talking(
    full: list[float], split: list[float], collab: list[float]
) -> None:
    cells = [
        grades_of("priced", mode, scores)
        for mode, scores in zip(("solo_full", "solo_split", "collab"), (full, split, collab), strict=True)
    ]
    with TemporaryDirectory() as folder:
        row = estimates(Path(folder), a_job(), *cells)[0]
    assert row["tax"] == row["solo_full"] - row["collab"]
    assert row["tax"] == row["alignment"] + row["talking"]


def test_an_arm_is_taxed_against_the_solo_scores_of_the_baseline(tmp_path):
    cells = [
        grades_of("priced", "solo_full", [1, 1, 1, 0.5]),
        grades_of("priced", "solo_split", [1, 1, 0.5, 0.5]),
        grades_of("priced", "collab", [0, 0, 0, 0]),
        grades_of("priced", "collab", [1, 0, 0.5, 0], arm="all_four"),
    ]
    arms = {"arms": ["baseline", "all_four"], "arm_models": ["priced"]}
    rows = estimates(tmp_path, a_job(**arms), *cells)
    baseline, four = ({row["arm"]: row for row in rows if row["scope"] == "all"}[arm] for arm in arms["arms"])
    assert baseline["solo_full"] == four["solo_full"] == 0.875
    assert (baseline["tax"], four["tax"], four["talking"]) == (0.875, 0.5, 0.375)
    assert (baseline["planned"], four["planned"], four["graded"]) == (12, 4, 4)
    assert not [
        row
        for row in estimates(tmp_path, a_job(**arms | {"arm_models": ["free"]}), *cells)
        if row["arm"] != "baseline"
    ]


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False))
def test_order_of_rows_files_and_other_teams_change_nothing(random: Any) -> None:
    def scores() -> list[float | None]:
        return [random.choice([None, random.random()]) for _ in range(4)]

    cells = [
        grades_of(team, mode, scores(), task, arm)
        for team in ("priced", "free")
        for mode in a_job()["modes"]
        for task in ("maze", "logic")
        for arm in ("baseline", "all_four")
    ]
    with TemporaryDirectory() as name:
        rows = estimates(Path(name), a_job(), *cells)
        assert rows == estimates(Path(name), a_job(), *random.sample(cells, len(cells)), shards=3)
        more = a_job(
            teams=[["free"], ["priced"], ["free", "priced"]],
            tasks={"logic": "csp", "maze": "spatial"},
            arm_models=["priced", "free"],
        )
        bigger = estimates(Path(name), more | {"arms": ["all_four", "baseline"]}, *cells)
    same = [
        row
        for row in bigger
        if row["arm"] == "baseline" and row["team"] == "priced" and row["scope"] != "all"
    ]
    assert [row for row in rows if row["scope"] != "all"] == [
        row for row in same if row["family"] == "spatial"
    ]
