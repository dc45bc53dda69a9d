"""A list of a million rows: arithmetic instead of layout, every key, long selections as one stretch."""

from __future__ import annotations

import time
from typing import Any

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPoint, Qt
from PySide6.QtWidgets import QStyledItemDelegate
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle

from hivemind_desktop.widgets.uniform_list import UniformList

ROWS = 1_000_000
HEIGHT = 50


class Numbers(QAbstractListModel):
    """Its rows are their numbers; it counts who was asked for."""

    def __init__(self, rows: int) -> None:
        super().__init__()
        self.rows = rows
        self.asked: set[int] = set()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self.rows

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            self.asked.add(index.row())
            return str(index.row())
        return None


@pytest.fixture
def view(qtbot: QtBot) -> UniformList:
    made = UniformList(HEIGHT)
    made.setItemDelegate(QStyledItemDelegate(made))
    made.setAccessibleName("Numbers")
    qtbot.addWidget(made)
    made.kept = Numbers(ROWS)  # type: ignore[attr-defined]
    began = time.perf_counter()
    made.setModel(made.kept)  # type: ignore[attr-defined]
    made.resize(300, 500)
    made.show()
    settle()
    assert time.perf_counter() - began < 5, "Qt's own list takes twelve seconds"
    return made


def test_only_rows_in_sight_are_asked_for(view: UniformList) -> None:
    model: Numbers = view.kept  # type: ignore[attr-defined]
    model.asked.clear()
    view.scrollTo(model.index(ROWS // 2), UniformList.ScrollHint.PositionAtTop)
    settle()
    assert view.rows_in_sight().start == ROWS // 2
    assert model.asked
    assert len(model.asked) <= 12


def test_places_and_rows_agree(view: UniformList) -> None:
    model: Numbers = view.kept  # type: ignore[attr-defined]
    for row in (0, 1, 777_777, ROWS - 1):
        for hint in (UniformList.ScrollHint.EnsureVisible, UniformList.ScrollHint.PositionAtCenter,
                     UniformList.ScrollHint.PositionAtBottom):  # fmt: skip
            view.scrollTo(model.index(row), hint)
            assert view.viewport().rect().contains(view.visualRect(model.index(row)).center())
            assert view.indexAt(view.visualRect(model.index(row)).center()).row() == row
    assert view.verticalScrollBar().maximum() == view.furthest() == ROWS * HEIGHT - view.viewport().height()
    assert not view.indexAt(QPoint(20, -HEIGHT * ROWS)).isValid()
    assert not view.visualRect(QModelIndex()).isValid()


def test_keys(view: UniformList, qtbot: QtBot) -> None:
    view.setCurrentIndex(view.model().index(5, 0))
    for key, row in (
        (Qt.Key.Key_Down, 6), (Qt.Key.Key_Up, 5), (Qt.Key.Key_End, ROWS - 1), (Qt.Key.Key_Down, ROWS - 1),
        (Qt.Key.Key_Home, 0), (Qt.Key.Key_Up, 0), (Qt.Key.Key_PageDown, view.viewport().height() // HEIGHT),
        (Qt.Key.Key_PageUp, 0),
    ):  # fmt: skip
        qtbot.keyClick(view, key)
        assert view.currentIndex().row() == row
    assert view.selected_ranges() == [range(1)]


def test_long_selections_are_stretches(view: UniformList, qtbot: QtBot) -> None:
    shift = Qt.KeyboardModifier.ShiftModifier
    view.setCurrentIndex(view.model().index(2, 0))
    qtbot.keyClick(view, Qt.Key.Key_End, shift)
    assert view.selected_ranges() == [range(2, ROWS)]
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert view.selected_ranges() == [range(2, ROWS - 1)]
    view.selectAll()
    assert view.selected_ranges() == [range(ROWS)]
    view.scrollToTop()
    place = view.visualRect(view.model().index(3, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert view.selected_ranges() == [range(3, 4)]
    control = Qt.KeyboardModifier.ControlModifier
    place = view.visualRect(view.model().index(5, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, control, place)
    assert view.selected_ranges() == [range(3, 4), range(5, 6)]


def test_letters_are_the_windows(view: UniformList, qtbot: QtBot) -> None:
    model: Numbers = view.kept  # type: ignore[attr-defined]
    view.setCurrentIndex(model.index(0))
    model.asked.clear()
    qtbot.keyClick(view, Qt.Key.Key_9)
    assert len(model.asked) < 100, "Qt would search a million rows for a typed letter"


def test_nothing_to_show(qtbot: QtBot) -> None:
    empty = UniformList(HEIGHT)
    qtbot.addWidget(empty)
    empty.setModel(Numbers(0))
    empty.show()
    settle()
    empty.selectAll()
    qtbot.keyClick(empty, Qt.Key.Key_Down)
    assert empty.selected_ranges() == []
    assert empty.count() == 0
    assert list(empty.rows_in_sight()) == []
