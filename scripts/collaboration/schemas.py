"""The columns of every Parquet artifact of the study: the contract between its stages."""

from __future__ import annotations

import pyarrow as pa

TEXT, FLAG, NUMBER, COUNT, LONG = pa.string(), pa.bool_(), pa.float64(), pa.int32(), pa.int64()


def schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema(list(columns.items()))


def estimates(*names: str) -> dict[str, pa.DataType]:
    """For each name the estimate and the ends of its interval."""
    return {f"{name}{end}": NUMBER for name in names for end in ("", "_low", "_high")}


# One row an instance. Facts, frames and answers are JSON (see tasks/contract.py). The certificate says for
# each view how many completions were looked at, how many optimal answers they have, and two of these; and
# that the solver scores 1 from what both texts say.
INSTANCES = schema(
    task=TEXT,
    family=TEXT,
    size=TEXT,
    index=COUNT,
    seed=LONG,
    facts_a=TEXT,
    facts_b=TEXT,
    frames=TEXT,
    answer=TEXT,
    completions_a=COUNT,
    completions_b=COUNT,
    answers_a=COUNT,
    answers_b=COUNT,
    witnesses_a=TEXT,
    witnesses_b=TEXT,
    union_gaps=COUNT,
    union_score=NUMBER,
    floor_a=NUMBER,
    floor_b=NUMBER,
    rejected=TEXT,
    digest=TEXT,
)

# One row an instance and view: the text an agent sees.
VIEWS = schema(task=TEXT, family=TEXT, index=COUNT, view=TEXT, text=TEXT, frame=TEXT, digest=TEXT)

ROLLOUT_ID = {"arm": TEXT, "team": TEXT, "mode": TEXT, "family": TEXT, "task": TEXT, "index": COUNT}

# slot 0 is the user (critic prompt), 1 and 2 are the agents; text is what was relayed, reply what was
# written.
MESSAGE = pa.struct(
    [
        ("turn", COUNT),
        ("slot", COUNT),
        ("text", TEXT),
        ("reply", TEXT),
        ("reasoning", TEXT),
        ("finish_reason", TEXT),
        ("wrote_prefix", FLAG),
        ("prompt_tokens", LONG),
        ("completion_tokens", LONG),
        ("key", TEXT),
    ]
)
USAGE = pa.struct(
    [("slot", COUNT), ("model", TEXT), ("calls", COUNT), ("prompt_tokens", LONG), ("completion_tokens", LONG)]
)

# One row a rollout. ``sent`` is JSON: for each slot the endpoint, model and parameters that went out.
ROLLOUTS = schema(
    **ROLLOUT_ID,
    digest=TEXT,
    simulated=FLAG,
    outcome=TEXT,
    error=TEXT,
    answer_text=TEXT,
    answer_slot=COUNT,
    turns=COUNT,
    truncated=COUNT,
    messages=pa.list_(MESSAGE),
    usage=pa.list_(USAGE),
    sent=TEXT,
)

# One row a rollout. program_* was read by the task's reader, grader_* by the grader model (null without one);
# ``answer`` is the one that is graded and answered_by says whose it is: program, grader or none.
ANSWERS = schema(
    **ROLLOUT_ID,
    digest=TEXT,
    outcome=TEXT,
    program_answer=TEXT,
    found_by=TEXT,
    grader_answer=TEXT,
    grader_convention=TEXT,
    grader_error=TEXT,
    answer=TEXT,
    answered_by=TEXT,
)

# One row a rollout. ``score`` is null where the rollout could not be run to its end (failed, budget).
GRADES = schema(
    **ROLLOUT_ID, outcome=TEXT, answered_by=TEXT, score=NUMBER, accepted=pa.list_(TEXT), answer=TEXT
)

# One row a team x mode x task. planned = run + missing rows; graded <= run.
CELLS = schema(
    arm=TEXT,
    team=TEXT,
    mode=TEXT,
    family=TEXT,
    task=TEXT,
    simulated=FLAG,
    planned=COUNT,
    run=COUNT,
    graded=COUNT,
    answered=COUNT,
    no_answer=COUNT,
    turn_cap=COUNT,
    truncated=COUNT,
    refused=COUNT,
    context_overflow=COUNT,
    failed=COUNT,
    budget=COUNT,
    by_grader=COUNT,
    score=NUMBER,
    score_low=NUMBER,
    score_high=NUMBER,
    floor=NUMBER,
    turns=NUMBER,
    replies=LONG,
    truncated_replies=LONG,
    prompt_tokens=LONG,
    completion_tokens=LONG,
    cost=NUMBER,
)

