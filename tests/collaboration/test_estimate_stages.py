"""Stages, how many fire and which together: exact on small tables, honest where there is nothing."""

import math

import numpy as np
import pytest

from scripts.collaboration.estimate_stages import estimate_stages, from_data
from scripts.collaboration.schemas import STAGE_COUNTS, STAGE_OVERLAP
from scripts.collaboration.schemas import STAGES as SCHEMA
from scripts.collaboration.verdicts import Judged
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.errors import UserError
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.judged import made_up

T, F = True, False
# team, task, success, weight, satisfied by stage
ROWS = [
    ("m", "maze", T, 1, [T, T, T, T]),
    ("m", "maze", T, 3, [T, T, T, F]),
    ("n", "treesum", T, 1, [F, T, None, T]),
    ("m", "maze", F, 1, [F, F, T, F]),
    ("m", "treesum", F, 1, [F, T, F, F]),
    ("n", "treesum", F, 2, [T, F, T, T]),
    ("n", "maze", F, 1, [T, T, T, T]),
    ("n", "maze", F, 5, [T, None, T, F]),
]


@pytest.fixture
def tables(tmp_path):
    from_data(tmp_path, tmp_path / "statistics", made_up(tmp_path, ROWS))
    return read_all(tmp_path / "statistics")


def read_all(folder):
    names = {"stages": SCHEMA, "stage_counts": STAGE_COUNTS, "stage_overlap": STAGE_OVERLAP}
    return {name: read_rows(folder / f"{name}.parquet", schema) for name, schema in names.items()}


def one(rows, **wanted):
    (row,) = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
    return row


def test_rates_are_weighted_to_the_strata_and_void_verdicts_count_for_neither(tables):
    l1, l3 = (one(tables["stages"], scope="all", stage=stage) for stage in ("l1", "l3"))
    assert (l1["drawn_successes"], l1["drawn_failures"]) == (3, 5)
    assert l1["successes"] == pytest.approx(4 / 5)
    assert l1["failures"] == pytest.approx(8 / 10)
    assert l1["separation"] == pytest.approx(0)
    assert l1["sample_successes"] == pytest.approx(2 / 3)
    assert l1["sample_failures"] == pytest.approx(3 / 5)
    assert (l3["judged_successes"], l3["judged_failures"]) == (2, 5)
    assert l3["successes"] == 1
    assert one(tables["stages"], scope="all", stage="l2")["judged_failures"] == 4


def test_a_stage_that_fires_alone(tables):
    """Four complete failures weigh 1, 1, 2, 1: L1 fires in two, never alone; L2 in 3, alone in 2 of them."""
    assert one(tables["stages"], scope="all", stage="l1")["alone"] == 0
    assert one(tables["stages"], scope="all", stage="l2")["alone"] == pytest.approx(2 / 3)
    family = one(tables["stages"], scope="family", family="spatial", stage="l3")
    assert family["alone"] is None  # it never fires there


def test_how_many_stages_fire(tables):
    shares = {
        row["firing"]: (row["rollouts"], row["judged"], row["share"])
        for row in tables["stage_counts"]
        if row["scope"] == "all" and not row["success"]
    }
    assert shares == {
        0: (1, 4, pytest.approx(0.2)),
        1: (1, 4, pytest.approx(0.4)),
        2: (0, 4, 0),
        3: (2, 4, pytest.approx(0.4)),
        4: (0, 4, 0),
    }


def test_jaccard_by_hand(tables):
    def overlap(first, second):
        return one(tables["stage_overlap"], scope="all", first=first, second=second)

    assert (overlap("l1", "l2")["both"], overlap("l1", "l2")["either"]) == (1, 3)
    assert overlap("l1", "l2")["jaccard"] == pytest.approx(1 / 4)
    assert overlap("l1", "l4")["jaccard"] == 1
    assert overlap("l2", "l3")["jaccard"] == 0
    csp = one(tables["stage_overlap"], scope="family", family="csp", first="l1", second="l2")
    assert (csp["judged"], csp["either"], csp["jaccard"]) == (0, 0, None)


