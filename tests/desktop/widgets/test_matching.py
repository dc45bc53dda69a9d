"""Names are found by every typed word, best first, a slip of a finger forgiven.

Covers: matching, nav_items.
"""

from __future__ import annotations

import pytest

from hivemind_desktop.widgets.matching import best
from hivemind_desktop.widgets.nav_items import NavItems, RailPage

NAMES = ["Go to Home", "Home again", "Import a file", "Undo the import", "Switch theme"]


def found(typed: str) -> list[str]:
    return best(NAMES, typed, lambda name: name, lambda name: "light dark" if "theme" in name else "")


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("", NAMES),
        ("home", ["Home again", "Go to Home"]),
        ("imp", ["Import a file", "Undo the import"]),
        ("dark", ["Switch theme"]),
        ("theem", ["Switch theme"]),
        ("importt undo", ["Undo the import"]),
        ("xyzzy", []),
        ("ho me no", []),
    ],
)
def test_best(typed: str, names: list[str]) -> None:
    assert found(typed) == names


def test_items_have_one_tab_stop(qtbot: object) -> None:
    group = NavItems()
    for key in "abc":
        group.add(RailPage(key, key, "house"))
    group.show("b")
    assert [key for key, item in group.items.items() if item.focusPolicy()] == ["b"]
