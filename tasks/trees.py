"""Trees told as text: links from children to parents, as lists of children or one sentence a child.

Facts: ("parent", name) -> name. A frame's ``form`` is ``lists`` or ``sentences``.
"""

from __future__ import annotations

import re

from tasks import labels
from tasks.ancestry import Link, reach
from tasks.contract import Facts, Frame

_CHILDREN = re.compile(r"Directly below (\w+): ([^.]*)\.")
_PARENT = re.compile(r"(\w+) is directly below (\w+)\.")


def say_tree(facts: Facts, frame: Frame) -> list[str]:
    """The links of the tree, as lists of children or one sentence a child."""
    pairs = [
        (labels.label(value, frame), labels.label(key[1], frame))
        for key, value in facts.items()
        if key[0] == "parent"
    ]
    pairs.sort(key=lambda pair: [labels.order(end) for end in pair])
    if frame["form"] == "sentences":
        return [f"{child} is directly below {above}." for above, child in pairs]
    children: dict[str, list[str]] = {}
    for above, child in pairs:
        children.setdefault(above, []).append(child)
    return [f"Directly below {above}: {', '.join(group)}." for above, group in children.items()]


def read_tree(text: str) -> list[Link]:
    """The links that a text tells in either form, as labels: child and parent."""
    listed = [(child.strip(), m[1]) for m in _CHILDREN.finditer(text) for child in m[2].split(",")]
    return listed + _PARENT.findall(text)


def below(facts: Facts, top: str) -> list[str]:
    """The top and all that is below it, each once, even where garbled links run in a circle."""
    children: dict[str, list[str]] = {}
    for key, value in facts.items():
        if key[0] == "parent":
            children.setdefault(value, []).append(key[1])
    return reach(children, top)
