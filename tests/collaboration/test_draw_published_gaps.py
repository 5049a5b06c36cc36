"""The published gaps: the model of this run that has the name is drawn, and called simulated where it is."""

import pytest

from scripts.collaboration.draw_published_gaps import STEM, draw_published_gaps
from scripts.collaboration.schemas import TAX
from scripts.lib.tables import write_rows
from tests.collaboration.figures import check_figure
from tests.collaboration.fixtures import PUBLISHED
from tests.collaboration.statistics_cases import tax_row


@pytest.mark.parametrize("matched", [{"simulated/gpt-5": "gpt-5"}, {"simulated/gpt-5": None}])
def test_draw_published_gaps(tmp_path, matched):
    gap = {"ratio_gap": 0.5, "ratio_gap_low": 0.4, "ratio_gap_high": 0.6}
    row = tax_row(team="simulated/gpt-5", scope="family", task=None, simulated=True, **gap)
    write_rows(tmp_path / "tax.parquet", [row, row | {"family": "csp"} | dict.fromkeys(gap)], TAX)
    for folder in ("one", "two"):
        job = {"published": PUBLISHED | {"matched": matched}}
        draw_published_gaps(tmp_path / "tax.parquet", tmp_path / folder, job)
    svg = check_figure(tmp_path / "one", tmp_path / "two", STEM)
    assert "published (approx.), not from this run" in svg and "nan" not in svg.lower()
    found = matched["simulated/gpt-5"] is not None
    assert ("simulated agents" in svg) == ("model of this run" in svg) == found
