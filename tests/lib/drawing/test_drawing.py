"""Numbers, labels and files of the drawing package."""

import pytest
from matplotlib.figure import Figure

from scripts.lib.drawing.numbers import UNKNOWN, count, decimal, interval, percent
from scripts.lib.drawing.save import replace_file, save
from scripts.lib.drawing.style import simulated_label, styled
from scripts.lib.errors import UserError


@pytest.mark.parametrize("value", [None, float("nan")])
def test_what_is_not_known_is_a_dash(value):
    texts = {decimal(value), interval(value, 0.1, 0.2), percent(value), count(value)}
    assert texts == {UNKNOWN}


def test_numbers():
    assert decimal(-0.051) == "\N{MINUS SIGN}0.05"
    assert decimal(-0.001) == "0.00"
    assert interval(0.5, 0.25, 0.75) == "0.50 [0.25, 0.75]"
    assert interval(0.5, None, 0.75) == "0.50"
    assert percent(0.314) == "31 %"
    assert count(12345) == "12,345"


def test_the_label_names_what_is_simulated():
    assert simulated_label([], ["a", "b"]) == ""
    assert simulated_label(["a", "b"], ["b", "a"]) == "simulated agents"
    assert simulated_label(["a"], ["a", "b"]) == "partly simulated agents: a"


def test_save_leaves_whole_files_only(tmp_path):
    with styled():
        figure = Figure()
        figure.text(0.5, 0.5, "$a dollar & <a tag>")
        paths = save(figure, tmp_path / "new", "stem", "A & B")
    assert [path.name for path in paths] == ["stem.pdf", "stem.svg", "stem.png"]
    assert sorted(tmp_path.glob("new/*")) == sorted(paths)
    svg = paths[1].read_text(encoding="utf-8")
    assert "<title>A &amp; B</title>" in svg and "$a dollar &amp; &lt;a tag&gt;" in svg


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot write"):
        replace_file(tmp_path / "file" / "figure.svg", b"")
