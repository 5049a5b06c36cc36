"""The tables of the report, as CSV and LaTeX: one module a topic, each with its list ``TABLES``."""

from scripts.collaboration.tables import (
    agreement,
    arms,
    pairs,
    prediction,
    published,
    stages,
    tax,
    themes,
)
from scripts.collaboration.tables.table import Table

TOPICS = (tax, arms, pairs, stages, agreement, themes, prediction, published)
TABLES: dict[str, Table] = {table.name: table for topic in TOPICS for table in topic.TABLES}
FILES = tuple(f"{name}.{kind}" for name in TABLES for kind in ("csv", "tex"))
