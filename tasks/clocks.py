"""Times of day shared by the tasks with clocks: time zones, 24-hour and 12-hour clocks.

Inside the tasks a time is a number of minutes after midnight UTC. A clock frame holds ``zone`` (minutes
ahead of UTC, whole hours) and ``clock`` (24 or 12).
"""

from __future__ import annotations

import random
import re
from typing import Any

from tasks.contract import Frame

DAY = 24 * 60
ZONES = tuple(60 * hours for hours in range(-6, 7))
_ZONE = r"UTC(?:([+-])([0-9]{1,2}))?"
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})|([0-9]{1,2})(?::([0-9]{2}))?\s*([AaPp])\.?[Mm]\.?")
_NOTATION = re.compile(rf"Times of day are in {_ZONE} on the (24|12)-hour clock")
_SUFFIX = re.compile(rf"(.*?)\s*\(?({_ZONE})\)?\s*", re.DOTALL)
TIME = r"[0-9]{1,2}:[0-9]{2}(?: [AP]M)?"  # what write_time writes, as a part of larger patterns


def draw_clock(rng: random.Random, clock: int, unlike: int | None = None) -> Frame:
    """A random clock frame, its zone other than ``unlike``."""
    return {"zone": rng.choice([zone for zone in ZONES if zone != unlike]), "clock": clock}


def state_clock(frame: Frame) -> str:
    """One sentence that states the clock; ``read_stated_clock`` reads it back."""
    return f"Times of day are in {write_zone(frame['zone'])} on the {frame['clock']}-hour clock."


def read_stated_clock(text: str) -> Frame:
    """Read a stated clock. Raises ValueError where there is none."""
    match = _NOTATION.search(" ".join(text.split()))
    if not match:
        raise ValueError("no clock notation")
    return {"zone": _minutes_ahead(match[1], match[2]), "clock": int(match[3])}


def _minutes_ahead(sign: str | None, hours: str | None) -> int:
    return (-60 if sign == "-" else 60) * int(hours or 0)


def write_zone(zone: int) -> str:
    """A zone as text, such as ``UTC+3``."""
    return f"UTC{zone // 60:+d}" if zone else "UTC"


def read_zone(text: str) -> int | None:
    """Minutes ahead of UTC; None where the text is no zone."""
    match = re.fullmatch(_ZONE, text.strip())
    return _minutes_ahead(match[1], match[2]) if match else None


def write_clock(minutes: int, clock: int = 24) -> str:
    """What a clock shows, with no thought of zones: ``14:05`` or ``2:05 PM``."""
    hour, minute = divmod(minutes % DAY, 60)
    if clock == 24:
        return f"{hour:02d}:{minute:02d}"
    return f"{(hour + 11) % 12 + 1}:{minute:02d} {'AM' if hour < 12 else 'PM'}"


def read_clock(value: Any) -> int | None:
    """Minutes that a clock of either kind shows, such as ``14:05``, ``2:05 pm`` or ``2 PM``, else None."""
    match = _CLOCK.fullmatch(value.strip()) if isinstance(value, str) and len(value) < 40 else None
    if not match:
        return None
    hour, minute = int(match[1] or match[3]), int(match[2] or match[4] or 0)
    if match[5]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match[5] in "pP" else 0)
    return 60 * hour + minute if hour < 24 and minute < 60 else None


def write_time(minutes: int, frame: Frame) -> str:
    """A time as the frame's clock shows it."""
    return write_clock(minutes + frame["zone"], frame["clock"])


def read_time(value: Any, frame: Frame) -> int | None:
    """A time in minutes after midnight UTC; a zone written behind it goes before the frame's."""
    zone = frame["zone"]
    suffix = _SUFFIX.fullmatch(value) if isinstance(value, str) and len(value) < 40 else None
    if suffix:
        value, zone = suffix[1], _minutes_ahead(suffix[3], suffix[4])
    shown = read_clock(value)
    return None if shown is None else (shown - zone) % DAY
