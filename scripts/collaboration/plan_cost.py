"""What a plan leaves to pay for: calls, tokens, US dollars and seconds of each model, and in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.collaboration.plan_needs import Need, Part, Survey
from scripts.collaboration.plan_time import Latency, job_seconds, model_seconds
from scripts.collaboration.plan_usage import Use
from scripts.lib.agents.caller import Calls
from scripts.lib.agents.ledger import spent
from scripts.lib.agents.models import Model, load_models, missing_keys
from scripts.lib.dryrun import Job


@dataclass(frozen=True)
class Row:
    """One model of a plan. ``use``, ``cost`` (US dollars) and ``seconds`` are of what is left to do.

    cost is None where the price is unknown; seconds and latency are None where nothing is called.
    """

    part: Part
    simulated: bool
    planned: float
    paid: float
    use: Use
    cost: float | None
    seconds: float | None
    latency: Latency | None
    sources: Counter[str]


@dataclass(frozen=True)
class Plan:
    """A whole plan: rows by model, and what they add up to. ``seconds`` is None where nothing is called."""

    rows: list[Row]
    rollouts: int
    paid: int
    seconds: float | None
    budget: float | None = None
    spent: float = 0.0
    missing: list[str] = field(default_factory=list)

    @property
    def use(self) -> Use:
        """Calls and tokens of all models."""
        return sum((row.use for row in self.rows), Use())

    @property
    def cost(self) -> float:
        """US dollars of all models whose price is known."""
        return sum(row.cost or 0.0 for row in self.rows)


def make_plan(jobs: Sequence[Job], data: Path, calls: Calls, job: dict[str, Any]) -> Plan:
    """What the jobs of a dry run leave to pay for.

    ``job``: what ``Survey`` needs, budget (US dollars or null) and jobs (at once in a run).
    """
    models = load_models(calls.models_file)
    survey = Survey(jobs, data, models, calls.ledger, job)
    needs = dict(sorted(survey.add_up().items(), key=lambda item: bool(item[0].role)))
    times = {part: _job_times(part, need, models[part.model], survey) for part, need in needs.items()}
    planned, paid = survey.rollouts()
    used = list(dict.fromkeys(part.model for part in needs))
    return Plan(
        rows=[_row(part, need, times[part], models, survey) for part, need in needs.items()],
        rollouts=planned,
        paid=paid,
        seconds=_seconds(times, models, job["jobs"]),
        budget=job["budget"],
        spent=spent(calls.ledger[0], models) if job["budget"] else 0.0,
        missing=[] if calls.replay_only else missing_keys(models, used),
    )


def _job_times(part: Part, need: Need, model: Model, survey: Survey) -> list[float]:
    """Seconds of each batch; none for what takes no call or waits for the Batch API."""
    if model.simulated or (part.role and model.batch):
        return []
    latency = survey.latency(part.model, need.left)
    return [job_seconds(model, use, at_once, latency) for use, at_once in need.jobs]


def _row(part: Part, need: Need, times: list[float], models: dict[str, Model], survey: Survey) -> Row:
    model, left = models[part.model], need.left
    dollars = 0.0 if model.simulated or not left.calls else None
    if model.price is not None:
        batch = bool(part.role) and model.batch
        dollars = model.price.cost(round(left.prompt), round(left.completion), batch)
    return Row(
        part=part,
        simulated=model.simulated,
        planned=need.planned,
        paid=need.paid,
        use=left,
        cost=dollars,
        seconds=model_seconds(model, times, survey.job["jobs"]) if times else None,
        latency=survey.latency(part.model, left) if times else None,
        sources=need.sources,
    )


def _seconds(times: dict[Part, list[float]], models: dict[str, Model], at_once: int) -> float | None:
    """Seconds of the whole run: its slowest model, or its jobs one after the other where they are many."""
    by_model: dict[str, list[float]] = {}
    for part, some in times.items():
        by_model.setdefault(part.model, []).extend(some)
    alone = [model_seconds(models[name], some, at_once) for name, some in by_model.items() if some]
    return max([*alone, sum(map(sum, by_model.values())) / at_once]) if alone else None
