"""The closed vocabulary of how a rollout ends. Every planned rollout has exactly one outcome."""

from enum import StrEnum


class Outcome(StrEnum):
    """How a rollout ended; only ``answered`` rollouts carry an answer that the agents submitted."""

    ANSWERED = "answered"  # the marker with an answer was written
    NO_ANSWER = "no_answer"  # a solo reply without a marker and answer
    TURN_CAP = "turn_cap"  # the dialogue reached its last exchange without a marker
    TRUNCATED = "truncated"  # the model ran out of tokens before it wrote anything
    REFUSED = "refused"  # the model or its provider declined
    CONTEXT_OVERFLOW = "context_overflow"  # the conversation no longer fits the model
    FAILED = "failed"  # the endpoint answered with a lasting error
    BUDGET = "budget"  # the run's budget was spent before the rollout ended


# Rollouts that say nothing about the model: they have no score and lower the graded count.
UNFINISHED = frozenset({Outcome.FAILED, Outcome.BUDGET})
