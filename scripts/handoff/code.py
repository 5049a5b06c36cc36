"""Which code decides which table: the hashes that make Snakemake rerun a stage, and nothing else."""

from __future__ import annotations

from scripts.lib import codehash

TEMPLATES = codehash.ROOT / "scripts" / "handoff" / "templates"
SHARED = codehash.ROOT / "scripts" / "lib" / "templates"
CAPTIONS = codehash.ROOT / "workflow" / "report" / "handoff"


def stage_code(stage: str) -> str:
    """Code of a stage that calls no model: its script and all it imports."""
    return codehash.code_hash([f"scripts.handoff.{stage}"])


def report_code() -> dict[str, str]:
    """Code, templates and captions of the report."""
    return {
        "script": stage_code("write_handoff_report"),
        "templates": codehash.text_hash(TEMPLATES, "*"),
        "shared": codehash.text_hash(SHARED, "*"),
        "captions": codehash.text_hash(CAPTIONS, "*.rst"),
    }
