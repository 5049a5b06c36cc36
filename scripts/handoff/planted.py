"""What is planted in a simulated ledger keeper, by the study's own names."""

from __future__ import annotations

from math import exp

from pydantic import Field

from scripts.lib.closed import Closed


class Planted(Closed):
    """Log-losses in nats, loads in tokens as simulated agents count them (words times 4/3)."""

    base: float = Field(ge=0, description="loss of a step up to the knee")
    slope: float = Field(ge=0, description="what a token beyond the knee adds to it")
    knee: float = Field(ge=0, description="load from which the loss rises")
    handoff: float = Field(0.0, ge=0, description="loss of starting from an endless note")
    brevity: float = Field(0.0, ge=0, description="a note of at most o tokens loses brevity / o more")

    def step(self, load: float) -> float:
        """The loss of a step."""
        return self.base + self.slope * max(0.0, load - self.knee)

    def note(self, limit: float) -> float:
        """The loss of a note of at most so many tokens; it falls on one step of the chunk after it."""
        return self.handoff + self.brevity / limit


def fails(loss: float, drawn: float) -> bool:
    """Whether something with a log-loss fails, by a number drawn from [0, 1)."""
    return drawn < 1 - exp(-loss)
