"""The line in which a reply gives its number, such as ``BALANCE: 12345``."""

from __future__ import annotations

import re

LONGEST = 200  # characters: no answer line is longer, and no reply can make the reading slow
_NUMBER = r"([-+\N{MINUS SIGN}]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+))(?:\.0+)?"


def read_number(reply: str, mark: str) -> int | None:
    """The number in the last line ``mark: number`` of a reply; None where there is no such line.

    Capitals, Markdown around it, commas between thousands and zeros after the point do not matter.
    """
    line_form = re.compile(rf"[\s*_`>#-]*{re.escape(mark)}[\s*_`]*:[\s*_`]*{_NUMBER}[\s*_`.]*", re.IGNORECASE)
    for line in reversed(reply.splitlines()):
        found = line_form.fullmatch(line) if len(line) <= LONGEST else None
        if found:
            return int(found[1].replace(",", "").replace("\N{MINUS SIGN}", "-"))
    return None
