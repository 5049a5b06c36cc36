# What the study runs, from its block of the configuration, and where its artifacts lie; then its stages.
from scripts.handoff import code as handoff_code

HANDOFF = CONFIG.handoff  # null: the study is left out
HANDOFF_DATA = Path(CONFIG.data_dir) / "handoff"
HANDOFF_REPORTS = Path(CONFIG.reports_dir) / "handoff"
STYLISED = ["single_against_chunks", "regimes", "voting"]
HANDOFF_FIGURES = [*STYLISED]


def handoff_figure(stem):
    """A figure's files; the SVG carries the caption into Snakemake's own report."""
    svg = report(
        HANDOFF_REPORTS / "figures" / f"{stem}.svg",
        caption=f"../../report/handoff/{stem}.rst",
        category="Attention tax, handoff tax",
    )
    others = [HANDOFF_REPORTS / "figures" / f"{stem}.{form}" for form in ("pdf", "png")]
    return [svg, *others]


def handoff_files():
    """Everything that the study makes: its page and its figures."""
    if not HANDOFF:
        return []
    stems = [HANDOFF_REPORTS / "figures" / stem for stem in HANDOFF_FIGURES]
    figures = [f"{stem}.{form}" for stem in stems for form in ("pdf", "svg", "png")]
    return [HANDOFF_REPORTS / "report.html", *figures]


if HANDOFF:

    include: "stylised.smk"
    include: "reports.smk"
