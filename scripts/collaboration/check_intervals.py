"""Are the study's intervals honest? Made-up studies whose truth is known -> ``intervals.parquet``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scripts.collaboration.compare_arms import task_means as arm_means
from scripts.collaboration.compare_pairs import DIFFERENCES as PAIR_DIFFERENCES
from scripts.collaboration.compare_pairs import scope_means as pair_scope_means
from scripts.collaboration.compare_pairs import task_means as pair_means
from scripts.collaboration.design_schemas import INTERVALS
from scripts.collaboration.estimate_game_values import MEASURES as GAME
from scripts.collaboration.estimate_game_values import measures as game_measures
from scripts.collaboration.estimate_game_values import task_game
from scripts.collaboration.estimate_tax import MEASURES, Means, scope_means, task_means
from scripts.collaboration.layout import BASELINE
from scripts.collaboration.simulated_scores import ARM, EQUAL, SHAPES, STRONG, TASKS, WEAK, Shape, draw_scores
from scripts.lib.analysis.bootstrap import Array, draw_weights
from scripts.lib.analysis.intervals import DIFFERENCE, SCORE, Bounds, mean_interval, ratio_interval
from scripts.lib.stage import run
from scripts.lib.tables import write_rows
from scripts.lib.text import aligned

Row = dict[str, Any]
LEVEL, LEAST, MOST = 0.95, 0.93, 0.97  # of the intervals; between which the covered share must lie
FEW = 20  # instances unlike the commonest value, below which an interval may be too wide
ERRORS = 4.0  # Monte Carlo standard errors within which a bias must lie; hundreds of rows are looked at
LEAST_WHOLE = 0.05  # of which a ratio is taken, as least_solo and least_tax
COUNTS = (10, 20, 50)
SINGLE = "task 3"
SCOPES = {"task": [SINGLE], "family": list(TASKS)[:4], "all": list(TASKS)}
PAIRS = {"equals": [STRONG, EQUAL], "unequals": [STRONG, WEAK]}
OF_GAME = ("tax", "surplus", "phi_1", "phi_2")
OF_PAIR = (
    "slot_effect",
    "midpoint_solo",
    "midpoint_own",
    "from_midpoint_solo",
    "from_midpoint_own",
)
BIASED = "tax, equals"  # the better of two like members seems better than it is: known, and shown
TRUTH, BLOCK = 400_000, 100  # instances a task that tell the truth; studies at once, on one draw of weights
ALIKE = 20_000  # instances that tell how many are alike


class Drawn(NamedTuple):
    """A task's means and games, each (..., 1 + resamples), by the tables' own functions."""

    alone: Means
    arm: Means
    pair: Means
    games: dict[str, Array]


class Quantity(NamedTuple):
    """Means (..., 1 + resamples), or two of which the ratio is meant."""

    part: Array
    whole: Array | None = None
    bounds: Bounds = DIFFERENCE

    def estimate(self) -> Array:
        """The estimates (...), NaN where a ratio is undefined."""
        if self.whole is None:
            return self.part[..., 0]
        whole = np.where(self.whole[..., 0] >= LEAST_WHOLE, self.whole[..., 0], np.nan)
        return self.part[..., 0] / whole

    def interval(self, sizes: Sequence[int]) -> tuple[Array, Array]:
        """The intervals (low, high), each (...), as the tables have them."""
        if self.whole is None:
            return mean_interval(self.part, LEVEL, sizes, self.bounds)
        low, high = ratio_interval(self.part, self.whole, LEVEL, sizes)
        undefined = np.isnan(self.estimate())
        return np.where(undefined, np.nan, low), np.where(undefined, np.nan, high)


def check_intervals(output: Path, job: Row, threads: int) -> None:
    """Write and print a row a shape of scores, instances a task, scope and quantity; exit code 1 for a miss.

    ``job``: replications, resamples, seed. So many small studies of each kind are drawn and go through the
    functions that make the tables. covered is the share of the 95 % intervals that hold the true value,
    which a large draw of the same scores tells; given is the share of the studies that have an interval.

    A miss is a covered share outside of 93 to 97 %, where half of the studies have an interval, or a bias
    beyond its Monte Carlo error. Above 97 % is none where fewer than FEW instances are expected to differ
    from the commonest value: on such small counts no interval can hold both bounds (Brown, Cai and DasGupta
    2001). Bias is not judged where some studies have no interval, nor of BIASED. The last lines count these.
    """
    cases = [(shape, count, job) for shape in range(len(SHAPES)) for count in COUNTS]
    with ProcessPoolExecutor(threads) as pool:
        rows = [row for part in pool.map(_case, cases) for row in part]
    write_rows(output, rows, INTERVALS)
    print("\n".join(describe(rows)))
    sys.exit(1 if any(row["miss"] for row in rows) else 0)


def _case(case: tuple[int, int, Row]) -> list[Row]:
    from threadpoolctl import threadpool_limits

    shape, count, job = case
    with threadpool_limits(1):  # each process has a core; more threads would only wait for each other
        return list(check_case(SHAPES[shape], count, job))


def check_case(shape: Shape, count: int, job: Row, truth: int = TRUTH) -> Iterator[Row]:
    """The rows of one shape of scores with so many instances a task; truth: instances that tell it."""
    many = {task: _drawn(shape, task, (truth,), [job["seed"], 0], np.ones((1, truth))) for task in TASKS}
    single = _drawn(shape, SINGLE, (ALIKE, 1), [job["seed"], 0], np.ones((1, 1)))
    each = quantities([single])
    blocks = [_block(shape, count, job, block) for block in range(-(-job["replications"] // BLOCK))]
    for scope, tasks in SCOPES.items():
        for name, true in quantities([many[task] for task in tasks]).items():
            found = [np.concatenate(ends) for ends in zip(*(its[scope, name] for its in blocks), strict=True)]
            row: Row = {"shape": shape.name, "instances": count, "scope": scope, "quantity": name}
            row |= {"differing": _differing(each[name].part[..., 0]) * count * len(tasks)}
            row |= measured(found, float(true.estimate().item()), count / truth)
            yield row | {"miss": miss(row)}


def _block(shape: Shape, count: int, job: Row, block: int) -> dict[tuple[str, str], list[Array]]:
    """Estimates and ends of the intervals of BLOCK studies, by scope and quantity."""
    seed = [job["seed"], count, block + 1]
    by_task = {}
    for task in TASKS:
        weights = draw_weights(job["seed"] + block, task, job["resamples"], count)
        by_task[task] = _drawn(shape, task, (BLOCK, count), seed, weights)
    return {
        (scope, name): [its.estimate(), *its.interval([count] * len(tasks))]
        for scope, tasks in SCOPES.items()
        for name, its in quantities([by_task[task] for task in tasks]).items()
    }


def _drawn(shape: Shape, task: str, size: tuple[int, ...], seed: Sequence[int], weights: Array) -> Drawn:
    """A task's means by the tables' own functions, of scores drawn for it."""
    scores = draw_scores(shape, task, size, seed)
    return Drawn(
        task_means(scores, weights, BASELINE, [STRONG], task),
        arm_means(scores, weights, ARM, STRONG, task),
        pair_means(scores, weights, PAIRS["unequals"], task),
        {name: task_game(scores, weights, team, "solo_full", task) for name, team in PAIRS.items()},
    )


def quantities(tasks: Sequence[Drawn]) -> dict[str, Quantity]:
    """What the tables estimate, of means over tasks."""
    one = scope_means([its.alone for its in tasks])
    found = {
        name: Quantity(one[name], bounds=SCORE if len(modes) == 1 else DIFFERENCE)
        for name, modes in MEASURES.items()
    }
    found["ratio gap"] = Quantity(one["tax"], one["solo_full"])
    gain, tax = (np.mean([its.arm[name] for its in tasks], axis=0) for name in ("gain", "tax"))
    found |= {"gain": Quantity(gain), "recovered": Quantity(gain, tax)}
    pairs, _ = pair_scope_means([its.pair for its in tasks])
    for name in OF_PAIR:
        bounds = DIFFERENCE if name.startswith(PAIR_DIFFERENCES) else SCORE
        found[f"{name.replace('_', ' ')}, pair"] = Quantity(pairs[name], bounds=bounds)
    for pair in PAIRS:
        game = np.mean([its.games[pair] for its in tasks], axis=0)
        values = game_measures(game)
        found |= {f"{name}, {pair}": Quantity(values[name], bounds=GAME[name]) for name in OF_GAME}
    return found


def _differing(values: Array) -> float:
    """The share of values unlike the commonest one."""
    return float(1 - np.unique(values, return_counts=True)[1].max() / len(values))


def measured(found: Sequence[Array], true: float, precision: float) -> Row:
    """Bias and coverage of estimates and ends; precision: the truth's own variance over an estimate's."""
    estimate, low, high = found
    defined, given = ~np.isnan(estimate), ~np.isnan(low)
    spread = np.std(estimate[defined]) if defined.any() else np.nan
    some = given.any()
    return {
        "true": true,
        "bias": float(np.mean(estimate[defined]) - true) if defined.any() else None,
        "bias_error": float(spread * np.sqrt(1 / defined.sum() + precision)) if defined.any() else None,
        "given": float(given.mean()),
        "covered": float(np.mean(((low <= true) & (true <= high))[given])) if some else None,
        "width": float(np.median((high - low)[given])) if some else None,
    }


def miss(row: Row) -> str | None:
    """What is wrong with a row, in words; null for nothing."""
    if not has_intervals(row):
        return None
    most = 1.0 if few_differ(row) else MOST
    if not LEAST <= row["covered"] <= most:
        return f"covered outside of {LEAST:.0%} to {most:.0%}"
    if bias_is_judged(row) and abs(row["bias"]) > ERRORS * row["bias_error"]:
        return "biased"
    return None


def has_intervals(row: Row) -> bool:
    """Whether half of the studies or more have an interval: of fewer the coverage is not judged."""
    return bool(row["given"] >= 0.5)


def few_differ(row: Row) -> bool:
    """Whether so few values differ that an interval may be too wide."""
    return bool(row["differing"] < FEW)


def bias_is_judged(row: Row) -> bool:
    """Not where studies with a small whole are left out, as the rest is biased, nor where it is known."""
    return bool(has_intervals(row) and row["given"] == 1 and row["quantity"] != BIASED)


def describe(rows: Sequence[Row]) -> list[str]:
    """The table as lines of text, how many rows miss and how many are not judged in full."""
    head = ("scores", "instances", "scope", "quantity", "true", "bias", "error of it", "given", "covered", "")
    lines = [
        (
            row["shape"],
            str(row["instances"]),
            row["scope"],
            row["quantity"],
            *("-" if row[name] is None else f"{row[name]:.4f}" for name in ("true", "bias", "bias_error")),
            f"{row['given']:.0%}",
            "-" if row["covered"] is None else f"{row['covered']:.1%}",
            _note(row),
        )
        for row in rows
    ]
    return [*aligned([head, *lines], {0, 2, 3, 9}), "", *_sums(rows)]


def _note(row: Row) -> str:
    if row["miss"]:
        return f"MISS: {row['miss']}"
    notes = {
        "few have an interval": not has_intervals(row),
        "few differ": few_differ(row),
        "biased upwards": row["quantity"] == BIASED,
        "some undefined": has_intervals(row) and row["given"] < 1,
    }
    return ", ".join(name for name, holds in notes.items() if holds)


def _sums(rows: Sequence[Row]) -> list[str]:
    """How many kinds of interval miss, and how many are excused from what."""
    judged = [row for row in rows if has_intervals(row)]
    few = [row for row in judged if few_differ(row)]
    wide = sum(row["covered"] > MOST for row in few)
    unbiased = sum(bias_is_judged(row) for row in rows)
    return [
        f"{len(rows)} kinds of interval, {sum(row['miss'] is not None for row in rows)} missed",
        f"- coverage not judged: {_share(len(rows) - len(judged), rows)}, fewer than half of the studies "
        "have an interval",
        f"- above {MOST:.0%} allowed: {_share(len(few), rows)}, few values differ; {wide} of them are above",
        f"- bias not judged: {_share(len(rows) - unbiased, rows)}, a ratio that some studies have not, or "
        "the better of two like members",
    ]


def _share(count: int, rows: Sequence[Row]) -> str:
    return f"{count} ({count / len(rows):.0%})"


if __name__ == "__main__":
    run(check_intervals)
