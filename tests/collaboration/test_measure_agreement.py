"""Agreement of raters and judge: hand-worked numbers, gaps, ties, simulated raters, nobody at all."""

import pytest

from scripts.collaboration.agreement_schemas import AGREEMENT, DISAGREEMENTS
from scripts.collaboration.annotations import planned_rollouts
from scripts.collaboration.measure_agreement import measure_agreement
from scripts.collaboration.schemas import JUDGEMENTS
from scripts.lib.tables import read_rows, write_rows

STATISTICS = {"seed": 1, "resamples": 200, "level": 0.95}
JOB = {
    "arms": ["baseline"],
    "teams": [["m"]],
    "modes": ["collab"],
    "tasks": {"maze": "spatial"},
    "rollouts": 6,
    "statistics": STATISTICS,
    "simulated": {"m": False},
    "judge": "j",
}
IDS = list(planned_rollouts(JOB))


def measured(folder, people="", simulated="", verdicts=(), played=False, **job):
    """Both tables. Raters are told as ``name:labels`` of l1: 1, 0, ``-`` unsure, ``.`` not labelled."""
    folder.mkdir(exist_ok=True)
    files = {"people": [], "simulated": []}
    for kind, text in (("people", people), ("simulated", simulated)):
        rows = ["rater,rollout,stage,satisfied,note"]
        for line in text.split():
            rater, labels = line.split(":")
            rows += [
                f"{rater},{name},l1,{'' if label == '-' else label},"
                for name, label in zip(IDS, labels, strict=False)
                if label != "."
            ]
        if text:
            files[kind].append(folder / f"{kind}.csv")
            files[kind][-1].write_text("\n".join(rows))
    judged = [
        {**row, "simulated": False, "judge": "j", "stage": "l1", "satisfied": verdict}
        | {"turn": 2, "quotation": "so it is"}
        for row, verdict in zip(planned_rollouts(JOB).values(), verdicts, strict=False)
    ]
    write_rows(folder / "judged.parquet", judged, JUDGEMENTS)
    output, differing = folder / "agreement.parquet", folder / "disagreements.parquet"
    job = JOB | {"simulated": {"m": played}} | job
    measure_agreement(
        files["people"], files["simulated"], [folder / "judged.parquet"], output, differing, job
    )
    return read_rows(output, AGREEMENT), read_rows(differing, DISAGREEMENTS)


def row_of(rows, measure, stage="l1", raters=None):
    (row,) = [
        row
        for row in rows
        if (row["measure"], row["stage"]) == (measure, stage) and raters in (None, row["raters"])
    ]
    return row


def test_numbers_by_hand(tmp_path):
    # Fleiss over four rollouts: pairs agree 1, 1/3, 1/3, 1; seven and five labels of twelve.
    rows, _ = measured(tmp_path, "a:11101. b:1100.. c:1010..", verdicts=[True, False, True, False])
    fleiss = row_of(rows, "fleiss_kappa")
    chance = (49 + 25) / 144
    assert fleiss["coefficient"] == pytest.approx((2 / 3 - chance) / (1 - chance), abs=1e-8)
    assert fleiss["agreement"] == pytest.approx(2 / 3, abs=1e-8)
    assert (fleiss["rollouts"], fleiss["ratings"], fleiss["raters"]) == (4, 12, "a; b; c")
    assert fleiss["coefficient_low"] <= fleiss["coefficient"] <= fleiss["coefficient_high"]
    # The majority says 1, 1, 1, 0 and of the fifth, 1; the judge 1, 0, 1, 0: p_o .75, p_e .5.
    judge = row_of(rows, "cohen_judge")
    assert (judge["judge"], judge["rollouts"], judge["ties"], judge["unjudged"]) == ("j", 4, 0, 1)
    assert judge["coefficient"] == pytest.approx(0.5) and judge["agreement"] == pytest.approx(0.75)
    # a and b: 3 of 4 agree; a says 1 in 3, b in 2 of 4: p_e .5
    assert row_of(rows, "cohen_pair", raters="a; b")["coefficient"] == pytest.approx(0.5)
    assert {row["raters"] for row in rows if row["measure"] == "cohen_pair"} == {"a; b", "a; c", "b; c"}


