"""Reads the project's own source as syntax trees, for the tests that judge it. Works on any copy of the tree."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = "core/hivemind"
DESKTOP = "desktop/hivemind_desktop"


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name. `target` is dotted and absolute: module, or module and the name taken from it."""

    module: str
    target: str
    line: int


@dataclass(frozen=True, eq=False)
class Source:
    """One Python file. `path` is relative to the tree, with forward slashes; `module` is its dotted name."""

    path: str
    module: str
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @functools.cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree))

    @functools.cached_property
    def imports(self) -> tuple[Import, ...]:
        return tuple(_imports(self))

    def within(self, *packages: str) -> bool:
        return any(self.module == name or self.module.startswith(f"{name}.") for name in packages)


def sources(root: Path, *folders: str) -> Iterator[Source]:
    """Every .py file below the folders, in a steady order. Folders that are not there yet give nothing."""
    for folder in folders:
        for file in sorted((root / folder).rglob("*.py")):
            yield _parsed(root, file, file.stat().st_mtime_ns)


@functools.lru_cache(maxsize=4096)
def _parsed(root: Path, file: Path, changed: int) -> Source:
    """`changed` is part of the key only: every rule reads the whole tree, and it need not be parsed each time."""
    text = file.read_text(encoding="utf-8")
    relative = file.relative_to(root).as_posix()
    return Source(relative, _dotted(relative), text, ast.parse(text, filename=relative))


def _imports(source: Source) -> Iterator[Import]:
    """Import statements wherever they stand (also inside functions), and names given to import_module."""
    for node in source.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(source, node)
            for alias in node.names:
                yield Import(module, f"{module}.{alias.name}", node.lineno)
        elif isinstance(node, ast.Call) and _called_name(node) in {"import_module", "__import__", "find_spec"}:
            for argument in node.args[:1]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield Import(argument.value, argument.value, node.lineno)


def imports_any(source: Source, banned: frozenset[str]) -> Iterator[Import]:
    """The imports whose module or name is one of `banned` or lies inside one."""
    for found in source.imports:
        if any(found.target == name or found.target.startswith(f"{name}.") for name in banned):
            yield found


def calls(source: Source) -> Iterator[tuple[str, ast.Call]]:
    """Every call with the last part of what is called: `print(…)` and `loop.print(…)` both give `print`."""
    for node in source.nodes:
        if isinstance(node, ast.Call):
            yield _called_name(node), node


def classes(source: Source) -> Iterator[ast.ClassDef]:
    return (node for node in source.nodes if isinstance(node, ast.ClassDef))


def defined_names(source: Source) -> frozenset[str]:
    """Names of the functions and classes at the top of the module."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return frozenset(node.name for node in source.tree.body if isinstance(node, kinds))


def base_name(node: ast.expr) -> str:
    """`QtCore.QAbstractListModel` and `QAbstractListModel[int]` give the bare class name."""
    if isinstance(node, ast.Subscript):
        return base_name(node.value)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _called_name(node: ast.Call) -> str:
    return base_name(node.func)


def _dotted(relative: str) -> str:
    parts = relative.removesuffix(".py").split("/")
    if parts[0] in {"core", "desktop"}:
        parts = parts[1:]
    if parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts)


def _absolute(source: Source, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = source.module.split(".")
    if not source.path.endswith("__init__.py"):
        package = package[:-1]
    package = package[: len(package) - (node.level - 1)]
    return ".".join([*package, *([node.module] if node.module else [])])
