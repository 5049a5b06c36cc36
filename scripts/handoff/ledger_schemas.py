"""The columns of the ledger experiment's tables: the contract between its stages."""

from __future__ import annotations

from scripts.handoff.schemas import COUNT, FLAG, NUMBER, TEXT, estimates, schema

# One row a model, grading (see ``measured.GRADINGS``) and bin of loads: mean load of its steps, tokens; how
# many steps count; failure: share of them; rising: loss of the isotonic curve, hinge: of the hinge, nats.
CURVE = schema(
    model=TEXT,
    simulated=FLAG,
    grading=TEXT,
    bin=COUNT,
    load=NUMBER,
    steps=COUNT,
    **estimates("failure", "rising", "hinge"),
)

# One row a model and grading: base (nats), slope (nats a token) and knee (tokens) of the weighted hinge.
HINGES = schema(model=TEXT, simulated=FLAG, grading=TEXT, **estimates("base", "slope", "knee"))

# One row a model, grading and length of the note. limit: most tokens of the note, as it was asked for; note:
# tokens that the note adds to the load after it. pairs: ledgers and cuts with both halves, of planned. tax
# (h), writing (Delta), effective (their sum), relief (added back for the smaller load): nats a boundary.
# needed: ids that the chunk after a note refers to, held: those of them in the note; notes_right: share of
# the notes that hold the writer's balance.
HANDOFFS = schema(
    model=TEXT,
    simulated=FLAG,
    grading=TEXT,
    limit=COUNT,
    planned=COUNT,
    pairs=COUNT,
    **estimates("tax", "writing", "effective", "relief"),
    note=NUMBER,
    needed=COUNT,
    held=COUNT,
    notes_right=NUMBER,
)

# One row a model, grading, depth and chunk, over the ledgers graded in both parts. predicted: before any
# chain was run, its interval from the curve's and the handoff cost's uncertainty; spread: with the chance of
# counting so many ledgers besides; covered: whether the observed share lies in it. best: chunk of
# least predicted loss (m*). single, chain: shares of ledgers without a counted error (Wilson); difference: chain less single,
# by ledger.
# only_single, only_chain: ledgers in which only the one succeeds; p: McNemar's exact test of these. frozen:
# whether every chain holds the hash of the very prediction that is compared.
COMPARISON = schema(
    model=TEXT,
    simulated=FLAG,
    grading=TEXT,
    depth=COUNT,
    chunk=COUNT,
    planned=COUNT,
    graded=COUNT,
    **estimates("predicted"),
    spread_low=NUMBER,
    spread_high=NUMBER,
    **estimates("single", "chain", "difference"),
    covered=FLAG,
    only_single=COUNT,
    only_chain=COUNT,
    p=NUMBER,
    **estimates("best"),
    prediction=TEXT,
    frozen=FLAG,
)

# One row a model, grading, part (single; chain, by chunk) and depth: the product of the steps' success shares
# against the share of ledgers without a counted error, and the difference, share less product. Under
# Assumption 1 (the losses of steps add up) it is 0 but for chance: null_low, null_high and p are of the
# permutations of ``independence_of``.
INDEPENDENCE = schema(
    model=TEXT,
    simulated=FLAG,
    grading=TEXT,
    part=TEXT,
    chunk=COUNT,
    depth=COUNT,
    graded=COUNT,
    **estimates("product", "share"),
    difference=NUMBER,
    null_low=NUMBER,
    null_high=NUMBER,
    p=NUMBER,
)
