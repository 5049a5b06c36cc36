"""The columns of the pilot's tables: the contract between its stages."""

from __future__ import annotations

from scripts.handoff.schemas import COUNT, FLAG, LONG, NUMBER, TEXT, estimates, schema

# One row a call. level: number of the load, from 0; aim: prompt tokens aimed at; load: prompt tokens as the
# endpoint counted them (null where it did not); estimate: then words of the prompt times 4/3, else null.
# wrong: another number than the answer, null without an answer line; missing: no answer line. Both are null
# where there is no reply of the model: the call failed for good, or its context is too small.
PILOT = schema(
    model=TEXT,
    simulated=FLAG,
    index=COUNT,
    level=COUNT,
    aim=COUNT,
    call=COUNT,
    words=COUNT,
    load=LONG,
    estimate=LONG,
    completion_tokens=LONG,
    finish_reason=TEXT,
    outcome=TEXT,
    error=TEXT,
    answer=LONG,
    stated=LONG,
    missing=FLAG,
    wrong=FLAG,
    reply=TEXT,
)

# One row a model, definition of failure and load. load, least, most: mean and range of the measured loads
# (counted: whether the endpoint counted them). graded: calls that count for this definition; refused: calls
# that the context was too small for; cut: replies that ran out of tokens. share: failures among the graded.
# hinge: failure by the hinge fit. difference: share less that at the first load, by problem; t, df, p: its
# paired t test over ``pairs`` problems.
PILOT_LOADS = schema(
    model=TEXT,
    simulated=FLAG,
    failure=TEXT,
    level=COUNT,
    aim=COUNT,
    load=NUMBER,
    least=LONG,
    most=LONG,
    counted=FLAG,
    planned=COUNT,
    run=COUNT,
    refused=COUNT,
    cut=COUNT,
    graded=COUNT,
    failures=COUNT,
    **estimates("share", "hinge", "difference"),
    pairs=COUNT,
    t=NUMBER,
    df=COUNT,
    p=NUMBER,
)

# One row a model and definition of failure: base (nats), slope (nats a token), knee (tokens), over how many
# loads. determined: whether the data tell where the knee is; remark: why not.
PILOT_HINGES = schema(
    model=TEXT,
    simulated=FLAG,
    failure=TEXT,
    loads=COUNT,
    **estimates("base", "slope", "knee"),
    determined=FLAG,
    remark=TEXT,
)
