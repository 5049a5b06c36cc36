"""The block ``handoff: pilot`` of the configuration: the padded-context pilot."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator

from scripts.lib.closed import Closed

Load = Annotated[int, Field(ge=0)]


class Pilot(Closed):
    """The padded-context pilot; a change runs it anew, with replies from the ledger of replies."""

    models: list[str] | None = Field(
        None, min_length=1, description="models of the pilot; null: those of the study"
    )
    problems: int = Field(100, ge=2, description="arithmetic problems, each asked at every load")
    calls: int = Field(2, ge=1, description="calls a problem and load, each behind filler of its own")
    steps: int = Field(6, ge=1, description="steps of arithmetic in a problem")
    loads: list[Load] = Field(
        [0, 8000, 16000, 32000, 63000],
        min_length=3,
        description="prompt tokens aimed at, rising; 0 is the problem behind one sentence",
    )
    batch_size: int = Field(100, ge=1, description="problems in one job")

    @field_validator("loads")
    @classmethod
    def _rising(cls, loads: list[int]) -> list[int]:
        if loads != sorted(set(loads)):
            raise ValueError("list the loads from small to large, each once")
        return loads
