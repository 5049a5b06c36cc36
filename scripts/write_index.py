"""Write the page that leads to the reports of the studies -> ``index.html``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.lib.files import write_text
from scripts.lib.page import SHARED, render_page
from scripts.lib.stage import run


def write_index(output: Path, job: dict[str, Any]) -> None:
    """Write one HTML file. ``job``: pages, each with title, lead (a sentence) and href (from the file)."""
    text = render_page(SHARED, "index.html", {"pages": job["pages"]})
    write_text(output, text)


if __name__ == "__main__":
    run(write_index)