# One row a team and scope: a task, a family (mean of its task means) or all tasks (mean of task means).
TAX = schema(
    arm=TEXT,
    team=TEXT,
    kind=TEXT,
    scope=TEXT,
    family=TEXT,
    task=TEXT,
    simulated=FLAG,
    tasks=COUNT,
    planned=COUNT,
    graded=COUNT,
    **estimates("solo_full", "solo_split", "collab", "tax", "ratio_gap", "alignment", "talking"),
    dagger=FLAG,
)

# One row an arm (all but the baseline), team and scope; team is null where the models are taken together.
# gain = collab - the baseline's collab, recovered = gain / tax of the baseline, lost = what all four clauses
# recover more. All on the instances graded in solo_full and in collab of both arms. tax_small: share of the
# resamples in which the tax is below least_tax.
ARMS = schema(
    arm=TEXT,
    team=TEXT,
    scope=TEXT,
    family=TEXT,
    task=TEXT,
    simulated=FLAG,
    teams=COUNT,
    tasks=COUNT,
    planned=COUNT,
    graded=COUNT,
    solo_full=NUMBER,
    solo_full_low=NUMBER,
    solo_full_high=NUMBER,
    collab=NUMBER,
    collab_low=NUMBER,
    collab_high=NUMBER,
    **estimates("gain"),
    tax=NUMBER,
    tax_low=NUMBER,
    tax_high=NUMBER,
    tax_small=NUMBER,
    recovered=NUMBER,
    recovered_low=NUMBER,
    recovered_high=NUMBER,
    lost=NUMBER,
    lost_low=NUMBER,
    lost_high=NUMBER,
    dagger=FLAG,
)


# One row a mixed pair (in slot order) and scope, arm baseline. solo_* are its members' solo_full scores,
# own_* those of their homogeneous teams; *_solo and *_own say which of these a measure is taken of.
PAIRS = schema(
    team=TEXT,
    first=TEXT,
    second=TEXT,
    scope=TEXT,
    family=TEXT,
    task=TEXT,
    simulated=FLAG,
    tasks=COUNT,
    planned=COUNT,
    graded=COUNT,
    **estimates("solo_1", "solo_2", "own_1", "own_2", "pair", "slot_effect"),
    **estimates("midpoint_solo", "from_midpoint_solo", "tax_solo"),
    **estimates("midpoint_own", "from_midpoint_own", "tax_own"),
)

# One row a team, reading of "alone" (solo_full, own_collab) and scope, arm baseline: a two-player game. taxed
# and subadditive count the scope's tasks with tax > 0 and with surplus < 0, *_clear those whose interval says
# so too; *_share is the share of resamples in which the row's own tax or surplus does.
GAME_VALUES = schema(
    team=TEXT,
    kind=TEXT,
    alone=TEXT,
    scope=TEXT,
    family=TEXT,
    task=TEXT,
    simulated=FLAG,
    tasks=COUNT,
    **estimates("v1", "v2", "v12", "tax", "surplus", "phi_1", "phi_2"),
    tax_share=NUMBER,
    surplus_share=NUMBER,
    **estimates("taxed"),
    taxed_clear=COUNT,
    **estimates("subadditive"),
    subadditive_clear=COUNT,
)

# One row a task: what guessing and luck earn, how much there is to read, how instances are refused.
# ``seconds`` (CPU, for one instance) is the one column that differs from run to run.
TASK_PROPERTIES = schema(
    task=TEXT,
    family=TEXT,
    size=TEXT,
    instances=COUNT,
    floor=NUMBER,
    floor_optimistic=NUMBER,
    floor_random=NUMBER,
    false_accept=NUMBER,
    convention_gain=NUMBER,
    conventions=COUNT,
    answers_open=NUMBER,
    answers_seen=COUNT,
    characters_full=NUMBER,
    characters_a=NUMBER,
    characters_b=NUMBER,
    draws=LONG,
    rejected_share=NUMBER,
    rejected=TEXT,
    seconds=NUMBER,
)

