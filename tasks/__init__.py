"""The tasks: pure functions from a seed to an instance, its views, its answer and its grade."""

from __future__ import annotations

from importlib import import_module

from tasks.contract import Task

# Name -> family, in the order of the figures. Registering a task is one line here.
TASKS = {
    "maze": "spatial",
    "numberlink": "spatial",
    "blueprintmaze": "spatial",
    "streetmap": "spatial",
    "terrain": "spatial",
    "rulemaze": "spatial",
    "geomaze": "spatial",
    "cube": "spatial",
    "conflictpath": "spatial",
    "timedpath": "spatial",
    "floodfill": "spatial",
    "treesum": "relational",
    "relaquery": "relational",
    "noderanking": "relational",
    "ancestorpath": "relational",
    "trianglecount": "relational",
    "aliasedtaxonomy": "relational",
    "eulerpath": "relational",
    "graphattr": "relational",
    "graph": "relational",
    "dagorder": "relational",
    "graphpath": "relational",
    "cipherdecode": "csp",
    "logic": "csp",
    "meetingmatrix": "csp",
    "attrcombo": "csp",
    "eventlog": "csp",
    "binpack": "csp",
    "seating": "csp",
    "order": "csp",
    "crossword": "csp",
    "schedule": "csp",
}


def get_task(name: str) -> Task:
    """The task of that name (``tasks/<family>/<name>.py``). Raises KeyError for an unknown name."""
    return import_module(f"tasks.{TASKS[name]}.{name}").TASK
