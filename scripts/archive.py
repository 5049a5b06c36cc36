"""``python -m scripts.archive verify|pack|restore``: compare a study with its manifest, take it elsewhere."""

from __future__ import annotations

import argparse
import base64
import binascii
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from scripts.collaboration import write_manifest
from scripts.collaboration.layout import ALONE, PER_TASK, PER_TEAM, SHAPE, SHARDED, STATISTICS
from scripts.config import Config, load_config, read_config, used_models
from scripts.handoff import layout as handoff_layout
from scripts.handoff import write_handoff_manifest
from scripts.lib.agents.models import Model
from scripts.lib.archive import Source, names_below, pack, unpack
from scripts.lib.closed import load_yaml
from scripts.lib.errors import UserError
from scripts.lib.manifest import MANIFEST, REPORTED, Findings, locate, read_manifest
from scripts.lib.names import slug

RESTORED = Path("config/restored")
# What Snakemake knows of each file: with it, a change is seen elsewhere as it is seen here.
RECORDS = Path(".snakemake/metadata")
SHOWN = (".html", ".svg", ".pdf", ".png", ".csv", ".tex")


class Study(NamedTuple):
    """A study as an archive sees it: its folders in run order, so that no file is unpacked older than what it
    is made from, the statistics in that order too, and how its tables are compared with their manifest."""

    order: tuple[str, ...]
    statistics: tuple[str, ...]
    compare: Callable[[Path, Path], Findings]

    def run_order(self, name: str) -> tuple[int, int]:
        """Where a table comes in the run: by its stage, a statistic by the place in the list of them."""
        place = self.statistics.index(name) if name in self.statistics else 0
        return self.order.index(name.partition("/")[0]), place


