"""What a row of a statistic speaks of: one task, a family, or all tasks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Scope(NamedTuple):
    """One task, the tasks of a family, or all of them."""

    scope: str
    family: str | None
    task: str | None
    tasks: list[str]


def scopes(tasks: Mapping[str, str]) -> Iterator[Scope]:
    """Each task, each family, and all tasks ({task: family}), in the order of the config."""
    for task, family in tasks.items():
        yield Scope("task", family, task, [task])
    for family in dict.fromkeys(tasks.values()):
        yield Scope("family", family, None, [task for task in tasks if tasks[task] == family])
    yield Scope("all", None, None, list(tasks))
