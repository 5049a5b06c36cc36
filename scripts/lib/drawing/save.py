"""Write figures as PDF, SVG and PNG: whole files or none, the same bytes for the same figure."""

from __future__ import annotations

import base64
import io
import logging
from pathlib import Path
from xml.sax.saxutils import escape

import matplotlib as mpl
from fontTools import subset
from fontTools.ttLib import TTFont
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont
from matplotlib.text import Text

from scripts.lib.files import whole_file

logging.getLogger("fontTools").setLevel(logging.ERROR)  # it tells of every table it cuts

SUFFIXES = (".pdf", ".svg", ".png")
# What would differ from run to run, or from one version of the library to the next, is left out.
_METADATA: dict[str, dict[str, None]] = {
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
}


def save(figure: Figure, folder: Path, stem: str, title: str) -> list[Path]:
    """Write ``folder/stem`` as PDF, SVG and PNG (200 dpi); returns their paths.

    Fonts are embedded in PDF and SVG; ``title`` becomes the SVG's title, for readers that cannot see.
    Call it inside ``styled()``. Raises UserError where the folder cannot be written.
    """
    written = []
    with mpl.rc_context({"svg.hashsalt": stem}):  # otherwise the ids in an SVG are random
        for suffix in SUFFIXES:
            buffer = io.BytesIO()
            figure.savefig(
                buffer, format=suffix[1:], metadata=_METADATA[suffix], bbox_inches="tight", pad_inches=0.08
            )
            data = buffer.getvalue()
            if suffix == ".svg":
                data = _self_contained(data.decode(), figure, title).encode()
            path = folder / f"{stem}{suffix}"
            replace_file(path, data)
            written.append(path)
    return written


def replace_file(path: Path, data: bytes) -> None:
    """Write bytes, whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_bytes(data)


def _self_contained(svg: str, figure: Figure, title: str) -> str:
    """The SVG with a title and with the fonts it needs, so that it looks the same on every machine."""
    start = svg.index(">", svg.index("<svg")) + 1
    head = f"\n <title>{escape(title)}</title>\n <style>{_font_faces(figure)}</style>"
    return svg[:start] + head + svg[start:]


def _font_faces(figure: Figure) -> str:
    """A CSS @font-face for each font in the figure, cut down to the characters that are used."""
    needed: dict[str, set[str]] = {}
    for text in figure.findobj(Text):
        if text.get_text():
            needed.setdefault(findfont(text.get_fontproperties()), set()).update(text.get_text())
    return "".join(_font_face(path, needed[path]) for path in sorted(needed))


def _font_face(path: str, characters: set[str]) -> str:
    font = TTFont(path, recalcTimestamp=False)  # a new timestamp would change the bytes
    options = subset.Options(layout_features=["kern"], hinting=False, notdef_outline=True)
    options.drop_tables += ["FFTM"]  # the font editor's time stamps
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(sorted(characters)))
    cutter.subset(font)
    family = font["name"].getBestFamilyName()
    weight = font["OS/2"].usWeightClass
    font.flavor = "woff"
    buffer = io.BytesIO()
    font.save(buffer)
    data = base64.b64encode(buffer.getvalue()).decode()
    return (
        f"@font-face{{font-family:'{family}';font-weight:{weight};"
        f"src:url(data:font/woff;base64,{data}) format('woff')}}"
    )
