"""The prompts, one text file each; read them there."""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent


@cache
def prompt(name: str) -> str:
    """The text of ``prompts/<name>.txt``, without the final newline."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")