# One row a task and size: the solo score of one model on the ladder of sizes.
CALIBRATION = schema(
    model=TEXT,
    task=TEXT,
    family=TEXT,
    size=TEXT,
    simulated=FLAG,
    planned=COUNT,
    graded=COUNT,
    score=NUMBER,
    proposed=FLAG,
)

# One row a drawn rollout. Its stratum (team/task/success or failure) has ``available`` graded rollouts, of
# which ``drawn`` are in this sample.
SAMPLES = schema(
    **ROLLOUT_ID, outcome=TEXT, score=NUMBER, success=FLAG, stratum=TEXT, available=COUNT, drawn=COUNT
)

# One row a judged rollout and stage. ``satisfied`` is null where the judge gave no valid verdict twice
# (``error`` says why); turn and quotation are its evidence. ``simulated``: the team or the judge is.
JUDGEMENTS = schema(
    **ROLLOUT_ID,
    simulated=FLAG,
    judge=TEXT,
    stage=TEXT,
    satisfied=FLAG,
    turn=COUNT,
    quotation=TEXT,
    attempts=COUNT,
    error=TEXT,
    score=NUMBER,
    success=FLAG,
)

# One row a scope (all, a family, a team) and stage: how many of the drawn successes and failures have a valid
# verdict, and the share of each that satisfied the stage. ``alone``: of the failures in which it fires, the
# share in which no other stage does. sample_* are the plain shares of the drawn, not weighted.
STAGES = schema(
    scope=TEXT,
    family=TEXT,
    team=TEXT,
    simulated=FLAG,
    judge=TEXT,
    stage=TEXT,
    drawn_successes=COUNT,
    drawn_failures=COUNT,
    judged_successes=COUNT,
    judged_failures=COUNT,
    successes=NUMBER,
    successes_low=NUMBER,
    successes_high=NUMBER,
    failures=NUMBER,
    failures_low=NUMBER,
    failures_high=NUMBER,
    separation=NUMBER,
    separation_low=NUMBER,
    separation_high=NUMBER,
    alone=NUMBER,
    alone_low=NUMBER,
    alone_high=NUMBER,
    sample_successes=NUMBER,
    sample_failures=NUMBER,
)

# One row a scope, success or failure, and number of stages that fire (0 to 4): how many of the rollouts with
# four valid verdicts, and their share.
STAGE_COUNTS = schema(
    scope=TEXT,
    family=TEXT,
    team=TEXT,
    simulated=FLAG,
    success=FLAG,
    firing=COUNT,
    rollouts=COUNT,
    judged=COUNT,
    share=NUMBER,
    share_low=NUMBER,
    share_high=NUMBER,
)

# One row a scope and pair of stages, over the failures with four valid verdicts: in how many both fire, or at
# least one, and the Jaccard overlap of the two.
STAGE_OVERLAP = schema(
    scope=TEXT,
    family=TEXT,
    team=TEXT,
    simulated=FLAG,
    first=TEXT,
    second=TEXT,
    judged=COUNT,
    both=COUNT,
    either=COUNT,
    jaccard=NUMBER,
    jaccard_low=NUMBER,
    jaccard_high=NUMBER,
)

# One row a simulated team (or all, team null) and stage: the judge against what was planted. ``missed``: it
# slipped and the judge saw nothing; ``false_alarms``: the judge fires and nothing slipped.
RECOVERY = schema(
    team=TEXT,
    simulated=FLAG,
    judge=TEXT,
    stage=TEXT,
    judged=COUNT,
    planted=NUMBER,
    found=NUMBER,
    missed=COUNT,
    false_alarms=COUNT,
    agreement=NUMBER,
    agreement_low=NUMBER,
    agreement_high=NUMBER,
    kappa=NUMBER,
    kappa_low=NUMBER,
    kappa_high=NUMBER,
)

# One row a described failure; ``description`` is null where the describer gave none (``error`` says why).
DESCRIPTIONS = schema(
    **ROLLOUT_ID, simulated=FLAG, describer=TEXT, description=TEXT, error=TEXT, score=NUMBER
)

# One row a description; ``vector`` is null where there is none (``error`` says why a call failed).
EMBEDDINGS = schema(**ROLLOUT_ID, simulated=FLAG, embedder=TEXT, vector=pa.list_(pa.float32()), error=TEXT)
