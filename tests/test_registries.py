"""PAGES, ACTIONS and ADAPTERS are tuples written by hand, and they name everything that is there."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib

import pytest
from tests.source_tree import CORE, DESKTOP, ROOT, Source, classes, sources

from hivemind.harvest.adapters import ADAPTERS
from hivemind_desktop.actions import ACTIONS
from hivemind_desktop.pages import PAGES

#: Registry name, the module that holds it, what it holds.
REGISTRIES: list[tuple[str, str, object]] = [
    ("PAGES", "hivemind_desktop.pages", PAGES),
    ("ACTIONS", "hivemind_desktop.actions", ACTIONS),
    ("ADAPTERS", "hivemind.harvest.adapters", ADAPTERS),
]


def written_by_hand(source: Source, name: str) -> bool:
    """True when the module assigns a tuple display to the name, once, at its top level."""
    values = []
    for node in source.tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            values += [node.value for one in targets if isinstance(one, ast.Name) and one.id == name]
    return len(values) == 1 and isinstance(values[0], ast.Tuple) and bool(values[0].elts)


def page_rooms() -> set[str]:
    """The rooms on the pages' floor of the contract that are there."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (plan,) = [one for one in contracts if one["id"] == "desktop-floors"]
    (floor,) = [line for line in plan["layers"] if re.search(r"\bhome\b", line)]
    return {room for room in re.findall(r"\w+", floor) if (ROOT / DESKTOP / room).is_dir()}


@pytest.mark.parametrize(("name", "module", "entries"), REGISTRIES, ids=[name for name, _, _ in REGISTRIES])
def test_registry_is_a_tuple_written_by_hand(name: str, module: str, entries: object) -> None:
    assert isinstance(entries, tuple)
    (source,) = [one for one in sources(ROOT, CORE, DESKTOP) if one.module == module]
    assert written_by_hand(source, name)


@pytest.mark.parametrize("text", ["PAGES = []", "PAGES = tuple(scan())", "PAGES = (1,)\nPAGES = (2,)", "PAGES = ()"])
def test_a_registry_that_is_computed_is_seen(text: str) -> None:
    assert not written_by_hand(Source("x.py", "x", text, ast.parse(text)), "PAGES")


def test_every_page_room_is_a_page_and_every_page_opens() -> None:
    factories = [page.factory.partition(":") for page in PAGES]
    assert sorted(module for module, _, _ in factories) == sorted(f"hivemind_desktop.{room}" for room in page_rooms())
    assert all(callable(getattr(importlib.import_module(module), function)) for module, _, function in factories)


def test_pages_and_actions_are_told_apart() -> None:
    for names in ([page.key for page in PAGES], [action.id for action in ACTIONS]):
        assert len(names) == len(set(names))
    shortcuts = [action.shortcut for action in ACTIONS if action.shortcut]
    assert len(shortcuts) == len(set(shortcuts))


def test_every_action_of_a_page_names_a_page() -> None:
    assert {action.page for action in ACTIONS if action.page} <= {page.key for page in PAGES}


def test_every_adapter_class_is_registered() -> None:
    written = {
        node.name
        for source in sources(ROOT, f"{CORE}/harvest/adapters")
        for node in classes(source)
        if node.name.endswith("Adapter")
    }
    assert {type(adapter).__name__ for adapter in ADAPTERS} == written
    assert len({adapter.name for adapter in ADAPTERS}) == len(ADAPTERS)
