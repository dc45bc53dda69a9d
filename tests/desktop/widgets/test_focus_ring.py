"""Reading text wears its ring while the keyboard came to it, and only then."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from hivemind_desktop.widgets.focus_ring import FocusRing
from hivemind_desktop.widgets.labels import Prose


def test_the_ring_comes_with_the_tab_key_and_goes(qtbot: QtBot) -> None:
    window, text, other = QWidget(), Prose("A heron stood still"), Prose("Another")
    layout = QVBoxLayout(window)
    layout.addWidget(text)
    layout.addWidget(other)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    ring = text.findChild(FocusRing)
    assert ring is not None
    other.setFocus(Qt.FocusReason.OtherFocusReason)
    height = text.height()
    text.setFocus(Qt.FocusReason.TabFocusReason)
    assert ring.isVisible()
    assert ring.size() == text.size()
    assert text.height() == height
    other.setFocus(Qt.FocusReason.TabFocusReason)
    assert not ring.isVisible()
    text.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not ring.isVisible(), "a press of the mouse needs no ring"
