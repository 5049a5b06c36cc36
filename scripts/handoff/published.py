"""The numbers of the published study, for tables and figures that show them beside a run's own.

No statistic reads them: they reach the jobs that draw and write, and no other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from scripts.handoff.layout import LEDGER_TABLES
from scripts.lib.closed import Closed, load_yaml, validate

Share = Annotated[float, Field(ge=0, le=1)]
Two = Annotated[list[Share], Field(min_length=2, max_length=2)]


class PublishedPilot(Closed):
    """The padded-context pilot; ``loads`` in tokens, failures as shares at the least and the largest load."""

    mark: Literal["published", "approx."] = Field(description="published, or approx. where given roughly")
    model: str
    loads: list[int] = Field(min_length=2, max_length=2)
    either: Two
    format: Two
    arithmetic: Two = Field(description="the range over all loads")
    difference: float = Field(ge=-1, le=1, description="of either, between the two loads, by problem")
    t: float
    df: int = Field(ge=1)
    knee: float = Field(ge=0, description="tokens")
    slope: float = Field(ge=0, description="nats a token")


class PublishedLedger(Closed):
    """The ledger experiment; shares by the loads, notes (tokens) or depths (steps) listed with them."""

    mark: Literal["published", "approx."] = Field(description="published, or approx. where given roughly")
    model: str
    loads: list[list[int]] = Field(min_length=2, max_length=2, description="two ranges, tokens")
    failure: Two = Field(description="of a step, raw, at these loads")
    stop_only: Share = Field(description="of a stationary step whose reply ended itself, at the larger loads")
    notes: list[int]
    tax: list[float] = Field(description="h by note, nats a boundary")
    other_tax: list[float] = Field(description="the same from another place")
    other_interval: list[float] = Field(min_length=2, max_length=2, description="of one of these")
    depths: list[int]
    chunk: int = Field(description="of the chains, steps")
    single: list[Share]
    chain: list[Share]
    predicted: list[Share]

    @model_validator(mode="after")
    def _complete(self) -> PublishedLedger:
        by_note, by_depth = (self.tax, self.other_tax), (self.single, self.chain, self.predicted)
        if {len(its) for its in by_note} != {len(self.notes)}:
            raise ValueError("tax and other_tax have a number for each of notes")
        if {len(its) for its in by_depth} != {len(self.depths)}:
            raise ValueError("single, chain and predicted have a number for each of depths")
        return self


class Published(Closed):
    """What is known of the published study."""

    study: str
    pilot: PublishedPilot | None = None
    ledger: PublishedLedger | None = None


def load_published(path: Path | None) -> dict[str, Any]:
    """The published numbers by topic; nothing without a file. Raises UserError with key and place."""
    if path is None:
        return {}
    found = validate(Published, load_yaml(path), [path])
    return found.model_dump(exclude_none=True)


def pilot_rows(published: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The published pilot as rows of the tables ``loads`` and ``hinges``, with what is known of them.

    ``published``: topics as from ``load_published``. Lists without rows where there is no such topic.
    """
    pilot = published.get("pilot")
    if not pilot:
        return {"loads": [], "hinges": []}
    about = {"model": pilot["model"], "source": pilot["mark"], "simulated": False}
    low, high = pilot["arithmetic"]
    middle = {"share": (low + high) / 2, "share_low": low, "share_high": high}  # a range over all loads
    found = {
        "either": [{"share": share} for share in pilot["either"]],
        "format": [{"share": share} for share in pilot["format"]],
        "arithmetic": [middle, middle],
    }
    found["either"][1] |= {name: pilot[name] for name in ("difference", "t", "df")}
    loads = [
        about | {"failure": failure, "level": level, "load": float(load)} | shares[level]
        for failure, shares in found.items()
        for level, load in enumerate(pilot["loads"])
    ]
    hinge = about | {"failure": "either", "slope": pilot["slope"], "knee": pilot["knee"], "determined": False}
    return {"loads": loads, "hinges": [hinge | {"remark": "as published: poorly determined"}]}


def ledger_rows(published: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The published ledger experiment as rows of the tables, with what is known of them.

    ``published``: topics as from ``load_published``. Lists without rows where there is no such topic.
    """
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in LEDGER_TABLES}
    ledger = published.get("ledger")
    if not ledger:
        return found
    about = {"model": ledger["model"], "source": ledger["mark"], "simulated": False}
    loads = [sum(ends) / 2 for ends in ledger["loads"]]
    raw, stop_only = about | {"grading": "raw"}, about | {"grading": "stop_only"}
    stationary = about | {"grading": "stationary"}
    found["curve"] = [
        raw | {"load": load, "failure": share} for load, share in zip(loads, ledger["failure"], strict=True)
    ]
    found["curve"].append(stop_only | {"load": loads[1], "failure": ledger["stop_only"]})
    for name, source in (("tax", ledger["mark"]), ("other_tax", f"{ledger['mark']}, elsewhere")):
        found["handoffs"] += [
            about | {"source": source, "limit": limit, "tax": tax}
            for limit, tax in zip(ledger["notes"], ledger[name], strict=True)
        ]
    found["comparison"] = [
        stationary
        | {"depth": depth, "chunk": ledger["chunk"]}
        | {name: ledger[name][number] for name in ("single", "chain", "predicted")}
        for number, depth in enumerate(ledger["depths"])
    ]
    return found
