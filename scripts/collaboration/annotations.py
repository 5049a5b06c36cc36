"""What raters say of rollouts, as CSV: rater, rollout (opaque id), stage, satisfied (1, 0, nothing), note."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from scripts.collaboration.cells import CELL, planned_cells
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.errors import UserError, did_you_mean

COLUMNS = ("rater", "rollout", "stage", "satisfied", "note")
SATISFIED = {"1": True, "0": False, "": None}
SIMULATED = "simulated-"  # how the names of simulated raters begin, and of nobody else

Row = dict[str, Any]


class Rating(NamedTuple):
    """One rater's label of one stage of a rollout; ``satisfied`` is None where the rater was unsure."""

    rater: str
    rollout: str
    stage: str
    satisfied: bool | None


def opaque_id(row: Row) -> str:
    """A rollout's name for raters, which tells nothing of its model.

    It begins with a letter, because spreadsheets take digits with an ``e`` among them for a number.
    """
    name = "\x1f".join(str(row[part]) for part in ("arm", "team", "task", "index"))
    return f"r{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def planned_rollouts(job: Row) -> dict[str, Row]:
    """All rollouts of a plan (see ``layout``) by their opaque id, in the order of the configuration."""
    rows = [
        {**dict(zip(CELL, cell, strict=True)), "family": job["tasks"][cell[-1]], "index": index}
        for cell in planned_cells(job)
        for index in range(job["rollouts"])
    ]
    return {opaque_id(row): row for row in rows}


def read_ratings(paths: Sequence[Path], known: Collection[str], simulated: bool = False) -> list[Rating]:
    """All ratings of some CSV files, of any number of raters.

    ``known`` are the opaque ids of the study. A byte order mark, semicolons instead of commas and any line
    ends are taken as spreadsheets write them. Raises UserError with file and line for anything else: an
    unknown rollout, stage or value, no rater, a rater's second label of one stage of a rollout, a person's
    name that stands for a simulated rater.
    """
    seen: dict[tuple[str, str, str], str] = {}
    ratings = []
    for path in paths:
        for line, row in _read_rows(path):
            where = f"{path}, line {line}"
            rating = _rating(row, known, where)
            if rating.rater.startswith(SIMULATED) != simulated:
                raise UserError(f'{where}: "{rating.rater}" is the name of a simulated rater; choose another')
            if (first := seen.setdefault(rating[:3], where)) != where:
                raise UserError(f"{where}: repeats what {first} says; remove one of the two")
            ratings.append(rating)
    return ratings


def _read_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """The rows of a file, each with its last line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read as UTF-8 text ({error}); export it again") from None
    mark = ";" if ";" in text.partition("\n")[0] else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    try:
        heading = next(reader, [])
        if sorted(heading) != sorted(COLUMNS):
            raise UserError(f"{path}, line 1: the columns must be {','.join(COLUMNS)}; export it again")
        for cells in reader:
            if any(cells):
                if len(cells) != len(heading):
                    raise UserError(f"{path}, line {reader.line_num}: {len(cells)} cells, not {len(heading)}")
                yield reader.line_num, dict(zip(heading, cells, strict=True))
    except csv.Error as error:
        raise UserError(f"{path}, line {reader.line_num}: {error}; export it again") from None


def _rating(row: Row, known: Collection[str], where: str) -> Rating:
    rater, rollout, stage, satisfied = (row[name].strip() for name in COLUMNS[:4])
    if not rater or ";" in rater:
        raise UserError(f'{where}: rater is "{rater}"; write who labelled, without a semicolon')
    if rollout not in known:
        raise UserError(
            f'{where}: rollout "{rollout}" is none of this study; was the kit of another configuration?'
        )
    if stage not in STAGES:
        raise UserError(f'{where}: unknown stage "{stage}"{did_you_mean(stage, list(STAGES))}')
    if satisfied not in SATISFIED:
        raise UserError(f'{where}: satisfied is "{satisfied}"; valid: 1, 0 or nothing')
    return Rating(rater, rollout, stage, SATISFIED[satisfied])
