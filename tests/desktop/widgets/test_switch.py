"""A switch: keys and mouse turn it, its word follows, the program turns it without a call."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import shot

from hivemind_desktop.widgets.switch import Switch


def test_a_person_turns_it_and_the_program_does_silently(qtbot: QtBot) -> None:
    turned: list[bool] = []
    switch = Switch("Less motion", on_turn=turned.append)
    qtbot.addWidget(switch)
    switch.show()
    off = shot(switch)
    assert switch.word.text() == "Off"
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert (turned, switch.word.text()) == ([True], "On")
    assert shot(switch) != off
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert turned == [True, False]
    switch.setChecked(True)
    assert (turned, switch.word.text()) == ([True, False], "On")
    assert switch.accessibleName() == "Less motion"
