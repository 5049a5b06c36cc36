"""Say what a run would cost, how long it would take and why each job would run; nothing is called."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.collaboration.plan_cost import Plan, Row, make_plan
from scripts.collaboration.plan_needs import INSTANCES
from scripts.collaboration.plan_time import FIRST_TOKEN, TOKENS_PER_SECOND
from scripts.collaboration.plan_usage import EARLIER, ELSEWHERE, LEDGER, SIMULATED
from scripts.lib.agents.caller import Calls
from scripts.lib.dryrun import Job, describe_reasons, dry_run
from scripts.lib.progress import duration
from scripts.lib.stage import run
from scripts.lib.text import aligned

HEAD = (
    "model",
    "rollouts",
    "paid",
    "calls",
    "tokens in",
    "tokens out",
    "USD",
    "time",
    "a call",
    "known from",
)
LEFT = {0, len(HEAD) - 2, len(HEAD) - 1}  # columns of text
SOURCES = {
    EARLIER: "rollouts that would run again, as they were before the change",
    ELSEWHERE: "the mean of the team and mode on the tasks that were run",
    LEDGER: "tokens of a call as recorded for the model and task, calls as simulated agents make them",
    SIMULATED: f"estimated; simulated agents talked on {INSTANCES} instances a task; tokens are words x 4/3",
}


def plan_run(
    snakefile: Path, data: Path, config: dict[str, Any], calls: dict[str, Any], job: dict[str, Any]
) -> None:
    """Print the plan of a run with the merged configuration ``config``.

    ``calls``: see ``Calls``; ``job``: see ``make_plan``.
    """
    jobs, how = dry_run(snakefile, config), Calls.read(calls)
    plan = make_plan(jobs, data, how, job)
    print("\n".join([*describe_plan(plan, how), *describe_jobs(jobs)]))


def describe_plan(plan: Plan, calls: Calls) -> list[str]:
    """The plan as lines of text."""
    below = _notes(plan)
    below += [f"budget: {_budget(plan)}"] if plan.budget else []
    below += [f"not set: {line}; set it before the run" for line in plan.missing]
    if calls.replay_only and plan.use.calls:
        below.append("replay_only is set: the run makes no call, and ends at the first reply that is missing")
    return [
        f"Plan: {plan.rollouts:,} rollouts, {plan.paid:,} of them paid. Nothing was called.",
        "Calls, tokens, USD and time are what is left to do.",
        "",
        *aligned([HEAD, *map(_cells, plan.rows), _total(plan)], LEFT),
        *([""] if below else []),
        *below,
    ]


def describe_jobs(jobs: Sequence[Job]) -> list[str]:
    """Why each job would run, as lines of text."""
    lines = [f"  {line}" for line in describe_reasons(jobs)]
    return ["", *(["Why each job would run:", *lines] if lines else ["No job would run."])]


def _cells(row: Row) -> tuple[str, ...]:
    """A row of the table as text."""
    name = f"{row.part.model} ({row.part.role})" if row.part.role else row.part.model
    latency = "-"
    if row.latency:
        latency = f"{row.latency.seconds:.1f} s {'recorded' if row.latency.recorded else 'assumed'}"
    return (
        name,
        *(_count(number) for number in (row.planned, row.paid, *_numbers(row))),
        "unknown" if row.cost is None else _dollars(row.cost) + " simulated" * row.simulated,
        "-" if row.seconds is None else duration(row.seconds),
        latency,
        _sources(row),
    )


def _numbers(row: Row | Plan) -> tuple[float, float, float]:
    return row.use.calls, row.use.prompt, row.use.completion


def _sources(row: Row) -> str:
    """Where the numbers are from, with the tasks (in every mode and batch) of each where they are mixed."""
    if len(row.sources) == 1:
        return next(iter(row.sources))
    return ", ".join(f"{source} ({number})" for source, number in row.sources.most_common()) or "all paid"


def _total(plan: Plan) -> tuple[str, ...]:
    unknown = " + unknown" * any(row.cost is None for row in plan.rows)
    numbers = (plan.rollouts, plan.paid, *_numbers(plan))
    time = "-" if plan.seconds is None else duration(plan.seconds)
    return ("total", *map(_count, numbers), _dollars(plan.cost) + unknown, time, "", "")


def _notes(plan: Plan) -> list[str]:
    """What the words in the table mean, as far as they stand there."""
    seen = {source for row in plan.rows for source in row.sources}
    lines = [f'"{source}": {meaning}' for source, meaning in SOURCES.items() if source in seen]
    if any(row.latency and not row.latency.recorded for row in plan.rows):
        lines.append(f"assumed: {FIRST_TOKEN:g} s and {TOKENS_PER_SECOND:g} tokens a second for each call")
    if any(row.simulated and row.cost for row in plan.rows):
        lines.append("USD simulated: a rehearsal of the bill; simulated agents cost nothing")
    return lines


def _budget(plan: Plan) -> str:
    assert plan.budget is not None
    left = plan.budget - plan.spent - plan.cost
    verdict = (
        f"it lasts, {_dollars(left)} left" if left >= 0 else f"it does NOT last, {_dollars(-left)} short"
    )
    return (
        f"{_dollars(plan.budget)} USD, {_dollars(plan.spent)} spent, {_dollars(plan.cost)} planned: {verdict}"
    )


def _count(number: float) -> str:
    return f"{number:,.0f}" if number < 1e6 else f"{number / 1e6:,.1f}M"


def _dollars(dollars: float) -> str:
    return f"{dollars:,.2f}" if dollars >= 1 or not dollars else f"{dollars:.4f}"


if __name__ == "__main__":
    run(plan_run)
