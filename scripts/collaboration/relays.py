"""Relays: conversations in which one seat changes hands after a few turns. Each is an arm of a mixed pair."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.collaboration.settings import Collaboration
from scripts.lib.closed import Place, locate
from scripts.lib.errors import UserError
from scripts.lib.names import team_name


def relays_by_arm(study: Collaboration) -> dict[str, dict[str, Any]]:
    """The relays of a checked configuration: {arm: seat, turns, and the teams that play it}."""
    arms: dict[str, dict[str, Any]] = {}
    for relay in study.relays:
        arm = arms.setdefault(relay.arm, {"seat": relay.seat, "turns": relay.turns, "teams": []})
        arm["teams"].append(relay.team)
    return arms


def check_relays(study: Collaboration, place: Place, files: Sequence[Path]) -> None:
    """Raise UserError where a relay is no team of ``pairs``, stands there twice or has the name of an arm."""
    own = {name for arm in study.arms for name in ([arm] if isinstance(arm, str) else arm)}
    for number, relay in enumerate(study.relays):
        where = locate(files, (*place, "relays", number))
        if relay.team not in study.pairs:
            raise UserError(
                f'{where}: "{team_name(tuple(relay.team))}" is not in pairs. A relay is compared with the '
                f"pair that keeps its seats; add {relay.team} to pairs, or set relays: []"
            )
        if relay in study.relays[:number]:
            raise UserError(f"{where}: the relay is listed twice")
        if relay.arm in own:
            raise UserError(f'{where}: the name "{relay.arm}" is that of an arm; give the arm another one')
