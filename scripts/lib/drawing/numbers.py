"""Numbers as a reader sees them: a dash for what is not known, a true minus sign, never NaN or None."""

from __future__ import annotations

import math
from typing import Any

UNKNOWN, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"


def known(value: Any) -> bool:
    """Whether a number is there: neither None nor NaN."""
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def decimal(value: float | None, places: int = 2) -> str:
    """Fixed places with a true minus sign, or a dash; a value that rounds to zero has no sign."""
    if not known(value):
        return UNKNOWN
    text = f"{value:.{places}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def interval(value: float | None, low: float | None, high: float | None, places: int = 2) -> str:
    """``0.31 [0.25, 0.37]``; the value alone where the interval is not known, a dash without a value."""
    text = decimal(value, places)
    if known(value) and known(low) and known(high):
        text += f" [{decimal(low, places)}, {decimal(high, places)}]"
    return text


def percent(share: float | None, places: int = 0) -> str:
    """``31 %`` for .31, or a dash."""
    return f"{decimal(share * 100, places)} %" if share is not None and known(share) else UNKNOWN


def count(value: float | None) -> str:
    """``12,345`` or a dash."""
    return f"{value:,.0f}" if known(value) else UNKNOWN
