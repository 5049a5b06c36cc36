"""Game values: the published ones from scores, both readings, counts of violations, and identities."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.collaboration.estimate_game_values import estimate_game_values
from scripts.collaboration.schemas import GAME_VALUES
from scripts.lib.tables import read_rows
from tests.collaboration.statistics_cases import a_job, grades_of, write_grades

TEAMS = [["free"], ["priced"], ["free", "priced"]]
PAIR = "free + priced"
MEASURES = ("v1", "v2", "v12", "tax", "surplus", "phi_1", "phi_2")


def valued(folder, *cells, teams=TEAMS, tasks=None, **statistics):
    path = write_grades(folder / "grades.parquet", *cells)
    job = a_job(teams=teams, tasks=tasks or {"maze": "spatial"})
    job["statistics"] = job["statistics"] | statistics
    estimate_game_values([path], folder / "game_values.parquet", job)
    rows = read_rows(folder / "game_values.parquet", GAME_VALUES)
    return {(row["team"], row["alone"], row["task"] or row["family"] or "all"): row for row in rows}


def pair_cells(one, two, both, task="maze", mode="solo_full"):
    scores = {("free", mode): one, ("priced", mode): two, (PAIR, "collab"): both}
    return [grades_of(team, mode, values, task) for (team, mode), values in scores.items()]


@pytest.mark.parametrize("mode", ["solo_full", "collab"])
@pytest.mark.parametrize(
    ("one", "two", "both", "phi"),
    [(0.869, 0.352, 0.731, (0.624, 0.107)), (0.352, 0.932, 0.756, (0.088, 0.668))],
)
def test_the_published_scores_give_the_published_values(tmp_path, one, two, both, phi, mode):
    rows = valued(tmp_path, *pair_cells([one] * 4, [two] * 4, [both] * 4, mode=mode))
    alone, other = ("solo_full", "own_collab") if mode == "solo_full" else ("own_collab", "solo_full")
    row = rows[PAIR, alone, "all"]
    assert (row["phi_1"], row["phi_2"]) == pytest.approx(phi, abs=1e-8)
    assert row["tax"] == pytest.approx(max(one, two) - both, abs=1e-8)
    assert (row["tax_share"], row["surplus_share"], row["taxed_clear"], row["subadditive_clear"]) == (
        1,
        1,
        1,
        1,
    )
    assert rows[PAIR, other, "all"]["phi_1"] is rows[PAIR, other, "all"]["taxed"] is None
    assert (rows[PAIR, other, "all"]["tasks"], rows[PAIR, other, "all"]["tax_share"]) == (0, None)


def test_a_team_of_one_model_plays_with_its_own_solo_score(tmp_path):
    cells = [grades_of("free", "solo_full", [0.75] * 4), grades_of("free", "collab", [0.5] * 4)]
    rows = valued(tmp_path, *cells, teams=[["free"]])
    assert {alone for _, alone, _ in rows} == {"solo_full"}
    row = rows["free", "solo_full", "maze"]
    assert [row[name] for name in MEASURES] == [0.75, 0.75, 0.5, 0.25, -1.0, 0.25, 0.25]


def test_violations_are_counted_over_tasks_with_what_is_sure_of_them(tmp_path):
    tasks = {"maze": "spatial", "cube": "spatial", "logic": "csp", "order": "relational"}
    up_and_down = [0.0, 1.0, 0.0, 1.0]
    cells = [
        *pair_cells([0.75] * 4, [0.5] * 4, [0.5] * 4, "maze"),  # a tax for sure
        *pair_cells([0.75] * 4, [0.25] * 4, [0.9] * 4, "cube"),  # none for sure, and still subadditive
        *pair_cells([0.625] * 4, [0.25] * 4, up_and_down, "logic"),  # a tax, not for sure
        *pair_cells([0.0] * 4, [0.0] * 4, [0.25] * 4, "order"),  # more than the sum
    ]
    row = valued(tmp_path, *cells, tasks=tasks)[PAIR, "solo_full", "all"]
    assert (row["tasks"], row["taxed"], row["taxed_clear"]) == (4, 2, 1)
    assert (row["taxed_low"], row["taxed_high"]) == (1, 2)
    assert (row["subadditive"], row["subadditive_clear"]) == (3, 2)
    assert 0.5 < valued(tmp_path, *cells, tasks=tasks)[PAIR, "solo_full", "logic"]["tax_share"] < 1


def test_equal_scores_are_no_violation_in_any_resample(tmp_path):
    tasks = {f"task{n}": "spatial" for n in range(5)}
    same = [0.1, 0.7, 1.0, 0.3]
    cells = [cell for task in tasks for cell in pair_cells(same, same, same, task)]
    row = valued(tmp_path, *cells, tasks=tasks)[PAIR, "solo_full", "all"]
    assert [row[name] for name in ("taxed", "taxed_low", "taxed_high", "taxed_clear", "tax_share")] == [0] * 5


scores = st.lists(st.one_of(st.none(), st.integers(0, 16).map(lambda n: n / 16)), min_size=4, max_size=4)


@settings(max_examples=30, deadline=None)
@given(scores, scores, scores)
def test_the_identities_hold_in_every_row(one, two, both):
    with TemporaryDirectory() as folder:
        rows = valued(Path(folder), *pair_cells(one, two, both), resamples=100)
    for row in rows.values():
        if row["v12"] is not None:
            assert row["phi_1"] + row["phi_2"] == pytest.approx(row["v12"], abs=1e-12)
            assert row["tax"] == pytest.approx(max(row["v1"], row["v2"]) - row["v12"], abs=1e-12)
            assert row["v1"] - row["phi_1"] == pytest.approx(-row["surplus"] / 2, abs=1e-12)
            assert row["tax_low"] <= row["tax_high"] and 0 <= row["tax_share"] <= 1
        else:
            assert all(row[name] is row[f"{name}_low"] is None for name in MEASURES)
