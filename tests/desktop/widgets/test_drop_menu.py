"""A menu that drops from a button: `&` is a letter, ticks say what is in force, filled before it opens, then gone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QPushButton
from pytestqt.qtbot import QtBot

from hivemind_desktop.widgets.drop_menu import DropMenu


def test_offers_choose_and_tick(qtbot: QtBot) -> None:
    place = QPushButton()
    qtbot.addWidget(place)
    menu, chosen = DropMenu(place), list[str]()
    plain = menu.offer("Salt & pepper", lambda: chosen.append("plain"))
    on = menu.offer("On", lambda: chosen.append("on"), True)
    off = menu.offer("Off", lambda: chosen.append("off"), False)
    assert plain.text() == "Salt && pepper"
    assert [(each.isCheckable(), each.isChecked()) for each in (plain, on, off)] == [
        (False, False), (True, True), (True, False),
    ]  # fmt: skip
    plain.trigger()
    off.trigger()
    assert chosen == ["plain", "off"]


def test_opens_below_its_button_and_goes_when_closed(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    # A menu that really opens makes the offscreen platform warn.
    opened: list[QPoint] = []
    monkeypatch.setattr(QMenu, "popup", lambda _menu, place: opened.append(place))
    place = QPushButton()
    qtbot.addWidget(place)
    place.resize(80, 30)
    menu = DropMenu(place)
    menu.open_below(place)
    assert opened == [place.mapToGlobal(QPoint(0, 29))]
    with qtbot.waitSignal(menu.destroyed):
        menu.aboutToHide.emit()
    assert place.findChild(QMenu) is None
