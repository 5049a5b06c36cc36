"""The numbers of the published study, for tables and figures that show them beside a run's own.

No statistic reads them: they reach the jobs that draw and write, and no other.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from scripts.lib.closed import Closed, load_yaml, locate, validate
from scripts.lib.errors import UserError, did_you_mean
from tasks import TASKS

Mark = Literal["published", "approx."]
Stage = Literal["l1", "l2", "l3", "l4"]
Overlap = Literal["l1_l2", "l1_l3", "l1_l4", "l2_l3", "l2_l4", "l3_l4"]
Share = Annotated[float, Field(ge=0, le=1)]
AtMostOne = Annotated[float, Field(le=1)]  # a gap, a recovered share, a kappa: may lie below 0
Two = Annotated[list[Share], Field(min_length=2, max_length=2)]


class Topic(Closed):
    """Numbers of one kind, and how far they can be trusted."""

    mark: Mark = Field(description="published, or approx. where read from a damaged text")


class Families(Closed):
    """A number for each family."""

    spatial: AtMostOne
    relational: AtMostOne
    csp: AtMostOne


class Scopes(Families):
    """A number for each family and one over all tasks."""

    all: AtMostOne


class RatioGaps(Topic):
    """Tax as a share of the solo score: of a model by family, of a task over models."""

    models: dict[str, Families] = {}
    tasks: dict[str, AtMostOne] = {}
    not_solo_tractable: list[str] = []


class Critic(Topic):
    """Mean score of solo_full with and without the critic pass."""

    with_critic: Share
    without_critic: Share


class Arms(Topic):
    """Share of the tax that an arm recovered, and half widths of the shares over all tasks."""

    recovered: dict[str, Scopes] = {}
    half_width: dict[str, Annotated[float, Field(ge=0)]] = {}


class Pair(Closed):
    """A mixed team in slot order: its members' scores, its own, and its Shapley values."""

    team: Annotated[list[str], Field(min_length=2, max_length=2)]
    members: Two
    pair: Share
    shapley: Annotated[list[float], Field(min_length=2, max_length=2)] | None = None


class Pairs(Topic):
    """The mixed teams."""

    teams: list[Pair] = []


class Cascade(Topic):
    """Shares of failures by number of stages that fire (0 to 4), overlaps of stages, stages alone."""

    rollouts: int
    firing: Annotated[list[Share], Field(min_length=5, max_length=5)]
    overlap: dict[Overlap, Share]
    alone: dict[Stage, Share] = {}


class Agreement(Topic):
    """Kappas by stage: of the raters (Fleiss), of the judge against their majority (Cohen)."""

    rollouts: int
    raters: int
    fleiss: dict[Stage, AtMostOne]
    cohen: dict[Stage, AtMostOne]


class Prediction(Topic):
    """How well dialogue features predict the score of an unseen task."""

    r2: AtMostOne
    spearman: Annotated[float, Field(ge=-1, le=1)]


class Themes(Topic):
    """How many failures were described, and in how many themes."""

    descriptions: int
    k: int


class Published(Closed):
    """The whole file; a topic that is left out is not shown."""

    study: str = Field(description="title and number of the publication")
    ratio_gaps: RatioGaps | None = None
    critic: Critic | None = None
    arms: Arms | None = None
    pairs: Pairs | None = None
    cascade: Cascade | None = None
    agreement: Agreement | None = None
    prediction: Prediction | None = None
    themes: Themes | None = None

    def models(self) -> list[str]:
        """The names of all published models."""
        pairs = self.pairs.teams if self.pairs else []
        alone = self.ratio_gaps.models if self.ratio_gaps else {}
        return list(dict.fromkeys([*alone, *(name for pair in pairs for name in pair.team)]))


def load_published(path: Path) -> Published:
    """The published numbers of a file. Raises UserError that names the key, its place and the remedy."""
    published = validate(Published, load_yaml(path), [path])
    gaps = published.ratio_gaps
    for key in ("tasks", "not_solo_tractable"):
        for name in getattr(gaps, key, []):
            if name not in TASKS:
                where = locate([path], ("ratio_gaps", key, name))
                raise UserError(f'{where}: unknown task "{name}"{did_you_mean(name, list(TASKS))}')
    return published


def published_name(names: Iterable[str | None], published: Iterable[str]) -> str | None:
    """The published model that one of a model's names (own, served) stands for; None for none.

    Compared without case and without what stands before the last slash: ``simulated/gpt-5`` and
    ``openai/GPT-5`` stand for ``gpt-5``.
    """
    known = {name.lower(): name for name in published}
    for name in filter(None, names):
        found = known.get(name.rpartition("/")[2].lower())
        if found:
            return found
    return None