STAGES = (*PER_TASK, *SHARDED, SHAPE, ALONE, "samples", *PER_TEAM, "themes", "annotations", "statistics")
STUDIES = {
    "collaboration": Study((*STAGES, "reports"), tuple(STATISTICS), write_manifest.compare),
    "handoff": Study((*handoff_layout.ORDER, "reports"), (), write_handoff_manifest.compare),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; returns the exit code: 1 for tables that differ and for errors."""
    options = _parser().parse_args(arguments)
    try:
        return {"verify": _verify, "pack": _pack, "restore": _restore}[options.what](options)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scripts.archive", description=__doc__)
    commands = parser.add_subparsers(dest="what", required=True)
    for name, help_text in (
        ("verify", "compare every table with the manifest; exit code 1 where one is not as it was"),
        ("pack", "tables, replies, configuration and reports of a finished study as one file"),
        ("restore", "unpack such a file into this folder, after all of it was checked"),
    ):
        command = commands.add_parser(name, help=help_text, description=help_text)
        if name != "restore":
            command.add_argument("--configfile", type=Path, help="laid over config/config.yaml")
        if name != "verify":
            default = "" if name == "restore" else "; default: the name of the study's data folder"
            command.add_argument("--file", type=Path, required=not default, help=f"the archive{default}")
        if name == "restore":
            command.add_argument("--replace", action="store_true", help="overwrite files that differ")
    return parser


def _verify(options: argparse.Namespace) -> int:
    config, _ = load_config(*read_config(options.configfile))
    differ = False
    for name, study in _studies(config).items():
        data, reports = _folders(config, name)
        findings = study.compare(data, reports)
        lines = findings.lines()
        told = f"{findings.same:,} tables are as in {data / MANIFEST}, {len(lines):,} are not"
        print("\n".join([*lines, told]))
        differ |= bool(findings)
    return int(differ)


def _pack(options: argparse.Namespace) -> int:
    values, files = read_config(options.configfile)
    config, models = load_config(values, files)
    name = _name(config)
    file = options.file or Path(f"{name}.tar")
    config_files = _config_files(name, values, models)
    sources: dict[str, Source] = {**config_files, **_ledger(config), **_artifacts(config)}
    sources |= _records(sources)
    size = pack(file, sources, {"config": next(iter(config_files))})
    print(f"{file}: {len(sources):,} files, {size / 1e6:,.1f} MB. Unpack it with: make restore FILE={file}")
    return 0


def _restore(options: argparse.Namespace) -> int:
    contents = unpack(options.file, Path(), _belongs, options.replace)
    config = contents.about["config"]
    print(f"{len(contents.members):,} files are restored and as they were packed.")
    print(f"Its analysis, without a call: make analysis CONFIG={config}")
    return 0


def _studies(config: Config) -> dict[str, Study]:
    """The studies of a configuration."""
    return {name: study for name, study in STUDIES.items() if getattr(config, name)}


def _folders(config: Config, name: str) -> tuple[Path, Path]:
    return Path(config.data_dir) / name, Path(config.reports_dir) / name


def _name(config: Config) -> str:
    """What an archive is called: the study's data folder, ``study`` for the default one."""
    name = slug(Path(config.data_dir).name)
    return "study" if name == "data" else name


def _config_files(name: str, values: dict[str, Any], models: dict[str, Model]) -> dict[str, Source]:
    """The configuration and the files it names, without comments; addresses as this environment has them."""
    models_file = RESTORED / f"{name}_models.yaml"
    entries = load_yaml(Path(values.get("models_file", Config.model_fields["models_file"].default)))
    for model, entry in entries.items():
        for key in ("base_url", "served_name"):
            if key in entry:
                entry[key] = getattr(models[str(model)], key)
    merged = values | {"models_file": models_file.as_posix()}
    named = {models_file.as_posix(): entries}
    for study in STUDIES:
        block = values.get(study) or {}
        if published := block.get("published"):
            kept = (RESTORED / f"{name}_published_{study}.yaml").as_posix()
            merged[study] = block | {"published": kept}
            named[kept] = load_yaml(Path(published))
    contents = {(RESTORED / f"{name}.yaml").as_posix(): merged, **named}
    return {file: yaml.safe_dump(content, sort_keys=False).encode() for file, content in contents.items()}


def _ledger(config: Config) -> dict[str, Source]:
    """The recorded replies of the study's models, of every folder that is read."""
    found = [
        _below(folder, "ledger") / slug(model) / name
        for folder in config.ledger
        for model in used_models(config)
        for name in names_below(Path(folder) / slug(model), [".jsonl"])
    ]
    return {path.as_posix(): path for path in found}


def _artifacts(config: Config) -> dict[str, Source]:
    """The tables of the manifest in run order, then the reports and the manifest.

    Raises UserError where the tables are not those of the manifest.
    """
    _below(config.data_dir, "data_dir"), _below(config.reports_dir, "reports_dir")
    found: list[Path] = []
    for name, study in _studies(config).items():
        found += _of_study(study, *_folders(config, name))
    index = Path(config.reports_dir) / "index.html"
    return {path.as_posix(): path for path in [*found, *([index] if index.is_file() else [])]}


def _of_study(study: Study, data: Path, reports: Path) -> list[Path]:
    findings = study.compare(data, reports)
    findings.extra.clear()  # of other plans; they stay here
    if findings:
        lines = "\n".join(findings.lines())
        raise UserError(f"the tables are not those of {data / MANIFEST}:\n{lines}")
    names = sorted(read_manifest(data / MANIFEST), key=study.run_order)
    paths = [locate(data, reports, name) for name in names if not name.startswith(REPORTED)]
    shown = [reports / name for name in names_below(reports, SHOWN)]
    # The page is made from the figures.
    paths += sorted(shown, key=lambda path: path.suffix == ".html")
    return [*paths, data / MANIFEST]


def _records(sources: dict[str, Source]) -> dict[str, Source]:
    """Snakemake's records of the packed files."""
    paths = [path for path in RECORDS.rglob("*") if path.is_file()]
    return {path.as_posix(): path for path in sorted(paths) if _recorded(path) in sources}


def _recorded(record: Path) -> str:
    """The path that a record is about: its own name in base 64, cut into folders where it is long."""
    parts = record.relative_to(RECORDS).parts
    try:
        return base64.urlsafe_b64decode("".join(part.removeprefix("@") for part in parts)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _below(folder: str, key: str) -> Path:
    """A folder of the configuration that can travel: one below this one."""
    path = Path(folder)
    if path.is_absolute() or ".." in path.parts:
        raise UserError(
            f'"{key}" is {folder}, which is not below this folder, so it has no place on another machine. '
            "Name a folder below this one (a link to it will do)"
        )
    return path


def _belongs(name: str) -> bool:
    """Whether an archive of a study may hold a file of this name: no code."""
    path = Path(name)
    if path.is_relative_to(RECORDS):
        return all(re.fullmatch(r"[\w=@-]+", part) for part in path.relative_to(RECORDS).parts)
    if any(part.startswith(".") for part in path.parts):
        return False
    if path.suffix == ".yaml":
        return path.parent == RESTORED
    return len(path.parts) > 1 and path.suffix in (".parquet", ".jsonl", ".json", *SHOWN)


if __name__ == "__main__":
    sys.exit(main())
