"""Rows and columns hold what they are given, in order."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle, shot

from hivemind_desktop.widgets.layouts import box, column, line, paint_ground, row, scrolling


def test_items_of_every_kind_keep_their_order_and_room(qtbot: QtBot) -> None:
    first, second, third = QLabel("a"), QLabel("b"), QLabel("c")
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.setLayout(row(first, 20, (second, 3), row(third), None, gap=0))
    widget.resize(400, 40)
    widget.show()
    settle()
    assert first.x() < second.x() < third.x()
    assert second.x() - first.geometry().right() > 20
    assert second.width() > third.width()


def test_a_plain_widget_draws_its_ground(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    paint_ground(widget, "window")
    widget.resize(20, 20)
    widget.show()
    assert shot(widget).pixelColor(10, 10) == QColor("#F4F2ED")


def test_hairlines_are_one_pixel(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    across, down = line(), line(vertical=True)
    widget.setLayout(column(across, (box(row(down, None)), 1)))
    widget.resize(80, 60)
    widget.show()
    settle()
    assert (across.height(), down.width()) == (1, 1)


def test_scrolling_is_as_wide_as_its_place_and_no_tab_stop(qtbot: QtBot) -> None:
    content = QWidget()
    content.setMinimumHeight(900)
    area = scrolling(content)
    qtbot.addWidget(area)
    area.resize(200, 100)
    area.show()
    settle()
    assert content.width() <= 200
    assert area.verticalScrollBar().maximum() > 0
    assert area.focusPolicy() == Qt.FocusPolicy.NoFocus
