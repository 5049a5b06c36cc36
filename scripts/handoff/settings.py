"""The block ``handoff`` of the configuration: its one source for defaults, schema and documentation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator, model_validator

from scripts.handoff.pilot_settings import Pilot
from scripts.lib.closed import Closed

Share = Annotated[float, Field(ge=0, le=1)]
Steps = Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1)]


class Stylised(Closed):
    """The example of the figures that are computed from the model; a change draws them anew."""

    base: float = Field(0.01, ge=0, description="loss of a step at no load, nats")
    slope: float = Field(4e-6, gt=0, description="what a token of load adds to it, nats")
    growth: float = Field(500.0, gt=0, description="tokens that a step adds to the load")
    start: float = Field(300.0, ge=0, description="tokens of load before the first step")
    note: float = Field(375.0, ge=0, description="tokens of a note")
    handoff: float = Field(0.02, ge=0, description="handoff tax, nats a boundary")
    depth: int = Field(100, ge=2, description="depth up to which success is drawn, steps")
    least: float = Field(0.08, ge=0, le=1, description="failure of a call at an endless budget")
    spread: float = Field(0.22, ge=0, le=1, description="what a budget of zero adds to it")
    budget: float = Field(1.0, ge=0, description="budget of a call of a vote, in units of its scale")
    shared: Annotated[list[Share], Field(min_length=1, max_length=5)] = Field(
        [0.0, 0.2, 0.5, 0.8], description="shares of failures that the calls of a vote have in common"
    )
    votes: int = Field(15, ge=1, description="calls of the largest vote, odd")

    @field_validator("votes")
    @classmethod
    def _odd(cls, votes: int) -> int:
        if votes % 2 == 0:
            raise ValueError("a majority needs an odd number of votes")
        return votes


class Ledger(Closed):
    """The ledger experiment; the ledgers are accounts, not the ledger of replies."""

    tasks: int = Field(100, ge=2, description="ledgers, each played by one agent and by a chain of agents")
    batch_size: int = Field(50, ge=1, description="ledgers in one job")
    depths: Steps = Field([20, 50, 100], description="depths at which success is measured, rising")
    chunks: Steps = Field([5, 20], description="steps between two handoffs, each a chain of its own; rising")
    chunk: int = Field(5, description="which of them the handoff tax is measured on")
    cuts: Steps = Field([20, 50, 80], description="steps after which the handoff tax is measured, rising")
    notes: Steps = Field([100, 300, 500], description="most tokens of a note, as it is asked for; rising")
    note: int = Field(300, description="which of them the chain of agents uses")
    reach: int = Field(10, ge=2, description="how many transactions back a transaction refers at most")
    memo: int = Field(0, ge=0, description="words of irrelevant memo at each transaction, to make loads grow")
    bins: int = Field(12, ge=2, description="bins of the in-task curve, of equally many steps")

    @field_validator("depths", "chunks", "cuts", "notes")
    @classmethod
    def _rising(cls, numbers: list[int]) -> list[int]:
        if numbers != sorted(set(numbers)):
            raise ValueError("list the numbers from small to large, each once")
        return numbers

    @model_validator(mode="after")
    def _fits(self) -> Ledger:
        if self.note not in self.notes:
            raise ValueError(f"note is {self.note}, which is none of notes")
        if self.chunk not in self.chunks:
            raise ValueError(f"chunk is {self.chunk}, which is none of chunks")
        if self.cuts[-1] + self.chunk > self.depths[-1]:
            raise ValueError("after the last cut there must be a chunk of steps within the largest depth")
        if self.chunks[-1] >= self.depths[-1]:
            raise ValueError("the largest depth must be deeper than a chunk")
        return self

    @property
    def depth(self) -> int:
        """The largest depth; the shallower tasks are its beginnings."""
        return self.depths[-1]


class Statistics(Closed):
    """How estimates and intervals are made."""

    resamples: int = Field(2000, ge=100, description="bootstrap resamples of the ledgers")
    seed: int = Field(1, description="seed of the resampling")
    level: float = Field(0.95, gt=0, lt=1, description="level of the intervals")


class Handoff(Closed):
    """The study of attention tax and handoff tax."""

    models: list[str] = Field(min_length=1, description="models that keep the ledgers, alone and as chains")
    seed: int = Field(0, description="study seed: decides every ledger and problem")
    stylised: Stylised = Stylised()
    pilot: Pilot | None = Field(None, description="the padded-context pilot; null leaves it out")
    ledger: Ledger | None = Field(None, description="the ledger experiment; null leaves it out")
    statistics: Statistics = Statistics()
    published: str | None = Field(None, description="file of published numbers to show beside this run's")

    @property
    def pilot_models(self) -> list[str]:
        """The models of the pilot; none where it is left out."""
        return [] if self.pilot is None else self.pilot.models or self.models

    @property
    def called(self) -> list[str]:
        """All models that the study calls, each once."""
        return list(dict.fromkeys([*(self.models if self.ledger else []), *self.pilot_models]))
