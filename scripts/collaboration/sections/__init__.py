"""The report's sections: one module a topic, and a template ``templates/{topic}.html`` of the same name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts.collaboration.sections import (
    agreement,
    arms,
    games,
    pairs,
    prediction,
    published,
    stages,
    themes,
)

Row = dict[str, Any]

# topic: its heading, and what reads its numbers below the study's data folder; None where there are none.
# What it returns is the template's ``section``; ``figures`` in it names the figures that it shows itself, and
# ``scripts`` the files of ``templates/`` that run in the page.
SECTIONS: dict[str, tuple[str, Callable[[Path, Row], Row | None]]] = {
    "stages": ("Where conversations break", stages.section),
    "agreement": ("Do people agree, and the judge with them?", agreement.section),
    "themes": ("Why conversations failed", themes.section),
    "arms": ("Which clauses help", arms.section),
    "games": ("Teams as games", games.section),
    "pairs": ("Mixed pairs", pairs.section),
    "prediction": ("What the shape of a conversation tells", prediction.section),
    "published": ("Beside the published numbers", published.section),
}


def read_sections(data: Path, job: Row) -> list[Row]:
    """The sections that have something to tell, in the order of the page."""
    read = [(topic, title, section(data, job)) for topic, (title, section) in SECTIONS.items()]
    return [
        {"figures": [], "scripts": []} | its | {"topic": topic, "title": title}
        for topic, title, its in read
        if its is not None
    ]
