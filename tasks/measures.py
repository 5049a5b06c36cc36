"""Measures shared by the tasks with lengths and weights: whole km or kg inside, the frame's unit outside.

A mile is taken as 1.6 km and a pound as 1/2.2 kg, so that multiples of 8 km and of 5 kg are whole in both.
"""

from __future__ import annotations

import re
from typing import Any

from tasks.answers import word

LENGTHS, WEIGHTS = ("km", "mi"), ("kg", "lb")
SIZE = {"km": 1.0, "mi": 1.6, "kg": 1.0, "lb": 1 / 2.2}
LENGTH_STEP, WEIGHT_STEP = 8, 5  # in km and kg: whole numbers in both units
SAME = {"km": "Take a mile as 1.6 km.", "kg": "Take a kg as 2.2 lb."}
NUMBER = r"[0-9]{1,6}(?:\.[0-9]{1,18})?"
_SPELT = {"kilometer": "km", "kilometre": "km", "mile": "mi", "kilogram": "kg", "pound": "lb"}
_AMOUNT = re.compile(rf"\s*({NUMBER})\s*([A-Za-z]{{2,12}})?\.?\s*")


def write(value: int, unit: str) -> str:
    """A measure in the unit, without naming it."""
    return f"{value / SIZE[unit]:.9g}"


def write_number(value: int, unit: str) -> int | float:
    """A measure in the unit as a JSON number, whole where it can be."""
    amount = float(write(value, unit))
    return int(amount) if amount.is_integer() else amount


def read(value: Any, unit: str) -> int | None:
    """Whole km or kg of a number or a text such as ``48`` or ``30 mi``; a unit that it names wins."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value) if abs(value) < 1e6 else None
    text = word(value)
    match = _AMOUNT.fullmatch(text) if text else None
    if not match:
        return None
    if match[2]:
        named = match[2].lower().removesuffix("s")
        unit = _SPELT.get(named, named)
    return round(float(match[1]) * SIZE[unit]) if unit in SIZE else None
