"""How long a plan takes at the configured limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from scripts.collaboration.plan_paid import History, Spoken
from scripts.collaboration.plan_usage import Use
from scripts.lib.agents.models import Model

BREAK = 600.0  # seconds without a reply after which the run is taken to have stood still
FEWEST = 5  # recorded replies from which a latency is taken
FIRST_TOKEN, TOKENS_PER_SECOND = 1.0, 50.0  # assumed: seconds to the first token, and the pace then
RESOLUTION = 0.05  # seconds; time stamps tell no shorter latency


@dataclass(frozen=True)
class Latency:
    """Seconds of a call, and whether they were recorded or are assumed."""

    seconds: float
    recorded: bool


def recorded_latency(name: str, model: Model, history: History, spoken: Iterable[Spoken]) -> Latency | None:
    """From the ledger's time stamps; None where there are too few.

    Two bounds, of which the lower one counts: the time between replies of one dialogue, which also holds
    waiting for a place, and the places over the replies a second, which takes them all for filled.
    """
    times = sorted(history.at.values())
    if len(times) < FEWEST:
        return None
    pauses = [later - sooner for sooner, later in pairwise(times)]
    span = sum(pause for pause in pauses if pause <= BREAK)
    bounds = [model.limits.in_flight * span / len(pauses)]
    gaps = [gap for dialogue in spoken for gap in _gaps(name, dialogue, history.at)]
    if gaps:
        bounds.append(fmean(gaps))
    return Latency(max(min(bounds), RESOLUTION), recorded=True)


def _gaps(name: str, dialogue: Spoken, at: dict[str, float]) -> list[float]:
    """Seconds that a model's replies came after the ones before them; breaks are left out."""
    pairs = pairwise(dialogue)
    gaps = [
        at[key] - at[before]
        for (_, before), (who, key) in pairs
        if who == name and {before, key} <= at.keys()
    ]
    return [gap for gap in gaps if 0 <= gap <= BREAK]


def assumed_latency(use: Use) -> Latency:
    """For a model of which nothing is recorded: by the length of its replies."""
    return Latency(FIRST_TOKEN + use.completion / max(use.calls, 1.0) / TOKENS_PER_SECOND, recorded=False)


def job_seconds(model: Model, use: Use, at_once: int, latency: Latency) -> float:
    """Seconds that one job's calls to a model take; ``at_once`` dialogues wait for one call each."""
    limits = model.limits.share()
    seconds = [use.calls * latency.seconds / max(min(limits.in_flight, at_once), 1)]
    if limits.requests_per_minute:
        seconds.append(use.calls * 60 / limits.requests_per_minute)
    if limits.tokens_per_minute:
        seconds.append((use.prompt + use.completion) * 60 / limits.tokens_per_minute)
    return max(seconds)


def model_seconds(model: Model, jobs: Sequence[float], at_once: int) -> float:
    """Seconds of a model's jobs, as many of them at once as its limits and the run allow."""
    return max([*jobs, sum(jobs) / min(model.limits.shares, at_once)], default=0.0)
