"""From a seed to a certified instance: draw, prove that both views are needed, refuse lucky guesses."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any, NamedTuple

from tasks.contract import HOLDERS, Answer, Draft, Facts, Reject, Task

ATTEMPTS = 4000  # draws before an instance is given up
GUESSES = 4  # random one-view guesses whose mean score is the floor of a view
COMPLETIONS = 40  # completions tried before a view is taken to fix the answer
COUNTED = 24  # completions of which an accepted instance counts the optimal answers, per view


@dataclass(frozen=True)
class Certificate:
    """Proof that one view is not enough: what its completions leave open.

    The counts are of what was looked at, and so lower bounds.
    """

    completions: int  # completions that have an optimal answer
    answers: int  # distinct optimal answers among them, at least Task.least_answers
    first: Answer
    second: Answer  # scores below 1 where ``first`` is optimal, and the reverse


class Guesses(NamedTuple):
    """Scores in [0, 1] of guessing what one view does not say: optimistically, and at random on average."""

    optimistic: float
    random: float


@dataclass(frozen=True)
class Instance:
    """A drawn, certified instance. ``guesses[holder]``: mean scores of guessing from that view alone."""

    task: str
    size: str
    index: int
    seed: int
    draft: Draft
    answer: Answer
    certificate: dict[str, Certificate]
    guesses: dict[str, Guesses]
    rejected: dict[str, int] = field(default_factory=dict)

    @property
    def floor(self) -> dict[str, float]:
        """What each view alone scores by the better way of guessing, in [0, 1]."""
        return {holder: max(guesses) for holder, guesses in self.guesses.items()}


def stable_seed(*parts: Any) -> int:
    """A 63-bit seed from the parts' text: the same on every machine and under any PYTHONHASHSEED."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def make_instance(task: Task, size: str, study_seed: int, index: int) -> Instance:
    """Draw until an instance qualifies. Raises RuntimeError, with the reasons, after ATTEMPTS draws."""
    seed = stable_seed(study_seed, task.name, size, index)
    rejected: Counter[str] = Counter()
    for attempt in range(ATTEMPTS):
        rng = random.Random(stable_seed(seed, attempt))
        try:
            draft = task.draw(rng, task.sizes[size])
            answer = solved(task, draft.union)
            proofs = {h: certify(task, draft.facts[h], rng) for h in HOLDERS}
            guesses = {h: guess(task, draft, answer, h, rng) for h in HOLDERS}
        except Reject as reason:
            rejected[str(reason)] += 1
            continue
        certificate = {
            h: counted(task, draft.facts[h], proofs[h], random.Random(stable_seed(seed, "open", h)))
            for h in HOLDERS
        }
        return Instance(task.name, size, index, seed, draft, answer, certificate, guesses, dict(rejected))
    raise RuntimeError(f"{task.name} ({size}): no instance {index} in {ATTEMPTS} draws: {dict(rejected)}")


def solved(task: Task, facts: Facts) -> Answer:
    """The optimal answer; rejects facts with gaps or without a solution."""
    if task.gaps(facts):
        raise Reject("both views together leave gaps")
    answer = task.solve(facts)
    if answer is None:
        raise Reject("no solution")
    return answer


def completed(task: Task, facts: Facts, rng: random.Random | None) -> tuple[Facts, Answer] | None:
    """One completion of a view and its optimal answer; None where it has none."""
    try:
        full = task.complete(facts, rng)
    except Reject:
        return None
    answer = task.solve(full)
    return None if answer is None else (full, answer)


def certify(task: Task, facts: Facts, rng: random.Random) -> Certificate:
    """Find completions of one view with different optimal answers, or reject the draw."""
    found: dict[str, tuple[Facts, Answer]] = {}
    examined = 0
    for trial in range(COMPLETIONS):
        completion = completed(task, facts, rng if trial else None)
        if completion is None:
            continue
        examined += 1
        found.setdefault(repr(completion[1]), completion)
        if len(found) >= task.least_answers:
            pair = _disagreeing(task, list(found.values()))
            if pair:
                return Certificate(examined, len(found), *pair)
    raise Reject("one view fixes the answer")


def counted(task: Task, facts: Facts, proof: Certificate, rng: random.Random) -> Certificate:
    """The proof with the counts over COUNTED completions of the view."""
    looked_at = [completed(task, facts, rng if trial else None) for trial in range(COUNTED)]
    answers = {repr(completion[1]) for completion in looked_at if completion}
    return replace(
        proof,
        completions=max(sum(completion is not None for completion in looked_at), proof.completions),
        answers=max(len(answers), proof.answers),
    )


def _disagreeing(task: Task, found: list[tuple[Facts, Answer]]) -> tuple[Answer, Answer] | None:
    """Two completions of which each one's optimal answer is not optimal for the other."""
    facts, answer = found[-1]
    for other_facts, other in found[:-1]:
        if task.grade(facts, answer, other) < 1 and task.grade(other_facts, other, answer) < 1:
            return answer, other
    return None


def guess(task: Task, draft: Draft, truth: Answer, holder: str, rng: random.Random) -> Guesses:
    """Guess from one view.

    Graded as an answer would be, in all accepted conventions. An instance that the optimistic guess or
    the first random guess gets fully right is rejected; the mean is over fresh random guesses.
    """
    scores = []
    for trial in range(2 + GUESSES):
        guessed = completed(task, draft.facts[holder], rng if trial else None)
        score = 0.0
        if guessed is not None:
            value = task.write_answer(guessed[1], draft.frames[holder])
            score = task.score(draft.union, truth, value, draft.frames).score
        if score >= 1 and trial < 2:
            raise Reject("a guess from one view is fully right")
        scores.append(score)
    return Guesses(scores[0], fmean(scores[2:]))  # exact, so that all Python versions agree
