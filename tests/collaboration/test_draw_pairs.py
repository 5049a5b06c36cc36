"""Figure 7: both orders on one line, published pairs called so, and what is drawn without pairs."""

from scripts.collaboration.draw_pairs import STEM, draw_pairs, lines_of, published_lines
from scripts.collaboration.schemas import PAIRS
from scripts.lib.tables import write_rows
from tests.collaboration.figures import check_figure
from tests.collaboration.fixtures import PUBLISHED


def pair(first, second, scope="all", family=None, **changes):
    row = dict.fromkeys(PAIRS.names) | {"team": f"{first} + {second}", "first": first, "second": second}
    row |= {"scope": scope, "family": family, "simulated": True}
    row |= {"pair": 0.5, "pair_low": 0.4, "pair_high": 0.6}
    row |= {"solo_1": 0.8, "solo_2": 0.4, "midpoint_solo": 0.6, "own_1": 0.6}
    return row | changes


def drawn(folder, rows, published=None):
    write_rows(folder / "pairs.parquet", rows, PAIRS)
    for name in ("one", "two"):
        draw_pairs(folder / "pairs.parquet", folder / name, {"published": published})
    svg = check_figure(folder / "one", folder / "two", STEM)
    assert "nan" not in svg.lower()
    return svg


def test_both_orders_share_a_line_below_the_order_named_first():
    rows = [
        pair("a", "b", "family", "csp"),
        pair("a", "b"),
        pair("c", "a"),
        pair("b", "a", "family", "csp"),
        pair("b", "a"),
    ]
    lines = [(name, scope, [row["team"] for row in found]) for name, scope, found, _ in lines_of(rows)]
    assert lines == [
        ("a + b", "All tasks", ["a + b", "b + a"]),
        ("a + b", "CSP", ["a + b", "b + a"]),
        ("c + a", "All tasks", ["c + a"]),
    ]


def test_a_pair_with_a_member_that_was_not_run(tmp_path):
    svg = drawn(
        tmp_path, [pair("a", "b"), pair("b", "a", pair=None), pair("a", "b", "task", "csp", task="dagorder")]
    )
    assert "a + b" in svg and "dagorder" not in svg and "simulated agents" in svg and "published" not in svg


def test_published_pairs_are_hollow_and_called_so(tmp_path):
    (line,) = published_lines(PUBLISHED["pairs"])
    assert line[2][0]["own_2"] == line[2][0]["solo_2"] == 0.352
    svg = drawn(tmp_path, [pair("a", "b")], PUBLISHED["pairs"])
    assert "gpt-5 + Phi-4" in svg and "hollow: published, not from this run" in svg


def test_without_pairs_it_says_so(tmp_path):
    assert "no mixed pair was planned" in drawn(tmp_path, [])
