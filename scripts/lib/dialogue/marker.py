"""The marker that ends a conversation, and the prefixes that a model must not write itself.

Rules, all strict: the marker counts only at the start of a line (emphasis, a heading or a bullet may
stand before it), so a quoted or mentioned marker does not; an answer must follow, and a placeholder in
angle brackets is none; of several markers with an answer the last one counts. Text from a self-written
prefix onwards is the model playing its partner and is cut off.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MARKER = "ACTI!"
USER = "[user]:"
PARTNER = "[other agent]:"

_LINE = re.compile(r"^[-*#_` \t]*ACTI!(.*)$", re.MULTILINE)
_PREFIX = re.compile(r"^[ \t]*(?:(?:\[user\]:|\[other agent\]:)\s*)+", re.MULTILINE | re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\s*[`*]*<[^<>]*>[`*]*\s*")


@dataclass(frozen=True)
class Message:
    """A model's reply as it is relayed. ``answer`` is the text after the marker, None without one."""

    text: str
    answer: str | None
    wrote_prefix: bool


def read_message(reply: str) -> Message:
    """Cut what the model wrote in others' names, then look for the marker and its answer."""
    text = reply.strip()
    leading = _PREFIX.match(text)
    wrote_prefix = bool(leading)
    if leading:  # a reply that merely opens with prefixes is the model's own
        text = text[leading.end() :]
    own = _PREFIX.search(text)
    if own:
        text, wrote_prefix = text[: own.start()].rstrip(), True
    return Message(text, _answer(text), wrote_prefix)


def _answer(text: str) -> str | None:
    markers = list(_LINE.finditer(text))
    ends = [marker.start() for marker in markers] + [len(text)]
    for marker, end in reversed(list(zip(markers, ends[1:], strict=True))):
        candidate = text[marker.start(1) : end].strip().lstrip(":*_` ").strip()
        if re.search(r"\w", candidate) and not _PLACEHOLDER.fullmatch(candidate):
            return candidate
    return None
