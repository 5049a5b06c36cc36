"""Closed configuration: an unknown key, a wrong type or a wrong value is one clear error with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from scripts.lib.errors import UserError, did_you_mean


class Closed(BaseModel):
    """A block of configuration that accepts its own keys only, without converting types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Block = TypeVar("Block", bound=BaseModel)
Place = tuple[str | int, ...]
_BRANCH = re.compile(r"(literal|list|dict)\[.*\]|str")  # how pydantic names the types that a value may have


def load_yaml(path: Path) -> dict[str, Any]:
    """A YAML file whose root is a mapping. Raises UserError with file and line otherwise."""
    try:
        loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path} does not exist") from None
    except yaml.YAMLError as error:
        raise UserError(f"{path} is not valid YAML: {' '.join(str(error).split())}") from None
    if not isinstance(loaded, dict):
        raise UserError(f"{path} must hold keys and values")
    return loaded


def validate(block: type[Block], values: Any, files: Sequence[Path], root: Place = ()) -> Block:
    """Check values against a block. ``files`` are where they were written, the last one wins."""
    try:
        return block.model_validate(values)
    except ValidationError as failure:
        problems = [_explain(block, error, files, root) for error in _one_a_place(failure.errors())]
        raise UserError("\n".join(problems)) from None


def _one_a_place(errors: Iterable[Any]) -> list[Any]:
    """Where a value may be of several types, pydantic reports each of them: one error is left.

    The deepest one tells most; of equally deep ones the messages are joined.
    """
    kept: dict[Place, Any] = {}
    for error in errors:
        depth = next((n for n, part in enumerate(error["loc"]) if _BRANCH.fullmatch(str(part))), None)
        if depth is None:
            kept[error["loc"]] = error
            continue
        choice, loc = error["loc"][:depth], error["loc"][:depth] + error["loc"][depth + 1 :]
        other = kept.get(choice)
        if other is None or len(loc) > len(other["loc"]):
            kept[choice] = {**error, "loc": loc, "type": "choice"}
        elif len(loc) == len(other["loc"]):
            kept[choice] = {**other, "msg": f"{other['msg']}, or: {error['msg']}"}
    return list(kept.values())


def _explain(block: type[BaseModel], error: Any, files: Sequence[Path], root: Place) -> str:
    place: Place = error["loc"]
    dotted = ".".join(str(part) for part in root + place)
    where = locate(files, root + place)
    if error["type"] == "extra_forbidden":
        parent = _block_at(block, place[:-1])
        near = did_you_mean(str(place[-1]), list(parent.model_fields)) if parent else ""
        return f'{where}: unknown key "{dotted}"{near}'
    if error["type"] == "missing":
        return f'{locate(files, root + place[:-1])}: key "{dotted}" is missing'
    if error["type"] == "literal_error" and isinstance(error["input"], str):
        valid = re.findall(r"'([^']*)'", error["ctx"]["expected"])
        return f'{where}: "{dotted}" is "{error["input"]}"{did_you_mean(error["input"], valid)}'
    message = error["msg"].removeprefix("Value error, ")
    return (
        f'{where}: "{dotted}" is {error["input"]!r}: {message}' if place else f"{where}: {dotted}: {message}"
    )


def _block_at(block: type[BaseModel], place: Place) -> type[BaseModel] | None:
    """The block that stands at a place, following nested blocks (also optional ones)."""
    for part in place:
        field = block.model_fields.get(str(part))
        if field is None:
            return None
        candidates = [field.annotation, *getattr(field.annotation, "__args__", ())]
        nested = [c for c in candidates if isinstance(c, type) and issubclass(c, BaseModel)]
        if not nested:
            return None
        block = nested[0]
    return block


def locate(files: Sequence[Path], place: Place) -> str:
    """``config/config.yaml line 12`` for a key's place, or the file names where it stands in none."""
    for path in reversed(files):
        line = _line_of(path, place)
        if line:
            return f"{path} line {line}"
    return " / ".join(str(path) for path in files)


def _line_of(path: Path, place: Place) -> int | None:
    node = yaml.compose(path.read_text(encoding="utf-8"))
    line = None
    for part in place:
        if isinstance(node, yaml.MappingNode):
            found = [(key, value) for key, value in node.value if key.value == str(part)]
            if not found:
                return None
            key, node = found[0]
            line = key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            break
    return line
