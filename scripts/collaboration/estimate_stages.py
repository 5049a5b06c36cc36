"""Estimate where conversations break: judgements -> ``statistics/stage{s,_counts,_overlap}.parquet``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scripts.collaboration.schemas import STAGE_COUNTS, STAGE_OVERLAP
from scripts.collaboration.schemas import STAGES as SCHEMA
from scripts.collaboration.verdicts import Judged, as_array, planned_verdicts
from scripts.lib.analysis.bootstrap import Array, draw_weights, estimate, estimate_columns, weighted_means
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.stage import run
from scripts.lib.tables import Rows, write_rows

NAMES = ("stages", "stage_counts", "stage_overlap")

Row = dict[str, Any]


class Group(NamedTuple):
    """Judged rollouts of one kind: verdicts (stages, rollouts) and weights (1 + resamples, rollouts)."""

    judged: list[Judged]
    verdicts: Array
    weights: Array

    def complete(self) -> tuple[Array, Array]:
        """Firing (stages, rollouts; 0 or 1) and weights of the rollouts with four valid verdicts."""
        whole = ~np.isnan(self.verdicts).any(axis=0)
        return 1 - self.verdicts[:, whole], self.weights[:, whole]


def estimate_stages(judged: Sequence[Judged], output: Path, job: Row) -> None:
    """Write the three tables into the folder ``output``; their columns: see ``schemas.py``.

    Nothing judged gives empty tables. ``job``: tasks ({task: family}), statistics (resamples, seed, level).

    A rate is a weighted mean over the drawn rollouts with a valid verdict on the stage: each stands for the
    graded rollouts of its stratum (team x task x success) by available / drawn, so the rates are those of all
    homogeneous conversations, not of the sample. The plain shares of the sample stand beside them.

    Intervals: percentile bootstrap over rollouts, successes and failures apart, resampled within each family
    (and, in a row of a team, within the team). Not within the strata: most hold one or two drawn rollouts,
    of which a resample could not vary. So teams and tasks vary along with the rollouts, and the intervals are
    rather too wide than too narrow. All stages share the resamples.
    """
    tables: tuple[Rows, Rows, Rows] = ([], [], [])
    for about, some in scopes(judged, job):
        about["simulated"] = any(its.simulated for its in some)
        groups = {kind: _group(some, kind, about["team"], job) for kind in (True, False)}
        tables[0].extend(_stage_rows(about, groups, job))
        tables[1].extend(_count_rows(about, groups, job))
        tables[2].extend(_overlap_rows(about, groups[False], job))
    for name, rows, schema in zip(NAMES, tables, (SCHEMA, STAGE_COUNTS, STAGE_OVERLAP), strict=True):
        write_rows(output / f"{name}.parquet", rows, schema)


def scopes(judged: Sequence[Judged], job: Row) -> Iterator[tuple[Row, list[Judged]]]:
    """All rollouts, those of each family and those of each team, with the columns that say so."""
    if not judged:
        return
    yield {"scope": "all", "family": None, "team": None}, list(judged)
    for family in dict.fromkeys(job["tasks"].values()):
        about = {"scope": "family", "family": family, "team": None}
        yield about, [its for its in judged if its.family == family]
    for team in dict.fromkeys(its.team for its in judged):
        yield {"scope": "team", "family": None, "team": team}, [its for its in judged if its.team == team]


def _group(judged: Sequence[Judged], success: bool, team: str | None, job: Row) -> Group:
    """The successes or the failures, resampled within each family."""
    settings, chosen, weights = job["statistics"], [], []
    for family in dict.fromkeys(job["tasks"].values()):
        some = [its for its in judged if its.family == family and its.success == success]
        if some:
            stratum = f"stages/{team or ''}/{family}/{success}"
            drawn = draw_weights(settings["seed"], stratum, settings["resamples"], len(some))
            weights.append(drawn * np.array([its.weight for its in some]))
            chosen += some
    none = np.zeros((1 + settings["resamples"], 0))
    return Group(chosen, as_array(chosen), np.hstack([none, *weights]))


def _stage_rows(about: Row, groups: dict[bool, Group], job: Row) -> Iterator[Row]:
    good, bad = groups[True], groups[False]
    rates = {kind: weighted_means(group.verdicts, group.weights) for kind, group in groups.items()}
    firing, weights = bad.complete()
    lonely = firing * (firing.sum(axis=0) == 1)
    for place, stage in enumerate(STAGES):
        measures = {
            "successes": rates[True][place],
            "failures": rates[False][place],
            "separation": rates[True][place] - rates[False][place],
            "alone": _share(weights @ lonely[place], weights @ firing[place]),
        }
        row = about | {"stage": stage, "judge": next((its.judge for its in good.judged + bad.judged), None)}
        for name, group in (("successes", good), ("failures", bad)):
            valid = group.verdicts[place][~np.isnan(group.verdicts[place])]
            row |= {f"drawn_{name}": len(group.judged), f"judged_{name}": len(valid)}
            row |= {f"sample_{name}": float(valid.mean()) if len(valid) else None}
        yield row | _estimates(measures, job)


def _count_rows(about: Row, groups: dict[bool, Group], job: Row) -> Iterator[Row]:
    for success, group in groups.items():
        firing, weights = group.complete()
        numbers = firing.sum(axis=0)
        for number in range(len(STAGES) + 1):
            its = numbers == number
            row = about | {"success": success, "firing": number}
            row |= {"rollouts": int(its.sum()), "judged": len(numbers)}
            yield row | _estimates({"share": _share(weights @ its, weights.sum(axis=1))}, job)


def _overlap_rows(about: Row, failures: Group, job: Row) -> Iterator[Row]:
    firing, weights = failures.complete()
    for (first, one), (second, other) in combinations(zip(STAGES, firing, strict=True), 2):
        both, either = one * other, np.maximum(one, other)
        row = about | {"first": first, "second": second, "judged": firing.shape[1]}
        row |= {"both": int(both.sum()), "either": int(either.sum())}
        yield row | _estimates({"jaccard": _share(weights @ both, weights @ either)}, job)


def _share(part: Array, whole: Array) -> Array:
    """part / whole, NaN where there is no whole."""
    return np.divide(part, whole, out=np.full_like(whole, np.nan), where=whole > 0)


def _estimates(measures: dict[str, Array], job: Row) -> Row:
    columns: Row = {}
    for name, values in measures.items():
        columns |= estimate_columns(name, estimate(values, job["statistics"]["level"]))
    return columns


def from_data(data: Path, output: Path, job: Row) -> None:
    """``estimate_stages`` on the planned files below the study's data folder; ``job``: also judge, teams."""
    estimate_stages(planned_verdicts(data, job), output, job)


if __name__ == "__main__":
    run(from_data)
