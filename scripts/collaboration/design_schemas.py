"""The columns of the tables about intervals, variance and power; the other tables are in ``schemas``."""

from __future__ import annotations

from scripts.collaboration.schemas import COUNT, FLAG, NUMBER, TEXT, schema

# One row a shape of scores, instances a task, scope and quantity of the made-up studies with a known truth.
# given: share of the studies with an interval, covered: share of these intervals that hold the true value,
# width: their median width; differing: expected instances unlike the commonest value; miss: what is wrong.
INTERVALS = schema(
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
VARIANCE_COMPONENTS = schema(
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
POWER = schema(
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
