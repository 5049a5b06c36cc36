"""What the tests of the spatial tasks share: hand-made frames, and scores of answers."""

import itertools

PLAIN = {"form": "grid", "rows": 3, "cols": 3, "origin": 0, "corner": "top-left", "order": "rc"}
TURNED = PLAIN | {"form": "list", "origin": 1, "corner": "bottom-right", "order": "cr"}
FRAMES = {"full": PLAIN, "a": PLAIN, "b": TURNED}
EVERY_CELL = [[r, c] for r, c in itertools.product(range(3), repeat=2)]
SNAKE = [[0, 0], [0, 1], [0, 2], [1, 2], [1, 1], [1, 0], [2, 0], [2, 1], [2, 2]]


def graded(task, facts, value):
    """Score of a JSON value read in the plain notation only."""
    answer = task.interpret(value, PLAIN)
    return 0.0 if answer is None else task.grade(facts, task.solve(facts), answer)


def scored(task, facts, text):
    """Score of a reply as a model wrote it, in the best accepted notation."""
    value, _ = task.read_answer(text)
    return task.score(facts, task.solve(facts), value, FRAMES).score


def text_of(task, facts, frame):
    """The facts as said in a frame, as they are heard back from the block."""
    ((heard_frame, heard),) = task.hear_blocks(task.block(facts, frame))
    assert heard_frame == frame
    return heard
