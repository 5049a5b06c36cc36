"""Instances as rows and back: facts are dicts with tuple keys, which JSON has not."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from tasks import TASKS, get_task
from tasks.contract import HOLDERS, VIEWS, Answer, Draft, Facts, Frame, Task
from tasks.making import Instance


@dataclass(frozen=True)
class Puzzle:
    """What grading and drawing need of an instance."""

    facts: dict[str, Facts]
    frames: dict[str, Frame]
    answer: Answer
    digest: str

    @property
    def union(self) -> Facts:
        """All facts of the instance."""
        return self.facts["a"] | self.facts["b"]


def to_json(value: Any) -> str:
    """Compact JSON with sorted keys."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def facts_to_json(facts: Facts) -> str:
    """Facts as a list of [key, value], in order of their text."""
    return to_json(sorted(([list(key), value] for key, value in facts.items()), key=to_json))


def facts_from_json(text: str) -> Facts:
    """The inverse of facts_to_json; lists become tuples."""
    return {_tuples(key): _tuples(value) for key, value in json.loads(text)}


def _tuples(value: Any) -> Any:
    return tuple(_tuples(inner) for inner in value) if isinstance(value, list) else value


def view_digest(task: Task, draft: Draft) -> str:
    """A hash of the texts that agents see, so that a grade never meets another instance's rollout."""
    texts = "\x1f".join(task.view(draft, view) for view in VIEWS)
    return hashlib.sha256(texts.encode()).hexdigest()[:16]


def instance_row(task: Task, instance: Instance) -> dict[str, Any]:
    """An instance as a row of ``instances/{task}.parquet``."""
    row: dict[str, Any] = {
        "task": instance.task,
        "family": TASKS[instance.task],
        "size": instance.size,
        "index": instance.index,
        "seed": instance.seed,
        "frames": to_json(instance.draft.frames),
        "answer": to_json(instance.answer),
        "rejected": to_json(instance.rejected),
        "digest": "",
    }
    for holder in HOLDERS:
        proof = instance.certificate[holder]
        row[f"facts_{holder}"] = facts_to_json(instance.draft.facts[holder])
        row[f"completions_{holder}"] = proof.completions
        row[f"answers_{holder}"] = proof.answers
        row[f"witnesses_{holder}"] = to_json([proof.first, proof.second])
        row[f"floor_{holder}"] = instance.floor[holder]
    row |= union_proof(task, instance)
    puzzle = read_puzzle(row)  # views are written from the row, where dicts may have another order
    row["digest"] = view_digest(task, Draft(puzzle.facts, puzzle.frames))
    return row


def union_proof(task: Task, instance: Instance) -> dict[str, Any]:
    """That both views together fix the optimum, from the texts alone.

    union_gaps: facts that are missing in what both texts say (0); union_score: what the solver's answer to
    these facts scores (1.0).
    """
    heard = [facts for h in HOLDERS for _, facts in task.hear_blocks(task.view(instance.draft, h))]
    union = heard[0] | heard[1]
    score = task.grade(instance.draft.union, instance.answer, task.solve(union))
    return {"union_gaps": task.gaps(union), "union_score": float(score)}


def read_puzzle(row: dict[str, Any]) -> Puzzle:
    """The puzzle of a row."""
    facts = {holder: facts_from_json(row[f"facts_{holder}"]) for holder in HOLDERS}
    return Puzzle(facts, json.loads(row["frames"]), json.loads(row["answer"]), row["digest"])


def optimal_answer(instance: dict[str, Any], view: str) -> str:
    """The optimal answer as the holder of a view would write it."""
    puzzle, task = read_puzzle(instance), get_task(instance["task"])
    return to_json({task.answer_key: task.write_answer(puzzle.answer, puzzle.frames[view])})
