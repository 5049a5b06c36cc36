"""The arms: which clauses both agents find below their system prompt in each experimental condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from scripts.collaboration.layout import BASELINE
from scripts.collaboration.settings import Arm, Collaboration
from scripts.lib.closed import Place, locate
from scripts.lib.dialogue.prompts import prompt
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.errors import UserError, did_you_mean

ALL_FOUR = "all_four"
PUBLISHED = tuple(STAGES.values())  # the clauses of the published study, one a stage
READY: dict[str, list[str]] = {
    ALL_FOUR: list(PUBLISHED),
    **{f"no_{key}": [clause for clause in PUBLISHED if clause != stage] for key, stage in STAGES.items()},
    **{f"only_{key}": [stage] for key, stage in STAGES.items()},
}


def clauses_by_arm(study: Collaboration) -> dict[str, list[str]]:
    """The clauses of every arm of a checked configuration, the baseline with none first."""
    known = READY | {clause: [clause] for clause in study.clauses}
    arms: dict[str, list[str]] = {BASELINE: []}
    for arm in study.arms:
        arms |= {arm: known[arm]} if isinstance(arm, str) else arm
    return arms


def clause_text(clause: str, own: Mapping[str, str]) -> str:
    """The text of a clause: one of the configuration's own, or a published one."""
    return own[clause].strip() if clause in own else prompt(f"clause_{clause}")


def check_arms(study: Collaboration, place: Place, files: Sequence[Path]) -> None:
    """Raise UserError where an arm, clause or model of an arm is unknown, or a name stands for two things."""
    for clause in study.clauses:
        if clause in (BASELINE, *READY, *PUBLISHED):
            raise UserError(f'{locate(files, (*place, "clauses", clause))}: the name "{clause}" is taken')
    known, seen = [*READY, *study.clauses], set()
    for number, arm in enumerate(study.arms):
        where = locate(files, (*place, "arms", number))
        for name in [arm] if isinstance(arm, str) else arm:
            if name == BASELINE or (isinstance(arm, dict) and name in known):
                raise UserError(f'{where}: the name "{name}" is taken')
            if name in seen:
                raise UserError(f'{where}: arm "{name}" is listed twice')
            seen.add(name)
        _check_arm(arm, known, [*PUBLISHED, *study.clauses], where)
    for number, model in enumerate((study.arms and study.arm_models) or ()):
        if model not in study.models:
            where = locate(files, (*place, "arm_models", number))
            raise UserError(
                f'{where}: "{model}" is not in models{did_you_mean(model, study.models)}. '
                "arm_models: null is all of them, arms: [] none"
            )


def _check_arm(arm: Arm, known: list[str], clauses: list[str], where: str) -> None:
    """An arm by its name must be known; the clauses of one's own arm too."""
    if isinstance(arm, str):
        if arm not in known:
            raise UserError(f'{where}: unknown arm or clause "{arm}"{did_you_mean(arm, known)}')
        return
    for clause in (clause for its in arm.values() for clause in its):
        if clause not in clauses:
            raise UserError(f'{where}: unknown clause "{clause}"{did_you_mean(clause, clauses)}')
