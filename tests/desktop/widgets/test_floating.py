"""Dialogs dim their window, do not block, and give everything back when they go."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle, shot

from hivemind_desktop.theme import colors
from hivemind_desktop.widgets.floating import Scrim, Sheet, lift, open_over
from hivemind_desktop.widgets.layouts import paint_ground


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    paint_ground(made, "canvas")
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    settle()
    return made


def test_scrim_dims_while_the_dialog_is_open(window: QWidget, qtbot: QtBot) -> None:
    dialog = QDialog(window)
    open_over(dialog)
    settle()
    assert dialog.isVisible() and dialog.windowModality() == Qt.WindowModality.WindowModal
    assert shot(window).pixelColor(5, 5).lightness() < QColor(colors().canvas).lightness()
    window.resize(1000, 700)
    settle()
    assert [each.size() for each in window.findChildren(Scrim)] == [window.size()]
    dialog.reject()
    settle()
    assert window.findChild(Scrim) is None
    assert shot(window).pixelColor(5, 5) == QColor(colors().canvas)


def test_sheet_stands_at_the_right_edge_full_height(window: QWidget, qtbot: QtBot) -> None:
    sheet = Sheet("Why this was found", QLabel("reasons"), window, width=320)
    open_over(sheet)
    settle()
    corner = sheet.mapToGlobal(QPoint(0, 0)) - window.mapToGlobal(QPoint(0, 0))
    assert (corner.x(), corner.y(), sheet.width(), sheet.height()) == (580, 0, 320, 600)
    closed: list[int] = []
    sheet.finished.connect(closed.append)
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    assert closed == [0]


def test_sheet_is_never_wider_than_its_window(window: QWidget, qtbot: QtBot) -> None:
    window.resize(300, 400)
    sheet = Sheet("Narrow", QLabel("x"), window)
    qtbot.addWidget(sheet)
    assert sheet.width() == 300


def test_lift_gives_a_shadow_of_its_own(qtbot: QtBot) -> None:
    first, second = QLabel("a"), QLabel("b")
    for each in (first, second):
        qtbot.addWidget(each)
        lift(each)
    assert first.graphicsEffect() is not None
    assert first.graphicsEffect() is not second.graphicsEffect()
