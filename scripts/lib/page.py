"""Pages that run nothing but what stands in them."""

from __future__ import annotations

import base64
import hashlib


def source_hash(text: str) -> str:
    """What a content security policy calls an inline script or style by: ``sha256-...``."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
