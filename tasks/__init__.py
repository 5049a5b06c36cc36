"""The tasks: pure functions from a seed to an instance, its views, its answer and its grade."""

from __future__ import annotations

from importlib import import_module

from tasks.contract import Task

# Name -> family, in the order of the figures. Registering a task is one line here.
TASKS = {
    "maze": "spatial",
    "streetmap": "spatial",
    "floodfill": "spatial",
    "relaquery": "relational",
    "treesum": "relational",
    "trianglecount": "relational",
    "schedule": "csp",
    "logic": "csp",
    "eventlog": "csp",
}


def get_task(name: str) -> Task:
    """The task of that name (``tasks/<family>/<name>.py``). Raises KeyError for an unknown name."""
    return import_module(f"tasks.{TASKS[name]}.{name}").TASK
