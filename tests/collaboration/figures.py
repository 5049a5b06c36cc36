"""What holds for every figure."""

import re
import struct
from pathlib import Path
from xml.etree import ElementTree


def check_figure(one: Path, two: Path, stem: str) -> str:
    """Assert valid PDF, SVG and PNG, byte-identical in both folders; returns the text of the SVG."""
    assert sorted(path.name for path in one.iterdir()) == [f"{stem}.pdf", f"{stem}.png", f"{stem}.svg"]
    for path in one.iterdir():
        assert path.read_bytes() == (two / path.name).read_bytes()
    pdf, png = (one / f"{stem}.pdf").read_bytes(), (one / f"{stem}.png").read_bytes()
    assert pdf.startswith(b"%PDF-") and b"CreationDate" not in pdf and b"/FontFile2" in pdf
    assert png.startswith(b"\x89PNG") and min(struct.unpack(">II", png[16:24])) > 200
    svg = (one / f"{stem}.svg").read_text(encoding="utf-8")
    assert "<dc:date>" not in svg and "@font-face" in svg
    assert not re.search(r"url\((?!#|data:)", svg)
    return " ".join(ElementTree.fromstring(svg).itertext())
