"""Planted effects of clauses come back out: dialogues of simulated agents, graded, compared."""

from __future__ import annotations

import pytest

from scripts.collaboration.arms import READY
from scripts.lib.dialogue.prompts import prompt
from tasks import TASKS
from tests.collaboration.statistics_cases import SHAPE, grades_of
from tests.collaboration.test_compare_arms import compared, find, job_of
from tests.lib.agents.simulated.game import graded, instance, mean, play, profile

GAMES = ("maze", "treesum", "schedule")
COUNT, MANY = 40, range(1000, 1160)  # instances of the study, and others for the true values
HEED = {"attribution": 0.0, "querying": 0.8, "integration": 0.0, "verification": 0.0}
RATES = {"attribute": 0.7, "ask": 0.2, "integrate": 0.9, "verify": 0.6, "skill": 0.95, "frame": 0.95}
LEVEL = 0.99  # a right interval misses once in a hundred tests


def played(agent, task, indices, mode="collab", arm=None):
    """Scores of an agent with itself under the clauses of an arm."""
    clauses = [prompt(f"clause_{clause}") for clause in READY.get(arm, [])]
    made = [instance(task, "tiny", index) for index in indices]
    return [graded(task, one, play(agent, mode, task, one, clauses).answer) for one in made]


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """A small study of one agent that heeds the clause of querying alone."""
    agent, cells = profile("simulated-middle", heed=HEED, **RATES), []
    for task in GAMES:
        cells.append(grades_of("sim", "solo_full", played(agent, task, range(COUNT), "solo_full"), task))
        cells.append(grades_of("sim", "collab", played(agent, task, range(COUNT)), task))
        for arm in ("only_l1", "only_l2"):
            cells.append(grades_of("sim", "collab", played(agent, task, range(COUNT), arm=arm), task, arm))
    statistics = SHAPE | {"resamples": 1000, "level": LEVEL, "least_tax": 0.05}
    tasks = {task: TASKS[task] for task in GAMES}
    job = job_of("only_l1", "only_l2", teams=("sim",), tasks=tasks, rollouts=COUNT, statistics=statistics)
    return compared(tmp_path_factory.mktemp("effects"), job, *cells)


def overall(agent, mode="collab"):
    return mean([mean(played(agent, task, MANY, mode)) for task in GAMES])


def test_a_planted_effect_lies_in_its_interval(rows):
    """The true effect: many other instances, played without a clause by agents that have the raised rate."""
    before = profile("simulated-middle", **RATES)
    after = profile("simulated-middle", **RATES | {"ask": 0.2 + 0.8 * 0.8})
    gain = overall(after) - overall(before)
    tax = overall(before, "solo_full") - overall(before)
    row = find(rows, "only_l2", "sim")
    assert gain > 0.1 and tax > 0.1
    assert row["gain_low"] < gain < row["gain_high"]
    assert row["tax_low"] < tax < row["tax_high"]
    assert 0 < row["recovered_low"] < gain / tax < row["recovered_high"]


def test_a_clause_that_does_nothing_has_an_interval_with_0(rows):
    row = find(rows, "only_l1", "sim")
    assert row["gain_low"] < 0 < row["gain_high"] and row["recovered_low"] < 0 < row["recovered_high"]
