"""Pages that run nothing but what stands in them."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

import jinja2


def environment(templates: Path, **settings: Any) -> jinja2.Environment:
    """What renders a folder's templates: texts are escaped, and an unknown name is an error."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **settings,
    )


def source_hash(text: str) -> str:
    """What a content security policy calls an inline script or style by: ``sha256-...``."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
