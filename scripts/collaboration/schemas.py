"""The columns of every Parquet artifact of the study: the contract between its stages."""

from __future__ import annotations

import pyarrow as pa

TEXT, FLAG, NUMBER, COUNT, LONG = pa.string(), pa.bool_(), pa.float64(), pa.int32(), pa.int64()


def _schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema(list(columns.items()))


# One row an instance. Facts, frames and answers are JSON (see tasks/contract.py). The certificate says for
# each view how many completions were looked at, how many optimal answers they have, and two of these; and
# that the solver scores 1 from what both texts say.
INSTANCES = _schema(
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
VIEWS = _schema(task=TEXT, family=TEXT, index=COUNT, view=TEXT, text=TEXT, frame=TEXT, digest=TEXT)

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
ROLLOUTS = _schema(
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
ANSWERS = _schema(
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
GRADES = _schema(
    **ROLLOUT_ID, outcome=TEXT, answered_by=TEXT, score=NUMBER, accepted=pa.list_(TEXT), answer=TEXT
)

# One row a team x mode x task. planned = run + missing rows; graded <= run.
CELLS = _schema(
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
TAX = _schema(
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
    solo_full=NUMBER,
    solo_full_low=NUMBER,
    solo_full_high=NUMBER,
    solo_split=NUMBER,
    solo_split_low=NUMBER,
    solo_split_high=NUMBER,
    collab=NUMBER,
    collab_low=NUMBER,
    collab_high=NUMBER,
    tax=NUMBER,
    tax_low=NUMBER,
    tax_high=NUMBER,
    ratio_gap=NUMBER,
    ratio_gap_low=NUMBER,
    ratio_gap_high=NUMBER,
    alignment=NUMBER,
    alignment_low=NUMBER,
    alignment_high=NUMBER,
    talking=NUMBER,
    talking_low=NUMBER,
    talking_high=NUMBER,
    dagger=FLAG,
)

# One row an arm (all but the baseline), team and scope; team is null where the models are taken together.
# gain = collab - the baseline's collab, recovered = gain / tax of the baseline, lost = what all four clauses
# recover more. All on the instances graded in solo_full and in collab of both arms. tax_small: share of the
# resamples in which the tax is below least_tax.
ARMS = _schema(
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
    gain=NUMBER,
    gain_low=NUMBER,
    gain_high=NUMBER,
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

# One row a task: what guessing and luck earn, how much there is to read, how instances are refused.
# ``seconds`` (CPU, for one instance) is the one column that differs from run to run.
TASK_PROPERTIES = _schema(
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
CALIBRATION = _schema(
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

# One row a shape of scores, instances a task, scope and quantity of the made-up studies with a known truth.
# given: share of the studies with an interval, covered: share of these intervals that hold the true value,
# width: their median width; differing: expected instances unlike the commonest value; miss: what is wrong.
INTERVALS = _schema(
    shape=TEXT,
    instances=COUNT,
    scope=TEXT,
    quantity=TEXT,
    true=NUMBER,
    bias=NUMBER,
    bias_error=NUMBER,
    given=NUMBER,
    covered=NUMBER,
    width=NUMBER,
    differing=NUMBER,
    miss=TEXT,
)

# One row a component of the scores' variance in a scope: measured on ``instances`` that ``models`` played in
# ``modes``. reason: why it is null.
VARIANCE_COMPONENTS = _schema(
    scope=TEXT,
    family=TEXT,
    component=TEXT,
    simulated=FLAG,
    tasks=COUNT,
    instances=COUNT,
    models=COUNT,
    modes=COUNT,
    variance=NUMBER,
    variance_low=NUMBER,
    variance_high=NUMBER,
    reason=TEXT,
)

# One row a planned comparison and scope. variance: of an instance's difference, averaged over the tasks in
# which two instances or more show it. half_width: expected with the planned rollouts; seeds: instances a
# task for the half width of the configuration, with 1, 2 or 4 rollouts an instance. reason: why it is null.
POWER = _schema(
    quantity=TEXT,
    arm=TEXT,
    team=TEXT,
    scope=TEXT,
    family=TEXT,
    simulated=FLAG,
    tasks=COUNT,
    instances=COUNT,
    variance=NUMBER,
    half_width=NUMBER,
    planned=COUNT,
    seeds=COUNT,
    seeds_2=COUNT,
    seeds_4=COUNT,
    in_reach=FLAG,
    reason=TEXT,
)

# One row a drawn rollout. Its stratum (team/task/success or failure) has ``available`` graded rollouts, of
# which ``drawn`` are in this sample.
SAMPLES = _schema(
    **ROLLOUT_ID, outcome=TEXT, score=NUMBER, success=FLAG, stratum=TEXT, available=COUNT, drawn=COUNT
)

# One row a judged rollout and stage. ``satisfied`` is null where the judge gave no valid verdict twice
# (``error`` says why); turn and quotation are its evidence. ``simulated``: the team or the judge is.
JUDGEMENTS = _schema(
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
STAGES = _schema(
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
STAGE_COUNTS = _schema(
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
STAGE_OVERLAP = _schema(
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
RECOVERY = _schema(
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
DESCRIPTIONS = _schema(
    **ROLLOUT_ID, simulated=FLAG, describer=TEXT, description=TEXT, error=TEXT, score=NUMBER
)
