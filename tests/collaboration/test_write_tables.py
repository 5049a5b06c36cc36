"""Tables for the report: exact text, escaping, the word simulated."""

import csv
from pathlib import Path

import pytest

from scripts.collaboration.schemas import CELLS, TAX
from scripts.collaboration.tables import FILES
from scripts.collaboration.tables.tax import sum_outcomes
from scripts.collaboration.write_tables import write_tables
from scripts.lib.errors import UserError
from scripts.lib.tables import write_rows
from scripts.lib.typesetting import decimals, escape
from tests.collaboration.fixtures import write_missing_tables
from tests.collaboration.statistics_cases import cell_row, tax_row


def written(folder: Path, cells: list, tax: list, files: tuple[str, ...] = FILES) -> dict[str, str]:
    """The tables by name."""
    write_rows(folder / "statistics" / "cells.parquet", cells, CELLS)
    write_rows(folder / "statistics" / "tax.parquet", tax, TAX)
    write_missing_tables(folder)
    write_tables(folder, folder / "tables", {"files": list(files)})
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
