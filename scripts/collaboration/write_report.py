"""Write the report: tables, figures and a few transcripts -> ``report.html``, which needs no other file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scripts.collaboration.layout import BASELINE, artifacts
from scripts.collaboration.ordering import mean_gap, ordered_tasks
from scripts.collaboration.schemas import CELLS, TAX
from scripts.collaboration.sections import read_sections
from scripts.collaboration.transcripts import read_transcripts
from scripts.lib.drawing.numbers import UNKNOWN, decimal, interval, known, percent
from scripts.lib.drawing.save import replace_file
from scripts.lib.names import team_name
from scripts.lib.outcomes import Outcome
from scripts.lib.page import embed_figure, embed_script, render_page
from scripts.lib.stage import run
from scripts.lib.tables import read_rows
from tasks.contract import FAMILIES

TEMPLATES = Path(__file__).parent / "templates"
CAPTIONS = Path(__file__).parents[2] / "workflow" / "report"
LEAST_COVERED = 0.95  # share of graded among planned rollouts below which the report names the team
MOST_TRUNCATED = 0.02  # share of truncated replies above which the report warns
OUTCOMES = [outcome.value for outcome in Outcome]

Row = dict[str, Any]
Rows = list[Row]


def write_report(data: Path, figures: list[Path], output: Path, job: dict[str, Any]) -> None:
    """Write one HTML file that runs and shows nothing from elsewhere; ``figures`` are SVG files.

    ``data``: the study's data folder, of which the planned files are read. ``job``: arms, teams, modes,
    tasks ({task: family}), batches, size, rollouts, seed, statistics, report (transcripts: how many), models
    ({name: base_url, served_name, simulated, parameters or profile}), simulated ({model: bool}), and what
    the sections need. Captions are read from ``workflow/report/{stem of the figure}.rst``.
    """
    drawn = {path.stem: figure(path) for path in sorted(figures, key=lambda path: path.name)}
    sections = read_sections(data, job)
    claimed = {stem for section in sections for stem in section["figures"]}
    context = overview(data, job) | {
        "drawn": drawn,
        "figures": [its for stem, its in drawn.items() if stem not in claimed],
        "sections": sections,
        "scripts": [script(name) for section in sections for name in section["scripts"]],
        "transcripts": transcripts(data, job),
    }
    replace_file(output, render(context).encode("utf-8", "replace"))


def overview(data: Path, job: Row) -> Row:
    """What was run, and the tax: the part of the page that every study has."""
    cell_rows = read_rows(data / "statistics" / "cells.parquet", CELLS)
    tax_rows = read_rows(data / "statistics" / "tax.parquet", TAX)
    return {
        "job": job,
        "families": FAMILIES,
        "simulated": [name for name, flag in job["simulated"].items() if flag],
        "overall": overall(tax_rows, job),
        "models": models(job),
        "totals": totals(cell_rows),
        "runs": grouped(runs(cell_rows, job)),
        "outcomes": OUTCOMES,
        "most_truncated": percent(MOST_TRUNCATED),
        "least_covered": percent(LEAST_COVERED),
        "tractable": tractable(tax_rows, job),
        "tax": grouped(tax_table(tax_rows, job)),
        "gaps": gap_table(tax_rows, job),
        "floors": floors(cell_rows, job),
    }


def transcripts(data: Path, job: Row) -> Rows:
    """A few conversations, see ``read_transcripts``."""
    talks = job | {"modes": [mode for mode in job["modes"] if mode == "collab"]}
    instances, views = (artifacts(data, stage, talks) for stage in ("instances", "views"))
    rollouts, answers, grades = (artifacts(data, stage, talks) for stage in ("rollouts", "answers", "grades"))
    return read_transcripts(instances, views, rollouts, answers, grades, job)


def script(name: str) -> Row:
    """A script of the templates."""
    return embed_script(TEMPLATES / name)


def render(context: Row) -> str:
    """The report for a context."""
    return render_page(TEMPLATES, "report.html", context)


def label(team: Sequence[str], arm: str, job: Row) -> str:
    """A team's name with the word "simulated" where it belongs, and the arm where it is not the baseline."""
    simulated = [name for name in dict.fromkeys(team) if job["simulated"][name]]
    name = team_name(tuple(team))
    if simulated:
        only_some = len(simulated) < len(set(team))
        name += f" ({', '.join(simulated)} simulated)" if only_some else " (simulated)"
    return name if arm == BASELINE else f"{name}, {arm}"


def grouped(rows: Rows) -> Rows:
    """Rows with ``span``: how many rows a label covers, on the first of them, 0 on the others."""
    sizes = Counter(row["label"] for row in rows)
    return [row | {"span": sizes.pop(row["label"], 0)} for row in rows]


def groups(job: Row, arms: Sequence[str] = (BASELINE,)) -> list[tuple[str, str, list[str]]]:
    """Every arm and team of the config as (arm, team's name, its models); other arms have a section."""
    return [(arm, team_name(tuple(team)), team) for arm in arms for team in job["teams"]]


def scoped(rows: Rows, arm: str, team: str, scope: str) -> Rows:
    """The rows of the tax table of one arm, team and scope."""
    return [row for row in rows if (row["arm"], row["team"], row["scope"]) == (arm, team, scope)]


def estimate(row: Row, name: str) -> str:
    """A measure of a row with its interval."""
    return interval(row[name], row[f"{name}_low"], row[f"{name}_high"])


def overall(rows: Rows, job: Row) -> Rows:
    """For every team its tax over all tasks, as text."""
    return [
        {"label": label(team, arm, job), "mixed": len(team) > 1, "dagger": row["dagger"]}
        | {name: estimate(row, name) for name in ("solo_full", "collab", "tax")}
        for arm, name, team in groups(job)
        for row in scoped(rows, arm, name, "all")
    ]


