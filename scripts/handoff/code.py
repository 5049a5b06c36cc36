"""Which code decides which table: the hashes that make Snakemake rerun a stage, and nothing else."""

from __future__ import annotations

from scripts.lib import codehash

TEMPLATES = codehash.ROOT / "scripts" / "handoff" / "templates"
PROMPTS = codehash.ROOT / "scripts" / "handoff" / "prompts"
SHARED = codehash.ROOT / "scripts" / "lib" / "templates"
_SIMULATED = ("scripts.handoff.planted", "scripts.lib.agents.simulated.brought")
CAPTIONS = codehash.ROOT / "workflow" / "report" / "handoff"


def stage_code(stage: str) -> str:
    """Code of a stage that calls no model: its script and all it imports."""
    return codehash.code_hash([f"scripts.handoff.{stage}"])


def pilot_code(simulated: bool) -> dict[str, str]:
    """Code and prompt of the pilot's calls and grades; the simulated solver where it takes part."""
    names = ("run_pilot", "pilot", "padded_problem", "answer_line", "pilot_schemas")
    modules = [*(f"scripts.handoff.{name}" for name in names), "tasks.making"]
    code = {
        "pilot": codehash.code_hash(modules, follow=False),
        "prompts": codehash.text_hash(PROMPTS, "pilot_*.txt"),
    }
    if simulated:
        agents = ["scripts.handoff.solver", *_SIMULATED]
        code["agents"] = codehash.code_hash(agents, follow=False)
    return code


def ledger_code(stage: str, simulated: bool) -> dict[str, str]:
    """Code and prompts of the calls of a stage that keeps ledgers; the simulated keeper where it is used."""
    names = (stage, "play", "dialogue", "ledger_task", "padded_problem", "answer_line", "schemas")
    modules = [*(f"scripts.handoff.{name}" for name in names), "tasks.making"]
    prompts = ("ledger_*.txt", "note_*.txt") if stage != "run_trajectories" else ("ledger_*.txt",)
    code = {
        "play": codehash.code_hash(modules, follow=False),
        "prompts": "".join(codehash.text_hash(PROMPTS, pattern) for pattern in prompts),
    }
    if simulated:
        agents = ["scripts.handoff.simulated", *_SIMULATED]
        code["agents"] = codehash.code_hash(agents, follow=False)
    return code


def report_code() -> dict[str, str]:
    """Code, templates and captions of the report."""
    return {
        "script": stage_code("write_handoff_report"),
        "templates": codehash.text_hash(TEMPLATES, "*"),
        "shared": codehash.text_hash(SHARED, "*"),
        "captions": codehash.text_hash(CAPTIONS, "*.rst"),
    }
