"""The columns of every Parquet artifact of the study: the contract between its stages."""

from __future__ import annotations

import pyarrow as pa

TEXT, FLAG, NUMBER, COUNT, LONG = pa.string(), pa.bool_(), pa.float64(), pa.int32(), pa.int64()


def schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema(list(columns.items()))


def estimates(*names: str) -> dict[str, pa.DataType]:
    """For each name the estimate and the ends of its interval."""
    return {f"{name}{end}": NUMBER for name in names for end in ("", "_low", "_high")}


# One row a step that was asked for. part: single, handoff (from the single agent's prefix after ``cut``
# steps) or chain. role: step, writer (the step whose reply also holds a note) or reader (a step after a
# note). limit: most tokens of that note. chunk: steps between two handoffs of a chain. load: tokens of the
# prompt as the endpoint counted them. expected, stated, right: see dialogue.Account; ``right`` is null where
# the call failed for good. needed, held: ids that the next chunk refers to, and those of them in the note;
# note_right: whether it holds the balance. prediction: hash of the one under which a chain was first run.
STEPS = schema(
    model=TEXT,
    simulated=FLAG,
    index=COUNT,
    part=TEXT,
    cut=COUNT,
    limit=COUNT,
    chunk=COUNT,
    role=TEXT,
    step=COUNT,
    kind=TEXT,
    stationary=FLAG,
    load=LONG,
    completion_tokens=LONG,
    finish_reason=TEXT,
    outcome=TEXT,
    error=TEXT,
    expected=LONG,
    stated=LONG,
    right=FLAG,
    needed=COUNT,
    held=COUNT,
    note_right=FLAG,
    reply=TEXT,
    prediction=TEXT,
)
