"""The whole configuration: one closed source, checked before any job starts.

``python -m scripts.config`` writes ``config/schema.json`` from it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from pydantic import Field

from scripts.collaboration.arms import check_arms
from scripts.collaboration.relays import check_relays
from scripts.collaboration.settings import Collaboration, Mode
from scripts.handoff.planted import Planted
from scripts.handoff.settings import Handoff
from scripts.lib.agents.models import Model, load_models
from scripts.lib.closed import Closed, Place, load_yaml, locate, validate
from scripts.lib.errors import UserError, did_you_mean
from tasks import TASKS

SCHEMA = Path(__file__).resolve().parents[1] / "config" / "schema.json"
BASE = Path("config/config.yaml")  # what the Snakefile names


class Config(Closed):
    """What a user edits; every key of ``config/*.yaml``."""

    data_dir: str = Field("data", description="folder of the Parquet artifacts")
    reports_dir: str = Field("reports", description="folder of figures, tables and report")
    ledger: list[str] = Field(
        ["data/ledger"], description="folders of recorded replies; the first is written"
    )
    models_file: str = Field("config/models.yaml", description="the models and how they are reached")
    offline: bool = Field(
        False, description="no call is made; a missing rollout or recorded reply is an error"
    )
    budget: float | None = Field(
        None, gt=0, description="US dollars that the ledger's replies may cost in all; null for no limit"
    )
    replay_only: bool = Field(False, description="rollouts come from the ledger; a missing reply is an error")
    collaboration: Collaboration
    handoff: Handoff | None = Field(None, description="the second study; null leaves it out")


def load_config(values: dict[str, Any], files: Sequence[Path]) -> tuple[Config, dict[str, Model]]:
    """Check a merged configuration and the models it names. Raises UserError with key, place and remedy."""
    config = validate(Config, values, files)
    if not config.ledger:
        raise UserError(f'{locate(files, ("ledger",))}: "ledger" needs at least one folder')
    models = load_models(Path(config.models_file))
    study = config.collaboration
    block = "collaboration"
    if study.tasks != "all":
        _check_names(study.tasks, list(TASKS), "task", (block, "tasks"), files)
    for name in study.sizes:
        _check_names([name], list(TASKS), "task", (block, "sizes"), files)
    _check_names(study.models, list(models), "model", (block, "models"), files)
    _check_names(study.modes, list(get_args(Mode)), "mode", (block, "modes"), files)
    for number, pair in enumerate(study.pairs):
        _check_names(list(pair), list(models), "model", (block, "pairs", number), files)
    check_arms(study, (block,), files)
    check_relays(study, (block,), files)
    if study.ask_alone:
        _check_names(study.ask_alone, study.models, "model", (block, "ask_alone"), files)
    for key, model in study.readers.items():
        _check_names([model], list(models), "model", (block, *key), files)
    if config.handoff:
        _check_names(config.handoff.models, list(models), "model", ("handoff", "models"), files)
        if config.handoff.pilot and config.handoff.pilot.models:
            place = ("handoff", "pilot", "models")
            _check_names(config.handoff.pilot.models, list(models), "model", place, files)
    _check_simulated(config, models, files)
    _check_embedding(config, models, files)
    _check_prices(config, models, files)
    return config, models


def read_config(over: Path | None = None) -> tuple[dict[str, Any], list[Path]]:
    """``config/config.yaml`` with a file laid over it, as a run merges them, and both files; not checked."""
    from snakemake.utils import update_config

    values, files = load_yaml(BASE), [BASE]
    if over:
        update_config(values, load_yaml(over))
        files.append(over)
    return values, files


def used_models(config: Config) -> list[str]:
    """The models that any study of the configuration calls, each once."""
    study = config.collaboration
    pairs = (name for pair in study.pairs for name in pair)
    second = config.handoff.called if config.handoff else []
    return list(dict.fromkeys([*study.models, *pairs, *study.readers.values(), *second]))


def _check_simulated(config: Config, models: dict[str, Model], files: Sequence[Path]) -> None:
    """A simulated agent knows one study: with a profile it talks in pairs, with planted numbers not."""
    second = set(config.handoff.called if config.handoff else [])
    for name in used_models(config):
        if models[name].simulated and (models[name].planted is not None) != (name in second):
            block = "handoff" if name in second else "collaboration"
            needs = "planted numbers" if name in second else "a profile"
            where = locate(files, (block, "models"))
            raise UserError(f'{where}: simulated model "{name}" has no {needs} in {config.models_file}')
    for name in second:
        if models[name].planted is not None:
            validate(Planted, models[name].planted, [Path(config.models_file)], (name, "planted"))


def _check_embedding(config: Config, models: dict[str, Model], files: Sequence[Path]) -> None:
    """The embedder turns texts into vectors, all other models talk."""
    embedder = config.collaboration.themes.embedder
    for name in used_models(config):
        if models[name].embeds != (name == embedder):
            is_one = "embeds and does not talk" if models[name].embeds else "does not embed"
            where = locate(files, ("collaboration", "themes", "embedder"))
            raise UserError(f'{where}: model "{name}" {is_one}, as its "embeds" in {config.models_file} says')


def _check_prices(config: Config, models: dict[str, Model], files: Sequence[Path]) -> None:
    """A budget needs the price of every model that costs something."""
    for name in used_models(config):
        if config.budget is not None and models[name].price is None and not models[name].simulated:
            raise UserError(
                f'{locate(files, ("budget",))}: a budget is set, but model "{name}" has no price in '
                f"{config.models_file}; give it one (0 for both if it is free)"
            )


def _check_names(
    names: Sequence[str], valid: list[str], what: str, place: Place, files: Sequence[Path]
) -> None:
    """Each name must be known and stand there once."""
    for number, name in enumerate(names):
        if name not in valid:
            where = locate(files, (*place, number))
            raise UserError(f'{where}: unknown {what} "{name}"{did_you_mean(name, valid)}')
        if name in names[:number]:
            raise UserError(f'{locate(files, (*place, number))}: {what} "{name}" is listed twice')
    if not names:
        raise UserError(f"{locate(files, place)}: {'.'.join(map(str, place))} names no {what}")


def write_schema() -> None:
    """Write the JSON schema of the configuration."""
    SCHEMA.write_text(json.dumps(Config.model_json_schema(), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_schema()
