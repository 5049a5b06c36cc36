"""Mixed pairs: hand-worked values, which members' scores, slot order, pairing and what is missing."""

import pytest

from scripts.collaboration.compare_pairs import compare_pairs
from scripts.collaboration.estimate_tax import estimate_tax
from scripts.collaboration.schemas import PAIRS, TAX
from scripts.lib.tables import read_rows
from tests.collaboration.statistics_cases import a_job, grades_of, write_grades

TEAMS = [["free"], ["priced"], ["free", "priced"], ["priced", "free"]]
TASKS = {"maze": "spatial", "cube": "spatial"}
STRONG, WEAK = "free", "priced"


def compared(folder, *cells, teams=TEAMS, tasks=TASKS):
    path = write_grades(folder / "grades.parquet", *cells)
    job = a_job(teams=teams, tasks=tasks)
    compare_pairs([path], folder / "pairs.parquet", job)
    estimate_tax([path], folder / "tax.parquet", job)
    return {
        (row["team"], row["task"] or row["family"] or "all"): row
        for row in read_rows(folder / "pairs.parquet", PAIRS)
    }


def study(task, shift=0.0):
    """Solo .9 and .3, with a copy .7 and .2, together .6 (strong first) and .5."""
    scores = {
        (STRONG, "solo_full"): 0.9,
        (WEAK, "solo_full"): 0.3,
        (STRONG, "collab"): 0.7,
        (WEAK, "collab"): 0.2,
        (f"{STRONG} + {WEAK}", "collab"): 0.6,
        (f"{WEAK} + {STRONG}", "collab"): 0.5,
    }
    return [grades_of(team, mode, [score - shift] * 4, task) for (team, mode), score in scores.items()]


def test_a_pair_by_hand(tmp_path):
    rows = compared(tmp_path, *study("maze"), *study("cube", 0.1))
    assert len(rows) == 2 * 4
    row = rows[f"{STRONG} + {WEAK}", "maze"]
    wanted = {
        "solo_1": 0.9, "solo_2": 0.3, "own_1": 0.7, "own_2": 0.2, "pair": 0.6, "slot_effect": 0.1,
        "midpoint_solo": 0.6, "from_midpoint_solo": 0.0, "tax_solo": 0.3,
        "midpoint_own": 0.45, "from_midpoint_own": 0.15, "tax_own": 0.1,
    }  # fmt: skip
    for name, value in wanted.items():
        for end in ("", "_low", "_high"):
            assert row[name + end] == pytest.approx(value, abs=1e-8), name
    assert (row["first"], row["second"], row["tasks"], row["planned"], row["graded"]) == (
        STRONG,
        WEAK,
        1,
        4,
        4,
    )
    other = rows[f"{WEAK} + {STRONG}", "spatial"]
    assert (other["solo_1"], other["own_2"]) == pytest.approx((0.25, 0.65), abs=1e-8)
    assert (other["tax_solo"], other["slot_effect"]) == pytest.approx((0.4, -0.1), abs=1e-8)
    assert (other["tasks"], other["planned"], rows[f"{WEAK} + {STRONG}", "all"]["pair"]) == (
        2, 8, pytest.approx(0.45, abs=1e-8),
    )  # fmt: skip


def test_the_tax_against_members_alone_is_that_of_the_tax_table(tmp_path):
    cells = [
        grades_of(STRONG, "solo_full", [1.0, 0.5, None, 1.0]),
        grades_of(WEAK, "solo_full", [0.0, 1.0, 1.0, 0.25]),
        grades_of(f"{STRONG} + {WEAK}", "collab", [0.5, None, 0.0, 0.75]),
    ]
    rows = compared(tmp_path, *cells, teams=TEAMS[:3], tasks={"maze": "spatial"})
    taxes = [row for row in read_rows(tmp_path / "tax.parquet", TAX) if row["kind"] == "mixed"]
    for row in taxes:
        pair = rows[row["team"], row["task"] or row["family"] or "all"]
        for end in ("", "_low", "_high"):
            assert pair[f"tax_solo{end}"] == pytest.approx(row[f"tax{end}"], abs=1e-12)
    assert pair["tax_solo"] == 1 - 0.625  # instances 0 and 3


def test_differences_are_paired_by_instance(tmp_path):
    scores = [0.0, 0.25, 0.75, 1.0]
    lower = [score / 2 for score in scores]
    cells = [grades_of(model, mode, scores) for model in (STRONG, WEAK) for mode in ("solo_full", "collab")]
    cells += [
        grades_of(f"{STRONG} + {WEAK}", "collab", scores),
        grades_of(f"{WEAK} + {STRONG}", "collab", lower),
    ]
    rows = compared(tmp_path, *cells, tasks={"maze": "spatial"})
    row = rows[f"{STRONG} + {WEAK}", "maze"]
    assert row["pair_low"] < row["pair"] < row["pair_high"]
    for name in ("from_midpoint_solo", "tax_own"):
        assert row[f"{name}_low"] == row[name] == row[f"{name}_high"] == 0
    assert row["slot_effect"] == 0.25 and 0 <= row["slot_effect_low"] < row["slot_effect_high"] <= 0.5


def test_what_was_not_run_is_null_and_the_rest_stands(tmp_path):
    cells = [grades_of(f"{STRONG} + {WEAK}", "collab", [0.5] * 4), grades_of(STRONG, "collab", [0.25] * 4)]
    rows = compared(tmp_path, *cells, teams=[[STRONG], [STRONG, WEAK]])
    row = rows[f"{STRONG} + {WEAK}", "all"]
    assert (row["pair"], row["own_1"], row["tasks"], row["planned"], row["graded"]) == (0.5, 0.25, 1, 8, 4)
    for name in ("solo_1", "own_2", "midpoint_own", "tax_own", "from_midpoint_solo", "slot_effect"):
        assert row[name] is row[f"{name}_low"] is None
    assert rows[f"{STRONG} + {WEAK}", "cube"]["pair"] is None


def test_a_study_without_pairs_has_an_empty_table(tmp_path):
    assert compared(tmp_path, grades_of(STRONG, "collab", [0.5] * 4), teams=[[STRONG]]) == {}


def test_one_more_pair_changes_no_row_of_another(tmp_path):
    cells = [*study("maze"), *study("cube")]
    all_rows = compared(tmp_path, *cells)
    fewer = compared(tmp_path, *cells, teams=TEAMS[:3])
    changed = {"slot_effect", "slot_effect_low", "slot_effect_high"}
    for key, row in fewer.items():
        assert {name for name in row if row[name] != all_rows[key][name]} == changed
