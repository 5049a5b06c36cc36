"""The ledger experiment from end to end: what is planted is found, chains are predicted first."""

import json

import pytest

from scripts.handoff.draw_ledger import draw_ledger
from scripts.handoff.layout import LEDGER_TABLES
from scripts.handoff.ledger_schemas import COMPARISON, HANDOFFS, HINGES, INDEPENDENCE
from scripts.handoff.published import load_published
from scripts.handoff.schemas import STEPS
from scripts.handoff.section_ledger import ledger_section
from scripts.handoff.tabulate_ledger import tabulate_ledger
from scripts.lib.codehash import ROOT
from scripts.lib.manifest import hash_file
from scripts.lib.tables import read_rows
from tests.handoff.experiment import NOTHING, PLANTED, Experiment

PUBLISHED = load_published(ROOT / "config" / "published_handoff.yaml")


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    return Experiment(tmp_path_factory.mktemp("experiment")).run_all()


def holds(row, name, value):
    return row[f"{name}_low"] <= value <= row[f"{name}_high"]


@pytest.mark.parametrize("grading", ["raw", "stationary", "stop_only"])
def test_the_planted_curve_lies_in_its_intervals(done, grading):
    (hinge,) = done.rows("hinges", HINGES, grading=grading)
    assert all(holds(hinge, name, PLANTED[name]) for name in ("base", "slope", "knee"))


@pytest.mark.parametrize("limit", [100, 300, 500])
def test_the_planted_handoff_tax_lies_in_its_interval(done, limit):
    (row,) = done.rows("handoffs", HANDOFFS, grading="stationary", limit=limit)
    assert holds(row, "tax", PLANTED["handoff"] + PLANTED["brevity"] / limit)
    assert row["pairs"] == row["planned"] == 300 and row["notes_right"] == 1 and row["held"] == row["needed"]


def test_the_frozen_prediction_covers_the_chains_at_every_depth(done):
    rows = done.rows("comparison", COMPARISON)
    assert {row["depth"] for row in rows} == {20, 50, 100}
    assert len(rows) == 12  # two gradings, three depths, two chunks
    for row in rows:
        assert row["covered"] and row["frozen"] and row["graded"] == 100
        assert row["spread_low"] <= row["predicted_low"] + 0.1 and row["spread_low"] <= row["chain"]
        assert row["chain"] - row["single"] == pytest.approx((row["only_chain"] - row["only_single"]) / 100)
    deep = next(row for row in rows if (row["depth"], row["chunk"]) == (100, 5))
    assert deep["chain"] > deep["single"] and deep["p"] < 0.05  # where the planted curve makes one agent lose


def test_the_losses_of_simulated_steps_add_up(done):
    rows = done.rows("independence", INDEPENDENCE, grading="stationary")
    assert [row["chunk"] for row in rows[::3]] == [None, 5, 20] and len(rows) == 9
    assert all(row["null_low"] <= row["difference"] <= row["null_high"] or row["p"] < 0.05 for row in rows)
    assert sum(row["p"] < 0.05 for row in rows) <= 1


def test_every_chain_tells_the_prediction_that_was_there_before_it(done):
    steps = read_rows(done.steps("chains"), STEPS, ["prediction"])
    assert {row["prediction"] for row in steps} == {hash_file(done.prediction)[1]}


def test_a_prediction_that_was_made_anew_is_called_so(done, tmp_path):
    text = done.prediction.read_text(encoding="utf-8")
    found = json.loads(text)
    found["predicted"][0]["predicted"] += 0.01
    try:
        done.prediction.write_text(json.dumps(found), encoding="utf-8")
        done.compare()
        assert not any(row["frozen"] for row in done.rows("comparison", COMPARISON))
        section = ledger_section([done.table(name) for name in LEDGER_TABLES], {})
        assert section["thawed"] == ["keeper"]
    finally:
        done.prediction.write_text(text, encoding="utf-8")
        done.compare()


def test_tables_figure_and_section_show_published_numbers_apart(done, tmp_path):
    tabulate_ledger(done.data, tmp_path, {"published": PUBLISHED})
    draw_ledger(done.data, tmp_path, {"published": PUBLISHED["ledger"]})
    names = {f"{stem}.{form}" for stem in LEDGER_TABLES for form in ("csv", "tex")}
    assert names | {f"ledger.{form}" for form in ("pdf", "svg", "png")} == {
        p.name for p in tmp_path.iterdir()
    }
    text = (tmp_path / "comparison.csv").read_text(encoding="utf-8")
    assert text.startswith("source,model,") and "published,model of the study" in text
    assert "simulated agents" in (tmp_path / "ledger.svg").read_text(encoding="utf-8").lower()
    assert "Simulated agents" in (tmp_path / "comparison.tex").read_text(encoding="utf-8")
    section = ledger_section([done.table(name) for name in LEDGER_TABLES], PUBLISHED)
    assert section["simulated"] == ["keeper"] and not section["thawed"] and not section["stopped"]
    published = [row for row in section["comparison"] if row["source"] == "published"]
    assert [row["chain_text"] for row in published] == ["0.690", "0.240", "0.110"]


def test_without_planted_losses_nobody_errs_and_nothing_is_lost(tmp_path):
    small = {"tasks": 6, "depths": [12, 30], "cuts": [10, 20], "chunks": [5], "notes": [100, 300]}
    done = Experiment(tmp_path, NOTHING, **small).run_all()
    for row in done.rows("comparison", COMPARISON):
        assert row["single"] == row["chain"] == row["predicted"] == 1 and row["p"] == 1
    assert all(row["tax"] == 0 for row in done.rows("handoffs", HANDOFFS))


def test_what_a_short_note_cannot_hold_is_lost_and_told(tmp_path):
    small = {"tasks": 20, "depths": [12, 30], "cuts": [10, 20], "chunks": [5], "notes": [12, 300], "note": 12}
    done = Experiment(tmp_path, NOTHING, **small).run_all()
    short, long = done.rows("handoffs", HANDOFFS, grading="raw")
    assert short["held"] < short["needed"] and long["held"] == long["needed"]
    assert short["tax"] > 0 and long["tax"] == 0
    section = ledger_section([done.table(name) for name in LEDGER_TABLES], {})
    assert [row["limit"] for row in section["lossy"]] == [12]
