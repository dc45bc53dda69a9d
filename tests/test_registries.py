"""PAGES, ACTIONS and ADAPTERS are tuples written by hand, and they name everything that is there."""

from __future__ import annotations

import ast
import importlib
import importlib.util
from types import ModuleType
from typing import Any

import pytest
from tests.source_tree import ROOT, Source, sources

#: Registry name, the module that holds it.
REGISTRIES = [
    ("PAGES", "hivemind_desktop.pages"),
    ("ACTIONS", "hivemind_desktop.actions"),
    ("ADAPTERS", "hivemind.harvest.adapters"),
]


def registry(name: str, module: str) -> tuple[ModuleType, tuple[Any, ...]]:
    loaded = importlib.import_module(module)
    return loaded, getattr(loaded, name)


def written_by_hand(source: Source, name: str) -> bool:
    """True when the module assigns a tuple display to the name, once, at its top level."""
    values = []
    for node in source.tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            values += [node.value for one in targets if isinstance(one, ast.Name) and one.id == name]
    return len(values) == 1 and isinstance(values[0], ast.Tuple) and bool(values[0].elts)


@pytest.mark.parametrize(("name", "module"), REGISTRIES)
def test_registry_is_a_tuple_written_by_hand(name: str, module: str) -> None:
    loaded, entries = registry(name, module)
    assert isinstance(entries, tuple)
    assert len(entries) == len(set(map(id, entries)))
    (source,) = [one for one in sources(ROOT, "core/hivemind", "desktop/hivemind_desktop") if one.module == module]
    assert written_by_hand(source, name), f"{loaded.__file__}: {name}"


@pytest.mark.parametrize("text", ["PAGES = []", "PAGES = tuple(scan())", "PAGES = (1,)\nPAGES = (2,)", "PAGES = ()"])
def test_a_registry_that_is_computed_is_seen(text: str) -> None:
    assert not written_by_hand(Source("x.py", "x", text, ast.parse(text)), "PAGES")
