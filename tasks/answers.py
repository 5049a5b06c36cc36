"""Reading answers out of hostile text: bounded, linear, never raising."""

from __future__ import annotations

import json
import re
from typing import Any

LONGEST = 20_000  # characters of a reply that are searched for an answer
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)```", re.DOTALL)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _parse(text: str) -> Any | None:
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _first_value(text: str) -> Any | None:
    """The first JSON object in the text, or else the first array; a dozen starts are tried of each."""
    decoder = json.JSONDecoder(parse_constant=_refuse)
    for opening in "{[":
        start = -1
        for _ in range(12):
            start = text.find(opening, start + 1)
            if start < 0:
                break
            try:
                return decoder.raw_decode(text, start)[0]
            except (ValueError, RecursionError):
                continue
    return None


def read_json(text: str) -> tuple[Any | None, str]:
    """A JSON object or array in a reply, and how it was found: json, fence, embedded or none."""
    text = text[:LONGEST].strip()
    value = _parse(text)
    if isinstance(value, dict | list):
        return value, "json"
    for match in _FENCE.finditer(text):
        value = _parse(match.group(1).strip())
        if isinstance(value, dict | list):
            return value, "fence"
    value = _first_value(text)
    return value, "none" if value is None else "embedded"


def unwrap(value: Any, key: str) -> Any:
    """The value below ``key`` (any case) of an object, the only value of a one-key object, or the value."""
    if not isinstance(value, dict):
        return value
    for name, inner in value.items():
        if name.strip().lower() == key.lower():
            return inner
    return next(iter(value.values())) if len(value) == 1 else value


def whole(value: Any) -> int | None:
    """A plain integer (also ``"7"``, ``7.0``) within +-10**9, else None; no booleans, no unicode digits."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) <= 1e9:
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,9}\s*", value):
        return int(value)
    return value if isinstance(value, int) and abs(value) <= 10**9 else None


def word(value: Any, longest: int = 60) -> str | None:
    """A short, stripped string, else None."""
    if not isinstance(value, str) or len(value) > longest:
        return None
    return value.strip() or None
