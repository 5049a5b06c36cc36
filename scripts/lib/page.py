"""Pages that run nothing but what stands in them, and need no other file."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from scripts.lib.drawing.numbers import UNKNOWN, count, decimal, known, percent
from scripts.lib.errors import UserError

SHARED = Path(__file__).parent / "templates"  # what the pages of all studies have in common
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def source_hash(text: str) -> str:
    """What a content security policy calls an inline script or style by: ``sha256-...``."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def embed_script(path: Path) -> dict[str, Any]:
    """A script, and the hash by which the page's policy allows it and no other."""
    text = path.read_text(encoding="utf-8")
    return {"text": Markup(text), "hash": source_hash(text)}


def embed_figure(path: Path, captions: Path) -> dict[str, str]:
    """A figure as a data: address, which can neither run scripts nor clash with the page, and its caption.

    The caption is read from ``captions/{stem of the figure}.rst``; its first sentence is the title.
    """
    try:
        svg = path.read_bytes()
        caption = " ".join((captions / f"{path.stem}.rst").read_text(encoding="utf-8").split())
    except OSError as error:
        raise UserError(f"the report needs {error.filename}: {error.strerror}") from None
    title, _, text = caption.partition(". ")
    source = f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"
    return {"stem": path.stem, "source": source, "title": title, "text": text}


def render_page(folder: Path, template: str, context: dict[str, Any]) -> str:
    """A template of a study's folder (or a shared one); what models wrote is escaped like any other text."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([folder, SHARED]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters |= {"decimal": decimal, "percent": percent, "count": count}
    return environment.get_template(template).render(context)


def _shown(value: Any) -> Any:
    """What stands in the page for a value: a dash for null, no control characters."""
    if isinstance(value, Markup):
        return value
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", str(value)) if known(value) else UNKNOWN
