"""The focus ring of a list comes with a key and goes with the mouse."""

from __future__ import annotations

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QLineEdit, QListView, QWidget
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle

from hivemind_desktop.widgets.last_input import LastInput
from hivemind_desktop.widgets.layouts import column


def test_keys_and_tab_count_the_mouse_does_not(qtbot: QtBot) -> None:
    window, field, view = QWidget(), QLineEdit(), QListView()
    view.setModel(QStringListModel(["a", "b"], view))
    watcher = LastInput(view)
    window.setLayout(column(field, view))
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    settle()
    assert watcher.parent() is view

    def by_key() -> bool:
        return window.testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)

    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton)
    assert not by_key()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert by_key()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton)
    assert not by_key()
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert view.hasFocus() and by_key()
