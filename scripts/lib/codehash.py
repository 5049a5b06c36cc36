"""A hash of the code that decides a table's rows: of syntax trees, so comments and layout do not count."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("tasks", "scripts")


def code_hash(modules: Iterable[str], without: frozenset[str] = frozenset(), follow: bool = True) -> str:
    """12 hex digits over modules, and what they import of this project where ``follow`` is set.

    ``without`` names functions, methods and assignments that do not decide the rows (a task's grader does
    not decide its instances).
    """
    seen: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module in seen:
            continue
        seen.add(module)
        if follow:
            waiting.extend(_imports(module))
    text = "\n".join(f"{module} {_tree(module, without)}" for module in sorted(seen))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def text_hash(folder: Path, pattern: str) -> str:
    """12 hex digits over the names and contents of the files in a folder."""
    parts = [f"{path.name}\x1f{path.read_text(encoding='utf-8')}" for path in sorted(folder.glob(pattern))]
    return hashlib.sha256("\x1e".join(parts).encode()).hexdigest()[:12]


def _file(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def _parsed(module: str) -> ast.Module:
    return ast.parse(_file(module).read_text(encoding="utf-8"))


@cache
def _imports(module: str) -> tuple[str, ...]:
    """Modules of this project that a module imports, anywhere in it."""
    found = []
    for node in ast.walk(_parsed(module)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(n for n in found if n.split(".")[0] in PACKAGES and _file(n).is_file())


@cache
def _tree(module: str, without: frozenset[str]) -> str:
    """The module's syntax tree as text, without docstrings and what ``without`` names."""
    tree = ast.parse(ast.unparse(_parsed(module)))  # a copy: the parsed tree is shared
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
