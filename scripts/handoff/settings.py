"""The block ``handoff`` of the configuration: its one source for defaults, schema and documentation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator

from scripts.lib.closed import Closed

Share = Annotated[float, Field(ge=0, le=1)]


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


class Handoff(Closed):
    """The study of attention tax and handoff tax."""

    stylised: Stylised = Stylised()
