"""Chips and the search line agree: each is made from the other, and a filter goes away by keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle

from hivemind.domain.search import Profile, SavedSearch
from hivemind_desktop.memories.filters import FilterBar
from hivemind_desktop.widgets.buttons import Button


@pytest.fixture
def bar(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> FilterBar:
    opened: list[QMenu] = []
    # A menu that really opens makes the offscreen platform warn; it is filled before it opens.
    monkeypatch.setattr(QMenu, "popup", lambda menu, _place: opened.append(menu))
    made = FilterBar()
    qtbot.addWidget(made)
    made.resize(1200, 60)
    made.show()
    made.menus = opened  # type: ignore[attr-defined]
    made.lines = []  # type: ignore[attr-defined]
    made.line_changed.connect(made.lines.append)  # type: ignore[attr-defined]
    return made


def chips(bar: FilterBar) -> dict[str, bool]:
    return {each.words(): each.isChecked() for each in bar._chips.values() if not each.isHidden()}


def choose(bar: FilterBar, pressed: Button, words: str) -> None:
    """Press a chip and choose from its menu."""
    pressed.click()
    menu = bar.menus.pop()  # type: ignore[attr-defined]
    (action,) = [each for each in menu.actions() if each.text().replace("&&", "&") == words]
    action.trigger()


def test_a_line_makes_chips(bar: FilterBar) -> None:
    assert chips(bar) == dict.fromkeys(("Source", "Importance", "Time", "Pinned", "Kind"), False)
    bar.show_line("lemon source:chatgpt importance:critical,important after:2024 before:2025-06 pinned:no session:s1")
    assert chips(bar) == {
        "ChatGPT": True, "Critical, Important": True, "from 2024 before 2025-06": True, "Not pinned": True,
        "Kind": False, "One session": True,
    }  # fmt: skip
    bar.show_line("")
    assert True not in chips(bar).values()


def test_a_chip_writes_the_line(bar: FilterBar) -> None:
    bar.show_line("lemon")
    choose(bar, bar._level, "Critical")
    choose(bar, bar._pinned, "Pinned")
    bar.show_line("lemon source:x")
    choose(bar, bar._kind, "Additions")
    assert bar.lines == ["lemon importance:critical", "lemon pinned:yes", "lemon source:x type:added"]  # type: ignore[attr-defined]
    assert not bar._level.isChecked(), "the chip follows the line, not the press"


def test_sources_are_asked_for_when_they_are_wanted(bar: FilterBar) -> None:
    asked: list[int] = []
    bar.sources_wanted.connect(lambda: asked.append(1))
    bar._source.click()
    assert asked == [1]
    bar.show_sources(["chatgpt"])
    menu = bar.menus.pop()  # type: ignore[attr-defined]
    menu.actions()[0].trigger()
    assert bar.lines == ["source:chatgpt"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Space])
def test_a_filter_goes_away_by_keyboard(bar: FilterBar, qtbot: QtBot, key: Qt.Key) -> None:
    bar.show_line("lemon after:2024 before:2026")
    assert "remove" in bar._time.accessibleName()
    qtbot.keyClick(bar._time, key)
    assert bar.lines == ["lemon"]  # type: ignore[attr-defined]


def test_what_cannot_be_read_is_shown_as_written(bar: FilterBar) -> None:
    bar.show_line("importance:urgent before:never type:z")
    assert {"urgent", "before never", "z"} <= set(chips(bar))


def test_ranking_and_saved_searches(bar: FilterBar) -> None:
    ranked: list[Profile] = []
    taken: list[str] = []
    asked: list[str] = []
    bar.profile_chosen.connect(ranked.append)
    bar.saved_chosen.connect(taken.append)
    bar.requested.connect(asked.append)
    assert bar._rank.words() == "Rank: balanced"
    choose(bar, bar._rank, "recent first")
    bar.show_profile(Profile.RECENT)
    assert bar._rank.words() == "Rank: recent first"
    settle()
    assert bar._rank.width() >= bar._rank.sizeHint().width(), "its words are not cut"
    assert bar._rank.property("square") is None
    bar.show_saved((SavedSearch("A & B", "lemon"),), "", frozenset({"search.save"}))
    choose(bar, bar._saved_button, "A & B")
    choose(bar, bar._saved_button, "Save this search…")
    choose(bar, bar._saved_button, "Delete this search")
    assert (ranked, taken, asked) == ([Profile.RECENT], ["A & B"], ["search.save"])
    bar.show_saved((SavedSearch("A & B", "lemon"),), "A & B", frozenset({"search.delete"}))
    assert bar._saved_button.words() == "A & B"


def test_in_a_narrow_window_every_filter_can_be_reached(bar: FilterBar) -> None:
    bar.resize(420, 60)
    hidden = bar._row.hidden_chips()
    assert hidden
    assert not bar._rank.visibleRegion().isEmpty()
