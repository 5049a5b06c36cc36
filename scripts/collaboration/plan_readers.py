"""What the models that read finished conversations have still to do: the judge and the describer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scripts.collaboration.conversations import read_conversations
from scripts.collaboration.describe_failures import ask as ask_describer
from scripts.collaboration.describe_failures import read_failures
from scripts.collaboration.judge_stages import ask
from scripts.collaboration.layout import artifacts
from scripts.collaboration.plan_usage import LEDGER, SIMULATED, Estimate, Use
from scripts.collaboration.schemas import SAMPLES
from scripts.lib.agents.calls import Messages
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.names import team_name, team_slug
from scripts.lib.tables import read_rows

if TYPE_CHECKING:
    from scripts.collaboration.plan_needs import Need, Survey

Row = dict[str, Any]


class Role(NamedTuple):
    """A reader's rule (one job a team), its sample, what it asks about a conversation, and how it reads them.

    ``read``: the conversations of a team, from the data folder and the team's plan.
    """

    rule: str
    sample: str
    asks: Callable[[Row], list[tuple[str, Messages]]]
    read: Callable[[Path, Row], list[Row]]


def judge_asks(row: Row) -> list[tuple[str, Messages]]:
    """The judge's questions about one conversation. ``row``: task, views, messages."""
    return [ask(row | {"stage": stage}) for stage in STAGES]


def judged(data: Path, plan: Row) -> list[Row]:
    """The sampled conversations of a team that the judge reads."""
    name = team_name(tuple(plan["teams"][0]))
    rows = [row for row in read_rows(data / "samples" / "judgements.parquet", SAMPLES) if row["team"] == name]
    return list(read_conversations(rows, artifacts(data, "views", plan), artifacts(data, "rollouts", plan)))


def describer_asks(row: Row) -> list[tuple[str, Messages]]:
    """The describer's one question about a conversation; how it ended makes no call longer or shorter."""
    return [ask_describer({"outcome": "answered", "answer": None, "optimal": None} | row)]


ROLES = {
    "judge": Role("judge_stages", "judgements", judge_asks, judged),
    "describer": Role("describe_failures", "descriptions", describer_asks, read_failures),
}


class Reading(NamedTuple):
    """By task of one team: conversations that are read, those of them paid, and the calls that are left."""

    wanted: Counter[str]
    paid: Counter[str]
    left: Counter[str]


def add_reader(survey: Survey, need: Need, name: str, model: str) -> None:
    """Add what a model has left to do in a role; ``survey.job["readers"][name]`` says how much it reads."""
    role = ROLES[name]
    for team in survey.conversations()["teams"]:
        reading = _reading(survey, role, model, team, survey.job["readers"][name]["rollouts"])
        need.planned += sum(reading.wanted.values())
        need.paid += sum(reading.paid.values())
        use = Use()
        for task, calls in reading.left.items():
            if calls:
                known = _call(survey, name, model, task)
                use += known.use.times(calls)
                need.sources[known.source] += 1
        need.book(use, round(use.calls))


def _reading(survey: Survey, role: Role, model: str, team: list[str], rollouts: int) -> Reading:
    sample = survey.data / "samples" / f"{role.sample}.parquet"
    settled = sample.exists() and not survey.waiting["select_rollouts"]
    wanted = _drawn(sample, team) if settled else _expected(survey, rollouts)
    if team_slug(tuple(team)) not in survey.waiting[role.rule]:
        return Reading(wanted, wanted, Counter())
    asked = len(role.asks({"task": "", "views": ["", ""], "messages": []}))
    left = Counter({task: number * asked for task, number in wanted.items()})
    if survey.models[model].simulated or not settled or not survey.stands(team):
        return Reading(wanted, Counter(), left)
    paid: Counter[str] = Counter()
    for row in role.read(survey.data, survey.conversations() | {"teams": [team]}):
        held = sum(survey.replayer.holds(model, *its) for its in role.asks(row))
        left[row["task"]] -= held
        paid[row["task"]] += held == asked
    return Reading(wanted, paid, left)


def _drawn(sample: Path, team: list[str]) -> Counter[str]:
    rows = read_rows(sample, SAMPLES, ["team", "task"])
    return Counter(row["task"] for row in rows if row["team"] == team_name(tuple(team)))


def _expected(survey: Survey, rollouts: int) -> Counter[str]:
    """About how many conversations a sample will have of each task of a team, as all are alike."""
    plan = survey.conversations()
    cells = len(plan["teams"]) * len(plan["modes"]) * len(plan["tasks"])
    each = min(rollouts / cells, survey.job["rollouts"]) if cells else 0
    return Counter(dict.fromkeys(plan["tasks"], each))


def _call(survey: Survey, name: str, model: str, task: str) -> Estimate:
    """One call; the ledger tells only where the model does nothing else."""
    known = survey.mean(model, task) if survey.only_reads(model) else None
    return Estimate(known, LEDGER) if known else Estimate(survey.read_call(name, task), SIMULATED)
