"""Say what a run of the study would ask of each model, and what that may cost; nothing is called."""

from __future__ import annotations

from typing import Any

from scripts.handoff import pilot
from scripts.handoff.dialogue import SYSTEM, Words
from scripts.handoff.ledger_task import make_ledger_task
from scripts.handoff.play import TASK
from scripts.lib.agents.caller import Calls
from scripts.lib.agents.ledger import Ledger
from scripts.lib.agents.models import Model, load_models
from scripts.lib.agents.simulated.brought import count_tokens
from scripts.lib.stage import run
from scripts.lib.text import aligned

Row = dict[str, Any]
Asked = list[tuple[int, int]]  # tokens of the prompt and of the reply, a call each; words times 4/3
REPLY = {"pilot": 120, "ledger": 20}  # tokens of a reply, guessed
HEAD = ("part", "model", "calls", "recorded", "tokens in", "tokens out", "USD")


def plan_handoff(calls: dict[str, Any], job: Row) -> None:
    """Print a line a part and model. ``calls``: see ``Calls``.

    ``job``: seed, pilot and ledger (blocks of the configuration, or null), pilot_models, models. Costs are of
    all calls; those recorded are paid already. Tokens are estimates: words times 4/3, replies by guess.
    """
    how = Calls.read(calls)
    models = load_models(how.models_file)
    rows = []
    if job["pilot"]:
        asked = ask_pilot(job["pilot"])
        rows += [line("pilot", name, models[name], asked, pilot.TASK, how) for name in job["pilot_models"]]
    if job["ledger"]:
        asked = ask_ledgers(job["ledger"], job["seed"])
        rows += [line("ledger", name, models[name], asked, TASK, how) for name in job["models"]]
    if rows:
        print("\nThe second study, before any reply is known (tokens are estimates):")
        print("\n".join(aligned([HEAD, *rows], {0, 1})))


def ask_pilot(settings: Row) -> Asked:
    """The pilot's calls: at each load so many problems, so often, and two that measure tokens a word."""
    each = settings["problems"] * settings["calls"]
    least = count_tokens(pilot.SYSTEM) + 100
    return [(max(load, least), REPLY["pilot"]) for load in settings["loads"] for _ in range(each)] + [
        (least, REPLY["pilot"])
    ] * 2


def ask_ledgers(settings: Row, seed: int) -> Asked:
    """The calls of all trajectories, handoffs and chains, if none ends before its time."""
    depth, reply = settings["depths"][-1], REPLY["ledger"]
    words = Words(make_ledger_task(seed, 0, depth, settings["reach"]), settings["memo"], seed, 0)
    step = sum(count_tokens(words.transaction(number)) for number in range(depth)) // depth + reply

    def agent(steps: int, note: int) -> Asked:
        return [(count_tokens(SYSTEM) + note + number * step, reply) for number in range(1, steps + 1)]

    single = agent(depth, 0)
    handed: Asked = []
    for limit in settings["notes"]:
        for cut in settings["cuts"]:
            handed += [(single[cut - 1][0], reply + limit), *agent(settings["chunk"], limit)]
    chains: Asked = []
    for chunk in settings["chunks"]:
        for start in range(0, depth, chunk):
            steps = agent(min(chunk, depth - start), settings["note"] if start else 0)
            ends = start + chunk >= depth
            chains += steps if ends else [*steps[:-1], (steps[-1][0], reply + settings["note"])]
    return (single + handed + chains) * settings["tasks"]


def line(part: str, name: str, model: Model, asked: Asked, task: str, how: Calls) -> tuple[str, ...]:
    """A part's line for a model."""
    prompt, reply = (sum(tokens[number] for tokens in asked) for number in (0, 1))
    dollars = None if model.price is None else model.price.cost(prompt, reply)
    recorded = 0 if model.simulated else len(Ledger(how.ledger, name, task))
    cost = "simulated" if model.simulated else "unknown" if dollars is None else f"{dollars:,.2f}"
    return part, name, f"{len(asked):,}", f"{recorded:,}", f"{prompt:,}", f"{reply:,}", cost


if __name__ == "__main__":
    run(plan_handoff)
