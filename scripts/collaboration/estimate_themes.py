"""Relate the themes to tasks and stages: ``themes/`` -> ``statistics/{themes,theme_tasks,theme_stages}``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scripts.collaboration.schemas import JUDGEMENTS, ROLLOUT_ID
from scripts.collaboration.theme_schemas import (
    ASSIGNMENTS,
    NAMES,
    THEME_STAGES,
    THEME_SUMMARY,
    THEME_TASKS,
    THEMES,
)
from scripts.lib.analysis.bootstrap import Array, interval
from scripts.lib.analysis.proportions import wilson
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.stage import run
from scripts.lib.tables import read_rows, write_rows

PERMUTATIONS = 1000
NAMED = 3  # top terms that make a name

Row = dict[str, Any]
Rollout = tuple[Any, ...]


def estimate_themes(
    themes: Path,
    assignments: Path,
    names: list[Path],
    judgements: list[Path],
    output: Path,
    job: dict[str, Any],
) -> None:
    """Write ``themes``, ``theme_tasks`` and ``theme_stages`` into the folder ``output``.

    ``job``: tasks ({task: family}), seed, level. ``names``: the one table of a namer, or none.

    - themes: name and size of each theme and how concentrated it is on single tasks. Concentration is the sum
      of squared task shares (Herfindahl index), 1 where all its descriptions are of one task. By chance:
      descriptions dealt to themes of the same sizes at random; the expectation is exact, the interval is of
      1,000 permutations of the tasks over the descriptions.
    - theme_tasks: descriptions of every theme and task, and what chance would expect.
    - theme_stages: how often each stage fires in the judged rollouts of a theme, and in all judged rollouts
      that are in a theme; Wilson intervals over rollouts. Null where no rollout is in both samples.
    """
    placed: dict[str, list[Row]] = defaultdict(list)
    for row in read_rows(assignments, ASSIGNMENTS):
        if row["theme"] is not None:
            placed[row["source"]].append(row)
    found = read_rows(themes, THEMES)
    named = {_theme(row): row["name"] for path in names for row in read_rows(path, NAMES)}
    fired = _fired(judgements)
    summary, by_task, by_stage = [], [], []
    for source, rows in placed.items():
        own = [theme for theme in found if theme["source"] == source]
        counts = _counts(rows, len(own), list(job["tasks"]))
        summary += _summary(own, counts, named, job)
        by_task += _by_task(source, counts, rows, job["tasks"])
        by_stage += _by_stage(source, rows, len(own), fired, job["level"])
    write_rows(output / "themes.parquet", summary, THEME_SUMMARY)
    write_rows(output / "theme_tasks.parquet", by_task, THEME_TASKS)
    write_rows(output / "theme_stages.parquet", by_stage, THEME_STAGES)


def _theme(row: Row) -> tuple[Any, ...]:
    """What a theme is known by: its number alone may be another theme's after a change."""
    return row["source"], row["theme"], *row["top_terms"]


def _counts(rows: Sequence[Row], themes: int, tasks: Sequence[str]) -> Array:
    """Descriptions of each theme and task, (themes, tasks)."""
    counts = np.zeros((themes, len(tasks)))
    for row in rows:
        counts[row["theme"], tasks.index(row["task"])] += 1
    return counts


def concentration(counts: Array) -> Array:
    """Sum of squared shares over the last axis, in (0, 1]; rows must not be empty."""
    shares = counts / counts.sum(axis=-1, keepdims=True)
    return np.asarray((shares**2).sum(axis=-1), dtype=np.float64)


def expected_concentration(size: float, totals: Array) -> float:
    """Its expectation when ``size`` of all descriptions (``totals`` by task) are drawn without replacement.

    The count of a task is then hypergeometric: its second moment is variance plus squared mean.
    """
    everyone = totals.sum()
    mean = size * totals / everyone
    spread = mean * (1 - totals / everyone) * (everyone - size) / max(everyone - 1, 1)
    return float((spread + mean**2).sum() / size**2)


