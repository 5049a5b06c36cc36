"""The numbers of the published study, for tables and figures that show them beside a run's own.

No statistic reads them: they reach the jobs that draw and write, and no other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

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


class Published(Closed):
    """What is known of the published study."""

    study: str
    pilot: PublishedPilot | None = None


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