def test_alpha_uses_what_fleiss_kappa_must_leave_out(tmp_path):
    rows, _ = measured(tmp_path, "a:1100-1 b:11.010 c:1.0000")
    assert row_of(rows, "fleiss_kappa")["rollouts"] == 3
    alpha = row_of(rows, "krippendorff_alpha")
    # 7 ones and 8 zeros are pairable; rollouts 5 and 6 disagree by 2 / (2 - 1) and 4 / (3 - 1).
    assert (alpha["rollouts"], alpha["ratings"]) == (6, 15)
    assert alpha["coefficient"] == pytest.approx(1 - 14 * (2 + 2) / (15**2 - 7**2 - 8**2), abs=1e-8)


def test_ties_have_no_majority_and_no_part_in_the_judges_kappa(tmp_path):
    rows, differing = measured(tmp_path, "a:1100 b:1001", verdicts=[True, None, False, True])
    judge = row_of(rows, "cohen_judge")
    assert (judge["rollouts"], judge["ties"], judge["unjudged"]) == (2, 2, 1)
    assert judge["coefficient"] == 1
    assert [row["rollout"] for row in differing] == [IDS[1], IDS[3]]
    assert all(row["majority"] is None and row["raters_differ"] for row in differing)


def test_disagreements_tell_votes_and_evidence(tmp_path):
    _, differing = measured(tmp_path, "a:1110 b:1100 c:1000", verdicts=[False, True, False, False])
    first, second, third = differing
    assert (first["index"], first["satisfied"], first["not_satisfied"]) == (0, 3, 0)
    assert first["judge_differs"] and not first["raters_differ"]
    assert (first["majority"], first["verdict"], first["turn"], first["quotation"]) == (
        True,
        False,
        2,
        "so it is",
    )
    assert (second["satisfied"], second["not_satisfied"], second["majority"]) == (2, 1, True)
    assert second["raters_differ"] and not second["judge_differs"]
    assert third["majority"] is False and not third["judge_differs"]


@pytest.mark.parametrize(
    ("people", "judge"), [("a:1100", 0), ("a:1111 b:1111", None), ("a:11.. b:..11", None)]
)
def test_one_rater_one_class_and_nothing_in_common_have_no_kappa(tmp_path, people, judge):
    rows, _ = measured(tmp_path, people, verdicts=[True] * 4)
    assert row_of(rows, "fleiss_kappa")["coefficient"] is None
    assert row_of(rows, "krippendorff_alpha")["coefficient"] is None
    assert row_of(rows, "cohen_judge")["coefficient"] == judge  # who always says yes, against two of four
    assert row_of(rows, "fleiss_kappa", stage="l3")["rollouts"] == 0  # a stage without a label


def test_without_raters_the_tables_are_empty(tmp_path):
    assert measured(tmp_path, verdicts=[True]) == ([], [])


def test_without_a_judge_the_raters_are_compared_alone(tmp_path):
    rows, _ = measured(tmp_path, "a:1100 b:1000", judge=None)
    judge = row_of(rows, "cohen_judge")
    assert judge["judge"] is None and judge["coefficient"] is None and judge["unjudged"] == 4
    assert row_of(rows, "cohen_pair")["coefficient"] is not None


def test_simulated_raters_count_only_where_no_person_has_rated(tmp_path):
    simulated = "simulated-1:1100 simulated-2:1000"
    rows, _ = measured(tmp_path / "alone", simulated=simulated)
    assert all(row["simulated"] for row in rows) and rows[0]["raters"] == "simulated-1; simulated-2"
    rows, _ = measured(tmp_path / "both", "a:1100 b:1000", simulated)
    assert rows[0]["raters"] == "a; b" and not any(row["simulated"] for row in rows)


def test_labels_of_simulated_conversations_are_called_simulated(tmp_path):
    for played in (False, True):
        rows, differing = measured(tmp_path, "a:1100 b:1000", played=played)
        assert all(row["simulated"] is played for row in rows + differing)


def test_the_order_of_files_and_rows_changes_nothing(tmp_path):
    one = measured(tmp_path / "one", "a:1100-1 b:11.010 c:1.0000", verdicts=[True, False] * 3)
    two = measured(tmp_path / "two", "c:1.0000 a:1100-1 b:11.010", verdicts=[True, False] * 3)
    assert one == two