def models(job: Row) -> Rows:
    """For every model where it was reached, and what was sent or planted."""
    return [
        {
            "name": name,
            "simulated": model["simulated"],
            "endpoint": "embedded simulated agent"
            if model["simulated"]
            else _without_secrets(model["base_url"]),
            "served_name": model["served_name"] or name,
            "settings": spelled(model["profile"] if model["simulated"] else model["parameters"]),
        }
        for name, model in job["models"].items()
    ]


def _without_secrets(url: str) -> str:
    """An address without user, password and query, which may hold a key."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def spelled(settings: Row, prefix: str = "") -> str:
    """Nested settings in one line: ``skill.spatial 0.9, ask 0.8``; a dash for none."""
    parts = [
        spelled(value, f"{prefix}{name}.") if isinstance(value, dict) else f"{prefix}{name} {value}"
        for name, value in settings.items()
    ]
    return ", ".join(parts) or UNKNOWN


def total(rows: Rows, name: str) -> float | None:
    """The sum of a column; null where any of it is unknown."""
    values = [row[name] for row in rows]
    return sum(values) if all(map(known, values)) else None


def totals(rows: Rows) -> Row:
    """Counts, tokens and cost of the whole study."""
    names = ("planned", "run", "graded", "prompt_tokens", "completion_tokens", "cost")
    return {name: total(rows, name) for name in names}


def runs(rows: Rows, job: Row) -> Rows:
    """For every arm, team and mode what was planned and how it ended, over all tasks."""
    summed = [
        "planned",
        "run",
        "graded",
        *OUTCOMES,
        "by_grader",
        "prompt_tokens",
        "completion_tokens",
        "cost",
    ]
    table = []
    for arm, name, team in groups(job, job["arms"]):
        for mode in job["modes"]:
            found = [r for r in rows if (r["arm"], r["team"], r["mode"]) == (arm, name, mode)]
            if found:
                replies, cut = total(found, "replies"), total(found, "truncated_replies")
                share = cut / replies if replies and cut is not None else None
                row = {"label": label(team, arm, job), "mode": mode, "truncation": share}
                row |= {"warn": share is not None and share > MOST_TRUNCATED}
                row |= {column: total(found, column) for column in summed}
                table.append(row | {"gap": row["graded"] < LEAST_COVERED * row["planned"]})
    return table


def tractable(rows: Rows, job: Row) -> Rows:
    """For every single model how many of its tasks are solo-tractable."""
    table = []
    for arm, name, team in groups(job):
        found = scoped(rows, arm, name, "task")
        if len(team) == 1 and found:
            flags = [row["dagger"] for row in found if row["dagger"] is not None]
            about = {"tractable": flags.count(False), "known": len(flags), "tasks": len(found)}
            table.append({"label": label(team, arm, job), **about})
    return table


def tax_table(rows: Rows, job: Row) -> Rows:
    """For every team its families and all tasks together, measures as text."""
    names = ("solo_full", "solo_split", "collab", "tax", "alignment", "talking")
    table = []
    for arm, name, team in groups(job):
        for row in scoped(rows, arm, name, "family") + scoped(rows, arm, name, "all"):
            scope = FAMILIES[row["family"]] if row["scope"] == "family" else "All tasks"
            about = {key: row[key] for key in ("tasks", "planned", "graded", "dagger")}
            about |= {"label": label(team, arm, job), "scope": scope, "all": row["scope"] == "all"}
            about["ratio_gap"] = gap(row)
            table.append(about | {measure: estimate(row, measure) for measure in names})
    return table


def gap(row: Row) -> str:
    """A row's ratio gap in percent with its interval."""
    value, low, high = (
        100 * row[name] if known(row[name]) else None
        for name in ("ratio_gap", "ratio_gap_low", "ratio_gap_high")
    )
    return interval(value, low, high, places=0)


def gap_table(rows: Rows, job: Row) -> Row:
    """Ratio gaps in percent: a column for each team, a row for each task in the order of the figure."""
    baseline = [row for row in rows if row["scope"] == "task"]
    single = [row for row in baseline if row["kind"] == "homogeneous" and row["arm"] == BASELINE]
    found = {(row["arm"], row["team"], row["task"]): row for row in baseline}
    published = job["published"].get("ratio_gaps") or {"tasks": {}}
    body = []
    for task in ordered_tasks(single):
        mean, exploratory = mean_gap([row for row in single if row["task"] == task])
        elsewhere = published["tasks"].get(task)
        cells = [found.get((arm, name, task)) for arm, name, _ in groups(job)]
        body.append(
            {
                "task": task,
                "family": FAMILIES[job["tasks"][task]],
                "mean": decimal(mean * 100 if mean is not None else None, 0),
                "exploratory": exploratory and mean is not None,
                "published": decimal(elsewhere * 100 if elsewhere is not None else None, 0),
                "cells": [(gap(row), row["dagger"]) if row else (UNKNOWN, False) for row in cells],
            }
        )
    columns = [label(team, arm, job) for arm, _, team in groups(job)]
    return {"columns": columns, "rows": body, "mark": published.get("mark")}


def floors(rows: Rows, job: Row) -> Rows:
    """For every task what guessing from one view alone scores."""
    table = []
    for task, family in job["tasks"].items():
        values = [row["floor"] for row in rows if row["task"] == task and known(row["floor"])]
        table.append({"task": task, "family": FAMILIES[family], "floor": values[0] if values else None})
    return table


def figure(path: Path) -> Row:
    """A figure with its caption and the number in its name."""
    number = path.stem.partition("_")[0].removeprefix("fig")
    return embed_figure(path, CAPTIONS) | {"number": number}


if __name__ == "__main__":
    run(write_report)
