"""Write the report: the model, its figures, and sliders to play with -> ``report.html``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.handoff.code import CAPTIONS, TEMPLATES
from scripts.handoff.section_ledger import ledger_section
from scripts.handoff.section_pilot import pilot_section
from scripts.lib.files import write_text
from scripts.lib.page import embed_figure, embed_script, render_page
from scripts.lib.stage import run


def write_handoff_report(
    figures: list[Path], pilot: list[Path], ledger: list[Path], output: Path, job: dict[str, Any]
) -> None:
    """Write one HTML file that runs and shows nothing from elsewhere; ``figures`` are SVG files.

    ``pilot``: the pilot's tables of loads and of hinges, ``ledger``: those of the ledger experiment; or
    nothing. ``job``: stylised (see ``settings.Stylised``), published (topics as from ``load_published``),
    level (of intervals). Captions are read from ``workflow/report/handoff/{stem of the figure}.rst``.
    """
    context = {
        "drawn": {path.stem: embed_figure(path, CAPTIONS) for path in figures},
        "stylised": job["stylised"],
        "level": job["level"],
        "pilot": pilot_section(pilot, job["published"]),
        "ledger": ledger_section(ledger, job["published"]),
        "sliders": embed_script(TEMPLATES / "sliders.js"),
    }
    text = render_page(TEMPLATES, "report.html", context)
    write_text(output, text)


if __name__ == "__main__":
    run(write_handoff_report)