def chance_concentration(counts: Array, seed: int, level: float) -> tuple[Array, Array]:
    """Percentile interval (low, high), each (themes,), of the concentration under permuted tasks."""
    tasks = np.repeat(np.arange(counts.shape[1]), counts.sum(axis=0).astype(int))
    themes = np.repeat(np.arange(counts.shape[0]), counts.sum(axis=1).astype(int))
    rng, dealt = np.random.default_rng(seed), np.zeros((counts.shape[0], PERMUTATIONS))
    for number in range(PERMUTATIONS):
        cells = themes * counts.shape[1] + rng.permutation(tasks)
        again = np.bincount(cells, minlength=counts.size).reshape(counts.shape)
        dealt[:, number] = concentration(again.astype(np.float64))
    return interval(dealt, level)


def _summary(themes: list[Row], counts: Array, named: dict[Any, str | None], job: Row) -> list[Row]:
    low, high = chance_concentration(counts, job["seed"], job["level"])
    tasks, table = list(job["tasks"]), []
    for theme, of_tasks, value, least, most in zip(
        themes, counts, concentration(counts), low, high, strict=True
    ):
        model = named.get(_theme(theme))
        top = int(np.argmax(of_tasks))
        row = {name: theme[name] for name in THEMES.names}
        row |= {"name": model or term_name(theme), "named_by": "model" if model else "terms"}
        row |= {"tasks": int((of_tasks > 0).sum()), "top_task": tasks[top]}
        row |= {"top_task_share": of_tasks[top] / of_tasks.sum(), "concentration": value}
        row["expected"] = expected_concentration(theme["size"], counts.sum(axis=0))
        table.append(row | {"chance_low": least, "chance_high": most})
    return table


def term_name(theme: Row) -> str:
    """A theme's name without a namer: its top terms, without words that stand in a longer one of them."""
    terms: list[str] = []
    for term in theme["top_terms"]:
        if not any(set(term.split()) & set(other.split()) for other in terms):
            terms.append(term)
    return ", ".join(terms[:NAMED]) or f"theme {theme['theme'] + 1}"


def _by_task(source: str, counts: Array, rows: Sequence[Row], tasks: dict[str, str]) -> list[Row]:
    table, everyone = [], counts.sum()
    simulated = any(row["simulated"] for row in rows)
    for theme, of_tasks in enumerate(counts):
        for (task, family), count, total in zip(tasks.items(), of_tasks, counts.sum(axis=0), strict=True):
            row = {"source": source, "theme": theme, "task": task, "family": family, "simulated": simulated}
            row |= {"count": int(count), "described": int(total), "size": int(of_tasks.sum())}
            row["expected"] = of_tasks.sum() * total / everyone
            table.append(row | {"share": count / of_tasks.sum()})
    return table


def _fired(judgements: Sequence[Path]) -> dict[str, dict[Rollout, bool]]:
    """By stage: whether it fired in each rollout that was judged."""
    fired: dict[str, dict[Rollout, bool]] = {stage: {} for stage in STAGES}
    wanted = [*ROLLOUT_ID, "stage", "satisfied"]
    for row in (row for path in judgements for row in read_rows(path, JUDGEMENTS, wanted)):
        if row["satisfied"] is not None:
            fired[row["stage"]][_identity(row)] = not row["satisfied"]
    return fired


def _identity(row: Row) -> Rollout:
    return tuple(row[name] for name in ROLLOUT_ID)


def _by_stage(
    source: str, rows: Sequence[Row], themes: int, fired: dict[str, dict[Rollout, bool]], level: float
) -> list[Row]:
    table = []
    for stage, of_rollouts in fired.items():
        judged, firing = Counter[int](), Counter[int]()
        for row in rows:
            if (known := of_rollouts.get(_identity(row))) is not None:
                judged[row["theme"]] += 1
                firing[row["theme"]] += known
        overall = firing.total() / judged.total() if judged.total() else None
        for theme in range(themes):
            row = {"source": source, "theme": theme, "stage": stage, "judged": judged[theme]}
            row |= {"simulated": any(r["simulated"] for r in rows), "fired": firing[theme]}
            row |= _rate(firing[theme], judged[theme], level)
            table.append(row | {"overall": overall})
    return table


def _rate(count: int, size: int, level: float) -> Row:
    if not size:
        return {"rate": None, "rate_low": None, "rate_high": None}
    low, high = wilson(count, size, level)
    return {"rate": count / size, "rate_low": low, "rate_high": high}


if __name__ == "__main__":
    run(estimate_themes)
