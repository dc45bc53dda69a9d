"""The rail shows the pages it is given, walks with the arrows and counts what waits."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle, shot
from tests.desktop.widgets.samples import PAGES

from hivemind_desktop.widgets.nav_rail import MindSwitcher, NavRail


@pytest.fixture
def rail(qtbot: QtBot) -> NavRail:
    made = NavRail(PAGES)
    made.mind.set_mind("Personal", "24,377 memories")
    qtbot.addWidget(made)
    made.resize(208, 800)
    made.show()
    made.show_page("home")
    settle()
    return made


def test_pages_stand_in_their_groups(rail: NavRail) -> None:
    captions = [each.text() for each in rail.findChildren(QLabel)]
    assert captions == ["Sources", "Trust"]
    tops = [rail.item(page.key).mapTo(rail, rail.item(page.key).rect().topLeft()).y() for page in PAGES]
    assert tops == sorted(tops)
    assert tops[-1] > 700, "settings stand at the foot"


def test_a_press_announces_the_page(rail: NavRail, qtbot: QtBot) -> None:
    with qtbot.waitSignal(rail.page_chosen) as chosen:
        qtbot.mouseClick(rail.item("importing"), Qt.MouseButton.LeftButton)
    assert chosen.args == ["importing"]


def test_only_the_open_page_is_marked(rail: NavRail) -> None:
    rail.show_page("memories")
    assert [page.key for page in PAGES if rail.item(page.key).isChecked()] == ["memories"]
    with pytest.raises(KeyError):
        rail.show_page("nowhere")


def test_one_tab_stop_follows_the_page(rail: NavRail) -> None:
    rail.show_page("approvals")
    stops = [page.key for page in PAGES if rail.item(page.key).focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert stops == ["approvals"]


def test_arrows_walk_and_only_enter_opens(rail: NavRail, qtbot: QtBot) -> None:
    opened: list[str] = []
    rail.page_chosen.connect(opened.append)
    rail.activateWindow()
    rail.item("home").setFocus()
    keys = [
        Qt.Key.Key_Down,
        Qt.Key.Key_Down,
        Qt.Key.Key_End,
        Qt.Key.Key_Down,
        Qt.Key.Key_Up,
        Qt.Key.Key_Home,
        Qt.Key.Key_Up,
    ]
    expected = ["memories", "importing", "settings", "settings", "approvals", "home", "home"]
    for key, page in zip(keys, expected, strict=True):
        qtbot.keyClick(rail.focusWidget(), key)
        assert rail.focusWidget() is rail.item(page)
    assert opened == []
    qtbot.keyClick(rail.focusWidget(), Qt.Key.Key_Down)
    qtbot.keyClick(rail.focusWidget(), Qt.Key.Key_Return)
    assert opened == ["memories"]
    qtbot.keyClick(rail.focusWidget(), Qt.Key.Key_Space)
    assert opened == ["memories", "memories"]


def test_focus_is_seen(rail: NavRail) -> None:
    rail.activateWindow()
    before = shot(rail.item("connect"))
    rail.item("connect").setFocus(Qt.FocusReason.TabFocusReason)
    assert shot(rail.item("connect")) != before


def test_counts_are_spoken_and_painted(rail: NavRail) -> None:
    before = shot(rail.item("approvals"))
    rail.set_count("approvals", 2)
    assert rail.item("approvals").accessibleName() == "Approvals, 2 waiting"
    assert shot(rail.item("approvals")) != before
    rail.set_count("approvals", 0)
    assert rail.item("approvals").accessibleName() == "Approvals"
    assert shot(rail.item("approvals")) == before


def test_short_windows_lose_captions_never_names(rail: NavRail) -> None:
    rail.resize(208, 500)
    settle()
    assert not any(each.isVisible() for each in rail.findChildren(QLabel))
    assert {rail.item(page.key).height() for page in PAGES} == {28}
    rail.resize(208, 160)
    settle()
    assert rail.item("settings").height() == 28, "the rail scrolls instead"
    rail.resize(208, 800)
    settle()
    assert all(each.isVisible() for each in rail.findChildren(QLabel))


def test_the_mind_is_named(rail: NavRail, qtbot: QtBot) -> None:
    assert rail.mind.accessibleName() == "Mind: Personal, 24,377 memories. Switch mind"
    with qtbot.waitSignal(rail.mind.clicked):
        qtbot.keyClick(rail.mind, Qt.Key.Key_Return)


def test_a_mind_with_any_name_can_be_shown(qtbot: QtBot) -> None:
    switcher = MindSwitcher()
    qtbot.addWidget(switcher)
    switcher.resize(180, 46)
    switcher.show()
    for name in ("", "&Legal", "x" * 500, "a\nb"):
        switcher.set_mind(name, "empty")
        assert not shot(switcher).isNull()
        assert "\n" not in switcher.accessibleName()
