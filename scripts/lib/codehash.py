"""A hash of the code that decides a table's rows: of syntax trees, so comments and layout do not count.

Every start of Snakemake asks for all hashes, so what was read out of a source text is remembered below the
working directory, under a hash of that text.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
import uuid
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("tasks", "scripts")
MEMORY = Path(".snakemake") / "code_hashes.json"
MOST_REMEMBERED = 5000

Read = tuple[str, list[str]]  # the hash of a module's tree, the names it imports


def code_hash(modules: Iterable[str], without: frozenset[str] = frozenset(), follow: bool = True) -> str:
    """12 hex digits over modules, and what they import of this project where ``follow`` is set.

    ``without`` names functions, methods and assignments that do not decide the rows (a task's grader does
    not decide its instances).
    """
    return _hash(tuple(modules), without, follow)


def text_hash(folder: Path, *patterns: str) -> str:
    """12 hex digits over the names and contents of a folder's files that match one of the patterns."""
    files = sorted({path for pattern in patterns for path in folder.glob(pattern)})
    parts = [f"{path.name}\x1f{path.read_text(encoding='utf-8')}" for path in files]
    return _digest("\x1e".join(parts))


def _digest(text: str, digits: int = 12) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


@cache
def _hash(modules: tuple[str, ...], without: frozenset[str], follow: bool) -> str:
    seen: dict[str, str] = {}
    waiting, known = list(modules), len(_memory())
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen[module], imported = _read(module, without)
            waiting += filter(_is_ours, imported if follow else ())
    if len(_memory()) > known:
        _keep_memory()
    return _digest("\n".join(f"{module} {seen[module]}" for module in sorted(seen)))


@cache
def _file(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def _is_ours(name: str) -> bool:
    return name.split(".", maxsplit=1)[0] in PACKAGES and _file(name).is_file()


@cache
def _read(module: str, without: frozenset[str]) -> Read:
    """What a module comes to, out of the memory where its text is known."""
    source, memory = _file(module).read_text(encoding="utf-8"), _memory()
    key = _digest("\x1f".join([_reader(), source, *sorted(without)]), digits=32)
    if key not in memory:
        memory[key] = _digest(_tree(source, without), digits=32), _imports(source)
    return memory[key]


@cache
def _reader() -> str:
    """What else decides how a text is read: this file, and the version of Python."""
    return Path(__file__).read_text(encoding="utf-8") + "{}.{}".format(*sys.version_info)


@cache
def _memory() -> dict[str, Read]:
    with suppress(OSError, ValueError):
        loaded = json.loads(MEMORY.read_text(encoding="utf-8"))
        return loaded if len(loaded) < MOST_REMEMBERED else {}
    return {}


def _keep_memory() -> None:
    """Write the memory, whole or not at all; where that cannot be, the next start reads the texts again."""
    temporary = MEMORY.with_suffix(f".{uuid.uuid4().hex[:8]}.tmp")
    with suppress(OSError):
        temporary.write_text(json.dumps(_memory()), encoding="utf-8")
        temporary.replace(MEMORY)


def _imports(source: str) -> list[str]:
    """What a module imports, anywhere in it; a name out of a module counts as a module of that name too."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def _tree(source: str, without: frozenset[str]) -> str:
    """The syntax tree as text, without docstrings and what ``without`` names."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            kept = [part for part in body if not _is_docstring(part) and not _names(part) & without]
            node.body = kept or [ast.Pass()]  # type: ignore[attr-defined]
    return ast.dump(tree)


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _names(node: ast.AST) -> set[str]:
    """What a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return set()
