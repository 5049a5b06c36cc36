"""What a run would do, from a dry run of Snakemake: its jobs, and why each of them would run."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.lib.errors import UserError

NAMED = 2  # jobs that are named for a rule and a reason
# Snakemake's reasons in words. A job has several at times; the first of these is the one that counts.
WORDS = {
    "Forced execution": "asked for",
    "Missing output files": "not there yet",
    "Incomplete output files": "cut off half-way",
    "Params have changed": "parameters changed",
    "Code has changed": "code changed",
    "Software environment definition has changed": "environment changed",
    "Set of input files has changed": "reads other files than before",
    "Updated input files": "what it reads has changed",
    "Input files updated by another job": "what it reads is made anew",
}
_RULE = re.compile(r"^(?:local)?(?:rule|checkpoint) (\w+):$")
_FIELD = re.compile(r"^ {4}(\w+): (.*)$")
_CHANGE = re.compile(r"before: (.*) now: (.*?)\s*(?:; [A-Z].*)?$")


@dataclass
class Job:
    """One job of a dry run; ``fields`` are the lines below its rule (reason, wildcards, ...)."""

    rule: str
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def wildcards(self) -> dict[str, str]:
        """The wildcards by name."""
        pairs = (part.partition("=") for part in self.fields.get("wildcards", "").split(", "))
        return {name: value for name, mark, value in pairs if mark}

    @property
    def name(self) -> str:
        """The wildcards' values as a path; empty for the one job of a rule."""
        return "/".join(self.wildcards.values())

    @property
    def why(self) -> str:
        """The reason in words."""
        reason = self.fields.get("reason", "")
        return next((words for sign, words in WORDS.items() if sign in reason), "another reason")

    @property
    def changed(self) -> list[str]:
        """The parameters that are not what they were; empty where Snakemake does not tell."""
        found = _CHANGE.search(self.fields.get("reason", ""))
        try:
            before, now = (
                (json.loads(ast.literal_eval(text)) for text in found.groups()) if found else ({}, {})
            )
            return sorted(key for key in before.keys() | now.keys() if before.get(key) != now.get(key))
        except (ValueError, SyntaxError, TypeError, AttributeError):
            return []


def only_looks(arguments: Sequence[str], looking: Collection[str] = ("plan",)) -> bool:
    """Whether a Snakemake command (its arguments) starts no job that calls: dry run, lint, ``looking`` rules.

    The workflow object cannot tell while the Snakefile is read.
    """
    from snakemake.cli import get_argument_parser

    known, _ = get_argument_parser().parse_known_args(list(arguments))
    return bool(known.dryrun or known.lint or (known.targets and set(known.targets) <= set(looking)))


def dry_run(snakefile: Path, config: dict[str, Any]) -> list[Job]:
    """The jobs that a run of the default target would start, with the merged configuration ``config``.

    Raises UserError with what Snakemake says where it refuses.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(config, file)
        file.flush()
        command = [sys.executable, "-m", "snakemake", "--dry-run", "--snakefile", str(snakefile)]
        command += ["--replace-workflow-config", "--configfile", file.name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UserError(f"snakemake refuses a dry run:\n{(done.stdout + done.stderr).strip()[-2000:]}")
    return parse_jobs(done.stdout + done.stderr)


def parse_jobs(text: str) -> list[Job]:
    """The jobs in what a dry run prints."""
    jobs: list[Job] = []
    inside = False
    for line in text.splitlines():
        if rule := _RULE.match(line):
            jobs.append(Job(rule[1]))
        elif inside and (found := _FIELD.match(line)):
            jobs[-1].fields[found[1]] = found[2]
        inside = bool(rule) or (inside and line.startswith("    "))
    return jobs


def describe_reasons(jobs: Sequence[Job]) -> list[str]:
    """Lines by rule and reason: how many jobs, which parameters changed, the names of a few jobs."""
    lines: list[str] = []
    for rule in dict.fromkeys(job.rule for job in jobs if job.rule != "all"):
        by_reason: dict[str, list[Job]] = {}
        for job in jobs:
            if job.rule == rule:
                by_reason.setdefault(job.why, []).append(job)
        number = sum(map(len, by_reason.values()))
        counts = ", ".join(f"{why} ({len(some)})" for why, some in by_reason.items())
        lines.append(f"{rule}: {number} {'job' if number == 1 else 'jobs'}: {counts}")
        for why, some in by_reason.items():
            lines += _detail(why, some)
    return lines


def _detail(why: str, jobs: Sequence[Job]) -> list[str]:
    """The changed parameters and a few names, indented; nothing where there is nothing to add."""
    keys = sorted({key for job in jobs for key in job.changed})
    names = sorted(filter(None, (job.name for job in jobs)))
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    parts = [f"{why} [{', '.join(keys)}]" if keys else why, ", ".join(names[:NAMED]) + more]
    return [f"  {': '.join(filter(None, parts))}"] if names or keys else []
