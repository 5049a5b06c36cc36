"""``make handoff-advice``: curves as users give them, h with an interval, errors that say what to do."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.handoff.given_curve import read_curve, read_points
from scripts.handoff.handoff_advice import handoff_advice, handoff_draws, read_arguments
from scripts.lib.errors import UserError
from tests.handoff.pilot_cases import call, play, write_calls

ROOT = Path(__file__).resolve().parents[2]
CURVE = "load,steps,failures\n500,400,8\n2000,400,12\n8000,400,40\n16000,400,100\n"


def written(folder, text):
    path = folder / "curve.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def told(*arguments):
    return handoff_advice(read_arguments([*map(str, arguments)]))


def test_a_steep_curve_says_hand_over(tmp_path):
    text = told("--curve", written(tmp_path, CURVE), "--growth", 200, "--depth", 60, "--handoff", 0.02)
    assert "Hand over: a new agent each" in text and "best chunk (steps)" in text
    assert "4 loads from 500 to 16,000 tokens, 1,600 steps" in text


def test_a_large_handoff_tax_says_one_agent(tmp_path):
    text = told("--curve", written(tmp_path, CURVE), "--growth", 20, "--depth", 10, "--handoff", 2)
    assert "one agent for the whole task" in text


def test_few_steps_cannot_tell(tmp_path):
    few = "load,steps,failures\n500,10,0\n2000,10,1\n8000,10,1\n"
    text = told("--curve", written(tmp_path, few), "--growth", 100, "--depth", 20, "--handoff", 0.05)
    assert "The data cannot tell whether handing over helps." in text and "measure more steps" in text


def test_an_interval_of_the_handoff_tax_that_holds_0_is_named(tmp_path):
    curve = written(tmp_path, CURVE)
    text = told("--curve", curve, "--growth", 100, "--depth", 20, "--handoff", 0.02, -0.11, 0.16)
    assert "The sign of the handoff tax is not established" in text


def test_a_pilot_is_a_curve(tmp_path):
    play(tmp_path, problems=30)
    text = told("--curve", tmp_path / "pilot", "--growth", 50, "--start", 100, "--note", 50, "--depth", 20)
    assert "(solver, simulated agents), failures: either" in text and "240 steps" in text


def test_the_problems_of_a_pilot_are_resampled(tmp_path):
    # Calls on one problem end alike, so 2 problems of 20 calls know less than 40 steps would.
    rows = [call(i, level, False, i == 0) for i in range(2) for level in range(3) for _ in range(20)]
    write_calls(tmp_path, rows)
    losses = read_curve(tmp_path / "pilot", "either", 500, 1).curve.losses
    assert np.allclose(np.unique(np.round(np.exp(-losses[0]), 6)), [0.0125, 0.5, 1.0])


def test_one_model_of_several_is_chosen(tmp_path):
    rows = [call(0, level, False, False) for level in range(3)]
    write_calls(tmp_path, [*rows, *(row | {"model": "other"} for row in rows)])
    with pytest.raises(UserError, match="solver, other: choose one with MODEL="):
        read_curve(tmp_path / "pilot", "either", 100, 1)
    assert "(other," in read_curve(tmp_path / "pilot", "either", 100, 1, "other").about
    with pytest.raises(UserError, match=r'no model "othr".*other'):
        read_curve(tmp_path / "pilot", "either", 100, 1, "othr")


def test_a_pilot_without_an_answered_call_has_no_curve(tmp_path):
    write_calls(tmp_path, [call(0, 0, None, None, outcome="context_overflow")])
    with pytest.raises(UserError, match="no call of the pilot was answered"):
        read_curve(tmp_path / "pilot", "either", 100, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'line 1 has no column "load"'),
        ("load,steps,failure\n1,2,0\n", 'no column "failures"; did you mean "failure"'),
        ("load,load,steps,failures\n", 'two columns "load"'),
        ("load,steps,failures\n", "holds no points"),
        ("load,steps,failures\n10,x,0\n", 'line 2: steps is "x"'),
        ("load,steps,failures\n10,5\n", 'line 2: failures is ""'),
        ("load,steps,failures\n10,5,nan\n", 'line 2: failures is "nan"'),
        ("load,steps,failures\n-1,5,0\n", 'line 2: load is "-1"'),
        ("load,steps,failures\n10,5,6\n", "line 2: 6 failures among 5 steps"),
        ("load,steps,failures\n10,0.5,0\n", "line 2: steps and failures are counts"),
        ("load,steps,failures\n10,5,1\n\n10,5,1\n", "line 4: the load is not larger"),
        (b"load,steps,failures\n\xff\n", "is no CSV that can be read"),
    ],
)
def test_a_bad_csv_is_named_with_its_line(tmp_path, text, message):
    path = written(tmp_path, text)
    with pytest.raises(UserError) as error:
        read_points(path)
    assert message in str(error.value) and str(path) in str(error.value)


def test_other_columns_and_a_byte_order_mark_do_not_matter(tmp_path):
    path = written(tmp_path, "\ufeffFailures, load ,model,steps\n1,10,x,5\n\n2,20,x,5\n")
    assert read_points(path) == [(10, 5, 1), (20, 5, 2)]


@given(st.binary() | st.text().map(lambda text: b"load,steps,failures\n" + text.encode("utf-8", "replace")))
def test_whatever_a_file_holds_it_is_points_or_an_error_for_the_user(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("any") / "any.csv"
    path.write_bytes(data)
    try:
        points = read_points(path)
    except UserError:
        return
    assert all(0 <= failures <= steps and steps >= 1 for _, steps, failures in points)


@given(st.floats(-0.2, 0.2), st.floats(0, 0.2), st.floats(0, 0.2))
def test_draws_of_h_have_the_interval_that_was_given(mean, below, above):
    drawn = handoff_draws([mean, mean - below, mean + above], 0.95, 4000, 1)
    assert drawn[0] == mean
    low, high = np.quantile(drawn[1:], [0.025, 0.975])
    assert low == pytest.approx(mean - below, abs=0.1 * below + 1e-9)
    assert high == pytest.approx(mean + above, abs=0.1 * above + 1e-9)


def test_a_number_alone_is_certain():
    assert (handoff_draws([0.03], 0.95, 10, 1) == 0.03).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--handoff", "0.1", "0.2", "0.3"], "must lie in its interval"),
        (["--handoff", "0.1", "0.2"], "one number, or three"),
        (["--handoff", "nan"], "one number, or three"),
        (["--growth", "0"], "growth is 0; it must be above 0"),
        (["--note", "-1"], "note is -1"),
        (["--depth", "1"], "depth is 1; it must be at least 2"),
        (["--depth", "99999999"], "are not looked at"),
        (["--level", "95"], "between 0 and 1"),
        (["--start", "20000"], "must lie within the measured"),
    ],
)
def test_numbers_that_cannot_be_are_named(tmp_path, arguments, message):
    with pytest.raises(UserError, match=message):
        told("--curve", written(tmp_path, CURVE), *arguments)


def test_a_curve_that_is_not_there_says_how_to_make_it(tmp_path):
    command = [sys.executable, "-m", "scripts.handoff.handoff_advice", "--curve", str(tmp_path / "none")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "`make paper` makes" in done.stderr and "Traceback" not in done.stderr


def test_the_worked_example_of_the_document_is_what_comes_out(tmp_path):
    blocks = (ROOT / "docs" / "handoff_advice.md").read_text(encoding="utf-8").split("```")[1::2]
    curve, command, shown = (block.partition("\n")[2].strip() for block in blocks)
    values = dict(part.split("=") for part in command.replace('"', "").split()[2:] if "=" in part)
    assert values.pop("CURVE") == "my_curve.csv"
    h = command.split('H="')[1].split('"')[0].split()
    path = written(tmp_path, curve + "\n")
    arguments = ["--handoff", *h]
    for name in ("GROWTH", "START", "NOTE", "DEPTH"):
        arguments += [f"--{name.lower()}", values[name]]
    assert told("--curve", path, *arguments).replace(str(path), "my_curve.csv") == shown
