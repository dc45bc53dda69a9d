"""Asking for a name: what is typed comes back, nothing comes back otherwise."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from hivemind_desktop.widgets.name_dialog import LONGEST, NameDialog


@pytest.fixture
def dialog(qtbot: QtBot) -> Iterator[NameDialog]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 400)
    window.show()
    made = NameDialog("Save this search", "Name", "Save search", "lemon", window)
    made.show()
    yield made
    window.close()


def test_enter_gives_the_name(dialog: NameDialog, qtbot: QtBot) -> None:
    assert dialog.line.selectedText() == "lemon"
    dialog.line.setText("  Lemon trees ")
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    assert dialog.name == "Lemon trees"
    assert not dialog.isVisible()


def test_an_empty_name_is_not_taken(dialog: NameDialog, qtbot: QtBot) -> None:
    dialog.line.setText("   ")
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert not dialog._agree.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.name == ""
    assert not dialog.isVisible()


def test_a_name_has_an_end(dialog: NameDialog) -> None:
    assert dialog.line.maxLength() == LONGEST
