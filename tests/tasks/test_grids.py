"""Grid frames and path answers: conversion is invertible, prefix scores have exact values."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks import gridpaths, grids

frames = st.builds(
    lambda rows, cols, origin, corner, order: {
        "form": "list", "rows": rows, "cols": cols, "origin": origin, "corner": corner, "order": order,
    },
    st.integers(1, 9), st.integers(1, 9), st.integers(0, 1), st.sampled_from(grids.CORNERS),
    st.sampled_from(sorted(grids.ORDERS)),
)  # fmt: skip


@given(frames)
def test_every_cell_comes_back_from_its_coordinates(frame):
    cells = list(grids.cells_of(frame))
    assert [grids.from_frame(grids.to_frame(cell, frame), frame) for cell in cells] == cells
    assert [grids.read_cells(grids.write_cell(cell, frame), frame) for cell in cells] == [[c] for c in cells]


@given(frames, st.tuples(st.integers(-3, 12), st.integers(-3, 12)))
def test_every_pair_is_a_cell_or_off_the_map(frame, pair):
    cell = grids.from_frame(pair, frame)
    if cell is not None:
        assert grids.to_frame(cell, frame) == pair and cell in set(grids.cells_of(frame))


@given(frames)
def test_the_stated_frame_comes_back(frame):
    assert grids.read_frame(f"Hello. {grids.state_frame(frame)}. More.", "list") == frame


@pytest.mark.parametrize(
    ("corner", "order", "written"),
    [
        ("top-left", "rc", (1, 3)),
        ("bottom-left", "rc", (2, 3)),
        ("top-right", "rc", (1, 2)),
        ("bottom-right", "rc", (2, 2)),
        ("bottom-right", "cr", (2, 2)),
        ("top-left", "cr", (3, 1)),
    ],
)
def test_a_cell_by_hand(corner, order, written):
    frame = {"form": "list", "rows": 2, "cols": 4, "origin": 1, "corner": corner, "order": order}
    assert grids.to_frame((0, 2), frame) == written


@pytest.mark.parametrize("text", ["", "The map has 3 rows", "The map has 333 rows and 3 columns."])
def test_no_frame_in_the_text(text):
    with pytest.raises(ValueError, match="no grid notation"):
        grids.read_frame(text, "list")


def test_a_corner_that_does_not_exist_is_no_frame():
    frame = grids.draw_frame(random.Random(0), 3, 3, "list") | {"corner": "top-middle"}
    with pytest.raises(ValueError, match="no grid notation"):
        grids.read_frame(grids.state_frame(frame), "list")


def test_drawn_frames_differ_in_a_convention():
    first = grids.draw_frame(random.Random(1), 3, 3, "grid")
    for seed in range(40):
        other = grids.draw_frame(random.Random(seed), 3, 3, "list", unlike=first)
        assert any(first[key] != other[key] for key in grids.CONVENTIONS)


def test_sixteen_conventions_are_sixteen_ways_to_write_a_cell():
    frame = grids.draw_frame(random.Random(0), 9, 9, "grid")
    conventions = grids.all_conventions(frame)
    assert len(conventions) == len({grids.to_frame((1, 3), f) for f in conventions.values()}) == 16


def test_a_drawing_comes_back_and_other_lines_are_skipped():
    frame = {"form": "grid", "rows": 2, "cols": 3, "origin": 0, "corner": "top-left", "order": "rc"}
    drawn = grids.draw_rows(frame, lambda cell: "#" if cell == (0, 1) else ".")
    assert drawn == ".#.\n..."
    text = f"Here:\n....\nabc\n{drawn}\n###"
    assert dict(grids.read_rows(text, frame, "#."))[(0, 1)] == "#"
    assert "".join(sign for _, sign in grids.read_rows(text, frame, "#.")) == ".#...."


# A corridor (0, 0) .. (0, 4) with a side room at (1, 1): four steps to the goal.
OPEN = [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 1)]


def corridor_steps(cell):
    return [c for c in grids.neighbours(cell) if c in OPEN]


def test_distances_and_one_shortest_path():
    distance = grids.distances_to((0, 4), corridor_steps)
    assert distance == {(0, 4): 0, (0, 3): 1, (0, 2): 2, (0, 1): 3, (0, 0): 4, (1, 1): 4}
    assert grids.descend((0, 0), distance, corridor_steps) == OPEN[:5]


@pytest.mark.parametrize(
    ("path", "score"),
    [
        (OPEN[:5], 1.0),
        (OPEN[:4], 0.75),
        ([(0, 0), (0, 1), (1, 1)], 0.25),  # leaves the shortest path after one step
        ([(0, 0), (0, 1), (0, 1), (0, 2)], 0.25),  # stands still
        ([(0, 0), (0, 1), (0, 2), (0, 4)], 0.5),  # jumps
        ([(0, 0), (0, 1), (0, 2), (1, 2), (0, 4)], 0.5),  # through a wall
        ([(0, 0)], 0.0),
        (OPEN[1:5], 0.0),  # does not begin at the start
        (OPEN[4::-1], 0.0),
        ([*OPEN[:5], (0, 3)], 0.0),  # goes on after the goal
        (OPEN[:5] + OPEN[4::-1], 0.0),  # twice the optimal steps or more: a listing
        ([], 0.0),
    ],
)
def test_prefix_scores_by_hand(path, score):
    distance = grids.distances_to((0, 4), corridor_steps)
    assert gridpaths.prefix_score(path, (0, 0), distance, corridor_steps) == score


def test_no_way_to_the_goal_scores_nothing():
    assert gridpaths.prefix_score([(0, 0), (0, 1)], (0, 0), {(0, 4): 0}, corridor_steps) == 0.0


@pytest.mark.parametrize(
    "value",
    [None, {}, [], "x", [1, 2], [[1]], [[0, 0, 0]], [[0, True]], [[0, 9]], [["a", 0]], [[0, 0]] * 401],
)
def test_what_is_no_list_of_cells(value):
    frame = {"form": "list", "rows": 3, "cols": 3, "origin": 0, "corner": "top-left", "order": "rc"}
    assert gridpaths.read_cells(value, frame) is None
    assert gridpaths.read_cells([[0, "1"], [2.0, 2]], frame) == [(0, 1), (2, 2)]


def test_blank_cells_skip_ends_and_known_cells():
    facts = {("rows",): 2, ("start",): (0, 0), ("goal",): (1, 1), ("cell", 0, 1): "free", ("cell", 7, 7): "x"}
    assert gridpaths.blank_cells(facts) == [(1, 0)]
