"""Tables for the report: exact text, escaping, the word simulated."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest

from scripts.collaboration.schemas import CELLS, PAIRS, TAX
from scripts.collaboration.tables import FILES
from scripts.collaboration.tables.tax import sum_outcomes
from scripts.collaboration.write_tables import write_tables
from scripts.lib.errors import UserError
from scripts.lib.tables import write_rows
from scripts.lib.typesetting import decimals, escape
from tests.collaboration.fixtures import PUBLISHED, write_missing_tables
from tests.collaboration.statistics_cases import cell_row, tax_row


def written(
    folder: Path, cells: list, tax: list, files: Sequence[str] = FILES, pairs: Sequence = (), published=None
) -> dict[str, str]:
    """The tables by name."""
    write_rows(folder / "statistics" / "cells.parquet", cells, CELLS)
    write_rows(folder / "statistics" / "tax.parquet", tax, TAX)
    write_rows(folder / "statistics" / "pairs.parquet", pairs, PAIRS)
    write_missing_tables(folder)
    job = {"files": list(files), "published": published or {"matched": {}}}
    write_tables(folder, folder / "tables", job)
    assert sorted(path.name for path in (folder / "tables").iterdir()) == sorted(files)
    return {name: (folder / "tables" / name).read_text() for name in files}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "--"),
        (0.31, ".310"),
        (1.0, "1.000"),
        (0.0, ".000"),
        (-0.25, "$-$.250"),
        (-0.0001, ".000"),
        (12.5, "12.500"),
    ],
)
def test_decimals(value: float | None, text: str) -> None:
    assert decimals(value) == text


def test_escape() -> None:
    assert escape(r"a_b & 5% {c}\d") == r"a\_b \& 5\% \{c\}\textbackslash{}d"


def test_every_declared_table_is_written_and_rows_go_to_their_table(tmp_path: Path) -> None:
    tax = [tax_row(), tax_row(scope="family", task=None), tax_row(scope="all", task=None, family=None)]
    tables = written(tmp_path, [cell_row()], tax)
    assert set(tables) == set(FILES)
    task_rows = list(csv.DictReader(tables["tax_tasks.csv"].splitlines()))
    assert [row["scope"] for row in task_rows] == ["task"]
    assert [row["scope"] for row in csv.DictReader(tables["tax_families.csv"].splitlines())] == [
        "family",
        "all",
    ]
    assert "All tasks" in tables["tax_families.tex"] and "Spatial" in tables["tax_families.tex"]


def test_csv_formats_are_stable(tmp_path: Path) -> None:
    cell = cell_row(score=1 / 3, floor=None, cost=1234567.0, simulated=True)
    (row,) = csv.DictReader(written(tmp_path, [cell], [tax_row()])["cells.csv"].splitlines())
    assert list(row) == CELLS.names
    assert (row["score"], row["floor"], row["cost"]) == ("0.333333", "", "1.23457e+06")
    assert (row["simulated"], row["planned"]) == ("true", "0")


def test_latex_by_hand(tmp_path: Path) -> None:
    tax = tax_row(tax=0.31, tax_low=0.25, tax_high=0.372, ratio_gap=-0.5, dagger=True)
    lines = written(tmp_path, [cell_row()], [tax], ("tax_tasks.tex",))["tax_tasks.tex"].splitlines()
    assert lines[0].startswith("% Collaboration tax by task.") and "imulated" not in lines[0]
    assert lines[1:3] == [r"\begin{tabular}{lllllllllll}", r"\hline"]
    assert lines[5] == (
        r"baseline & m\_1 & Spatial & maze$\dagger$ & -- & -- & -- & .310 [.250, .372] & $-$.500 & -- & -- \\"
    )
    assert lines[6:] == [r"\hline", r"\end{tabular}"]


def test_simulated_results_say_so(tmp_path: Path) -> None:
    cells = [cell_row(team="sim", simulated=True), cell_row()]
    tax = [
        tax_row(team="sim", simulated=True, scope=scope, task=task)
        for scope, task in (("task", "maze"), ("family", None))
    ]
    filled = tuple(name for name in FILES if name.startswith(("cells", "tax", "outcomes")))
    for name, text in written(tmp_path, cells, tax, filled).items():
        assert "simulated" in text
        if name.endswith(".tex"):
            assert text.splitlines()[0].endswith("Simulated agents, not language models: sim.")
            assert "sim (simulated) &" in text


def test_outcomes_are_summed_over_the_tasks_of_a_family() -> None:
    cells = [
        cell_row(planned=4, run=3, graded=2, answered=2, failed=1, budget=1, replies=8, truncated_replies=1),
        cell_row(task="cube", planned=4, run=4, graded=4, turn_cap=4, replies=8, truncated_replies=3),
        cell_row(task="logic", family="csp", planned=4),
    ]
    spatial, csp = sum_outcomes(cells)
    assert (spatial["planned"], spatial["run"], spatial["graded"]) == (8, 7, 6)
    assert (spatial["answered"], spatial["turn_cap"], spatial["failed"], spatial["budget"]) == (2, 4, 1, 1)
    assert (spatial["truncation_rate"], csp["truncation_rate"], csp["planned"]) == (0.25, None, 4)


def test_an_unknown_table_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r'no table "cell\.csv"; did you mean "cells\.csv"\?'):
        written(tmp_path, [], [], ("cell.csv",))


def test_published_numbers_stand_beside_the_model_of_that_name(tmp_path: Path) -> None:
    about = {"task": None, "scope": "family", "simulated": True}
    tax = [
        tax_row(team="simulated/gpt-5", ratio_gap=0.5, ratio_gap_low=0.25, ratio_gap_high=0.75, **about),
        tax_row(team="other", ratio_gap=0.125, **about),
        tax_row(team="simulated/gpt-5", ratio_gap=0.25, simulated=True),
    ]
    pair: dict = dict.fromkeys(PAIRS.names) | {"team": "a + b", "first": "a", "second": "b", "scope": "all"}
    pair |= {"simulated": False, "pair": 0.75, "solo_1": 0.875}
    matched = {"simulated/gpt-5": "gpt-5", "other": None, "a": "gpt-5", "b": "Phi-4"}
    tables = written(tmp_path, [cell_row()], tax, pairs=[pair], published=PUBLISHED | {"matched": matched})
    spatial, relational, csp = csv.DictReader(tables["published_models.csv"].splitlines())
    assert (spatial["published"], spatial["mark"], spatial["team"]) == ("0.12", "approx.", "simulated/gpt-5")
    assert (spatial["ratio_gap"], spatial["ratio_gap_high"], spatial["simulated"]) == ("0.5", "0.75", "true")
    assert (relational["team"], relational["ratio_gap"], csp["published"]) == ("", "", "-0.02")
    (task,) = csv.DictReader(tables["published_tasks.csv"].splitlines())
    assert (task["task"], task["published"], task["mean_gap"], task["models"]) == (
        "maze",
        "0.58",
        "0.25",
        "1",
    )
    (row,) = csv.DictReader(tables["published_pairs.csv"].splitlines())
    assert (row["published_phi_1"], row["pair"], row["solo_1"], row["own_1"]) == (
        "0.624",
        "0.75",
        "0.875",
        "",
    )
    assert "Simulated agents, not language models: simulated/gpt-5." in tables["published_models.tex"]


def test_without_published_numbers_their_tables_are_empty(tmp_path: Path) -> None:
    tables = written(tmp_path, [cell_row()], [tax_row()])
    assert all(not tables[f"published_{name}.csv"].strip() for name in ("models", "tasks", "pairs"))
