"""How many instances the planned comparisons need, from the variance measured so far -> ``power.parquet``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scripts.collaboration.cells import Cell, read_scores
from scripts.collaboration.design_schemas import POWER, VARIANCE_COMPONENTS
from scripts.collaboration.layout import BASELINE, artifacts, modes_of
from scripts.collaboration.scopes import Scope, scopes
from scripts.lib.analysis import variance
from scripts.lib.analysis.bootstrap import Array, Estimate, draw_weights, estimate_columns
from scripts.lib.analysis.intervals import estimate_mean
from scripts.lib.errors import UserError
from scripts.lib.names import team_name
from scripts.lib.stage import run
from scripts.lib.tables import write_rows
from scripts.lib.text import aligned

Row = dict[str, Any]
Scores = Mapping[Cell, Array]
REPEATS = (2, 4)  # rollouts an instance, besides 1


class Comparison(NamedTuple):
    """A planned difference of scores: of each instance, the first cell's less the second's."""

    quantity: str
    arm: str
    team: str
    models: tuple[str, ...]
    first: tuple[str, str, str]  # arm, team, mode
    second: tuple[str, str, str]


def estimate_power(data: Path, output: Path, components_output: Path, job: Row) -> None:
    """Write and print what the grades that are there say about the comparisons that are planned.

    ``job``: arms, arm_models, teams, modes, tasks ({task: family}), batches, rollouts (planned a cell),
    simulated ({model: bool}), statistics (resamples, seed, level), half_width.

    - Components of variance (``variance.components``): over the tasks of a scope, on the instances that all
      single models were graded on in all modes. Null with fewer than two models or modes.
    - A comparison's variance is that of an instance's difference, so what both cells share on an instance is
      out of it. seeds is how many instances a task give an interval of half_width on each side. r rollouts an
      instance leave (1 - s) + s / r of the variance of a tax, s = rollout / (rollout + instance x mode). That
      is the most that they can help: "rollout" also holds what suits one model in one mode on an instance.

    Raises UserError where nothing is graded yet.
    """
    files = [path for path in artifacts(data, "grades", job) if path.exists()]
    scores = read_scores(files, job)
    if all(np.isnan(its).all() for its in scores.values()):
        raise UserError(f"nothing is graded below {data}; run a few rollouts first (rollouts: 5 will do)")
    within = [scope for scope in scopes(job["tasks"]) if scope.scope != "task"]
    parts = {scope.family: component_rows(scores, scope, job) for scope in within}
    rows = [
        power_row(scores, comparison, scope, rollout_share(parts[scope.family], comparison), job)
        for comparison in comparisons(job)
        for scope in within
    ]
    components = [row for its in parts.values() for row in its]
    write_rows(components_output, components, VARIANCE_COMPONENTS)
    write_rows(output, rows, POWER)
    print("\n".join([*describe_components(components), "", *describe_power(rows, job)]))


def comparisons(job: Row) -> Iterator[Comparison]:
    """The planned comparisons: taxes, gains of the arms, and the two slot orders of a pair."""
    teams, modes = [tuple(team) for team in job["teams"]], set(job["modes"])
    for team in teams if {"solo_full", "collab"} <= modes else ():
        name = team_name(team)
        for model in dict.fromkeys(team):
            against = f"{name} against {model}" if len(team) > 1 else name
            solo = (BASELINE, model, "solo_full")
            yield Comparison("tax", BASELINE, against, team, solo, (BASELINE, name, "collab"))
    for arm in (arm for arm in job["arms"] if arm != BASELINE):
        for team in (team for team in teams if modes_of(arm, team, job)):
            name = team_name(team)
            yield Comparison("gain", arm, name, team, (arm, name, "collab"), (BASELINE, name, "collab"))
    for team in teams:
        if len(team) == 2 and team < team[::-1] and team[::-1] in teams:
            one, other = ((BASELINE, team_name(order), "collab") for order in (team, team[::-1]))
            yield Comparison("slot effect", BASELINE, team_name(team), team, one, other)


def component_rows(scores: Scores, scope: Scope, job: Row) -> list[Row]:
    """A row a component of the variance in a scope."""
    models, modes = [team[0] for team in job["teams"] if len(team) == 1], job["modes"]
    blocks, weights = {}, {}
    for task in scope.tasks:
        block = crossed(scores, models, modes, task, job["rollouts"])
        complete = ~np.isnan(block).any(axis=(1, 2))
        if complete.sum() > 1:
            blocks[task] = block[complete]
            weights[task] = _weights(job, task, len(blocks[task]))
    sizes = [len(block) for block in blocks.values()]
    reason = undecided(models, modes, list(blocks.values()))
    found = {} if reason else variance.components(blocks, weights)
    row: Row = {"scope": scope.scope, "family": scope.family, "tasks": len(blocks), "reason": reason}
    row |= {"instances": sum(sizes), "models": len(models), "modes": len(modes)}
    row |= {"simulated": any(job["simulated"][model] for model in models)}
    return [row | {"component": name} | _columns(found.get(name), sizes, job) for name in variance.COMPONENTS]


def _columns(values: Array | None, sizes: Sequence[int], job: Row) -> Row:
    """A component with its interval; no variance is below 0, though an estimate of one may be."""
    if values is None:
        return {}
    found = estimate_mean(values, job["statistics"]["level"], sizes, (0, np.inf))
    return estimate_columns("variance", Estimate(max(found.mean, 0.0), found.low, found.high))


def crossed(scores: Scores, models: Sequence[str], modes: Sequence[str], task: str, rollouts: int) -> Array:
    """The scores of a task (rollouts, models, modes) in the baseline; NaN where there is none."""
    missing = np.full(rollouts, np.nan)
    cells = [[scores.get((BASELINE, model, mode, task), missing) for mode in modes] for model in models]
    return np.moveaxis(np.array(cells).reshape(len(models), len(modes), rollouts), -1, 0)


def _weights(job: Row, task: str, size: int) -> Array:
    statistics = job["statistics"]
    return draw_weights(statistics["seed"], f"power/{task}", statistics["resamples"], size)


def undecided(models: Sequence[str], modes: Sequence[str], blocks: Sequence[Array]) -> str | None:
    """Why the components cannot be told apart; null where they can."""
    if len(models) < 2 or len(modes) < 2:
        return "one model or one mode: instance and rollout cannot be told apart"
    if not blocks:
        return "no task with two instances that all models were graded on in all modes"
    if all((block == block[0]).all() for block in blocks):
        return "all instances score alike: nothing varies"
    return None


def rollout_share(components: Sequence[Row], comparison: Comparison) -> float | None:
    """The rollout's part of the variance of a difference between two modes; null where it is not known.

    Known for a tax only: between arms and teams nothing tells how the instances' own part differs.
    """
    if comparison.quantity != "tax" or any(row["reason"] for row in components):
        return None
    parts = {row["component"]: float(row["variance"]) for row in components}
    whole = parts["rollout"] + parts["instance x mode"]
    return parts["rollout"] / whole if whole else None


def power_row(scores: Scores, comparison: Comparison, scope: Scope, share: float | None, job: Row) -> Row:
    """What one comparison needs in one scope."""
    level, half_width = job["statistics"]["level"], job["half_width"]
    row: Row = {"quantity": comparison.quantity, "arm": comparison.arm, "team": comparison.team}
    row |= {"scope": scope.scope, "family": scope.family, "planned": job["rollouts"]}
    row |= {"simulated": any(job["simulated"][model] for model in comparison.models)}
    values = [differences(scores, comparison, task) for task in scope.tasks]
    values = [its for its in values if len(its) > 1]
    row |= {"tasks": len(values), "instances": sum(map(len, values))}
    measured = variance.mean_variance(values) if values else 0.0
    if not measured:
        why = "all differences are alike" if values else "no task with two instances graded in both"
        return row | {"reason": f"{why}: the variance is not known"}
    tasks = len(scope.tasks)
    seeds = variance.seeds_needed(measured, half_width, level, tasks)
    row |= {"variance": measured, "seeds": seeds}
    if job["rollouts"] > 1:
        row["half_width"] = variance.expected_half_width(measured, job["rollouts"], level, tasks)
    row["in_reach"] = seeds <= job["rollouts"]
    if share is not None:
        for repeats in REPEATS:
            fewer = measured * (1 - share + share / repeats)
            row[f"seeds_{repeats}"] = variance.seeds_needed(fewer, half_width, level, tasks)
    return row


def differences(scores: Scores, comparison: Comparison, task: str) -> Array:
    """The differences on the instances of a task that were graded in both cells."""
    missing = np.full(1, np.nan)
    first, second = (scores.get((*cell, task), missing) for cell in (comparison.first, comparison.second))
    values = first - second
    return values[~np.isnan(values)]


def describe_components(rows: Sequence[Row]) -> list[str]:
    """The components as lines of text."""
    head = ("variance of a score", "scope", "tasks", "instances", "estimate", "interval", "")
    lines = [
        (
            row["component"],
            row["family"] or "all",
            str(row["tasks"]),
            str(row["instances"]),
            *(
                ("-", row["reason"])
                if row["reason"]
                else (
                    f"{row['variance']:.4f}",
                    f"[{row['variance_low']:.4f}, {row['variance_high']:.4f}]",
                )
            ),
            "simulated" if row["simulated"] else "",
        )
        for row in rows
    ]
    return aligned([head, *lines], {0, 1, 5, 6})


def describe_power(rows: Sequence[Row], job: Row) -> list[str]:
    """The comparisons as lines of text, those out of reach marked."""
    head = ("comparison", "arm", "team", "scope", "half width", "seeds", "x 2", "x 4", "", "")
    lines = [
        (
            row["quantity"],
            row["arm"],
            row["team"],
            row["family"] or "all",
            "-" if row.get("half_width") is None else f"{row['half_width']:.3f}",
            *("-" if row.get(name) is None else f"{row[name]:,}" for name in ("seeds", "seeds_2", "seeds_4")),
            "simulated" if row["simulated"] else "",
            row.get("reason") or ("" if row["in_reach"] else "out of reach"),
        )
        for row in rows
    ]
    unknown = sum(row.get("reason") is not None for row in rows)
    far = sum(row.get("in_reach") is False for row in rows)
    return [
        f"Half width expected with {job['rollouts']} instances a task; instances a task (seeds) for "
        f"{job['half_width']:g},",
        "with 1, 2 (x 2) or 4 (x 4) rollouts of each. Out of reach: more are needed than are planned.",
        *aligned([head, *lines], {0, 1, 2, 3, 8, 9}),
        "",
        f"{len(rows)} comparisons: {far} out of reach, of {unknown} the variance is not known",
    ]


if __name__ == "__main__":
    run(estimate_power)