def test_each_family_and_team_has_its_rows(tables):
    scopes = {(row["scope"], row["family"], row["team"]) for row in tables["stages"]}
    families = {("family", name, None) for name in ("spatial", "relational", "csp")}
    assert scopes == {("all", None, None), ("team", None, "m"), ("team", None, "n")} | families
    assert one(tables["stages"], scope="team", team="m", stage="l4")["failures"] == 0
    assert len(tables["stage_overlap"]) == 6 * len(scopes)


def test_intervals_hold_the_estimate(tables):
    for row in tables["stages"]:
        for name in ("successes", "failures", "separation", "alone"):
            if row[f"{name}_low"] is not None:
                assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]


@pytest.mark.parametrize(
    "rows",
    [
        [("m", "maze", T, 1, [T, F, T, T])] * 3,
        [("m", "maze", F, 1, [T, F, T, T])] * 3,
        [("m", "maze", F, 1, [None] * 4), ("m", "maze", T, 1, [None] * 4)],
    ],
)
def test_without_failures_or_successes_or_verdicts_there_is_no_separation(tmp_path, rows):
    from_data(tmp_path, tmp_path / "statistics", made_up(tmp_path, rows))
    tables = read_all(tmp_path / "statistics")
    assert all(row["separation"] is None for row in tables["stages"])
    kinds = {success for _, _, success, _, verdicts in rows if None not in verdicts}
    for row in tables["stage_counts"]:
        if row["scope"] == "all":
            assert (row["share"] is None) == (row["success"] not in kinds)


def test_nothing_judged_gives_empty_tables(tmp_path):
    for rows, judge in ((ROWS, None), ([], "j")):
        from_data(tmp_path, tmp_path / "statistics", made_up(tmp_path, rows) | {"judge": judge})
        assert not any(read_all(tmp_path / "statistics").values())


def test_a_drawn_rollout_without_verdicts_is_named(tmp_path):
    job = made_up(tmp_path, ROWS)
    path = tmp_path / "judgements" / "n.parquet"
    from scripts.collaboration.schemas import JUDGEMENTS

    write_rows(path, read_rows(path, JUDGEMENTS)[:-4], JUDGEMENTS)
    with pytest.raises(UserError, match="forcerun judge_stages"):
        from_data(tmp_path, tmp_path / "statistics", job)


def drawn_study(rng, rate_of_failures):
    """300 judged rollouts; a stage is satisfied at .6 in successes, in failures at the given rate."""
    rows = []
    for number in range(300):
        success = bool(rng.random() < 0.5)
        rate = 0.6 if success else rate_of_failures
        verdicts = dict(zip(STAGES, (bool(x) for x in rng.random(4) < rate), strict=True))
        family = ("spatial", "relational", "csp")[number % 3]
        rows.append(Judged("m", family, "t", success, 1.0, True, "j", verdicts))
    return rows


JOB = {
    "tasks": {"a": "spatial", "b": "relational", "c": "csp"},
    "statistics": {"resamples": 200, "seed": 1, "level": 0.95},
}


def test_with_equal_rates_the_separations_vanish_within_their_intervals(tmp_path):
    """Over 40 studies with the same rate in failures and successes, about 5 % of the intervals miss 0."""
    rng, misses, looks = np.random.default_rng(5), 0, 0
    for _ in range(40):
        estimate_stages(drawn_study(rng, 0.6), tmp_path, JOB)
        for row in read_rows(tmp_path / "stages.parquet", SCHEMA):
            if row["scope"] == "all":
                looks += 1
                misses += not row["separation_low"] <= 0 <= row["separation_high"]
    assert looks == 160
    assert misses / looks < 0.05 + 3 * math.sqrt(0.05 * 0.95 / looks)
    assert misses > 0


def test_with_other_rates_they_do_not(tmp_path):
    estimate_stages(drawn_study(np.random.default_rng(5), 0.2), tmp_path, JOB)
    rows = [row for row in read_rows(tmp_path / "stages.parquet", SCHEMA) if row["scope"] == "all"]
    assert all(row["separation_low"] > 0.2 for row in rows)
