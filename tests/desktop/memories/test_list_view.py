"""The list keeps its selection and its place when rows change."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle
from tests.desktop.memories.test_model import frame

from hivemind_desktop.memories.lines import MemoryEntry, entry_of_frame
from hivemind_desktop.memories.list_view import MemoryList
from hivemind_desktop.memories.model import MemoryModel


def entries(*ids: int) -> list[MemoryEntry]:
    return [entry_of_frame(frame(id=number, content=f"Memory {number}")) for number in ids]


@pytest.fixture
def view(qtbot: QtBot) -> MemoryList:
    made = MemoryList(MemoryModel())
    qtbot.addWidget(made)
    made.resize(400, 400)
    made.show()
    return made


def test_the_chosen_memory_stays_chosen(view: MemoryList) -> None:
    picked: list[int] = []
    view.picked.connect(picked.append)
    view.show_hits(entries(5, 4, 3), False, keep_place=False)
    assert view.chosen_id() is None, "nothing is chosen by itself: opening a memory counts as use"
    view.setCurrentIndex(view.memories.index(1))
    view.show_hits(entries(9, 8, 4, 3), False, keep_place=True)
    assert view.chosen_id() == 4
    assert picked == [4]
    view.show_hits(entries(9, 8), False, keep_place=False)
    assert view.chosen_id() is None
    assert picked == [4]


def test_the_place_is_kept_when_rows_come_above(view: MemoryList, qtbot: QtBot) -> None:
    view.show_hits(entries(*range(60, 0, -1)), False, keep_place=False)
    settle()
    view.verticalScrollBar().setValue(94 * 10 + 30)
    view.show_hits(entries(*range(65, 0, -1)), False, keep_place=True)
    assert view.verticalScrollBar().value() == 94 * 15 + 30
    view.show_hits(entries(*range(60, 0, -1)), False, keep_place=False)
    assert view.verticalScrollBar().value() == 0


def test_keys(view: MemoryList, qtbot: QtBot) -> None:
    opened: list[int] = []
    picked: list[int] = []
    view.opened.connect(opened.append)
    view.picked.connect(picked.append)
    view.show_hits(entries(3, 2, 1), False, keep_place=False)
    assert view.choose(3)
    assert picked == []
    qtbot.keyClick(view, Qt.Key.Key_J)
    qtbot.keyClick(view, Qt.Key.Key_J)
    qtbot.keyClick(view, Qt.Key.Key_K)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert picked == [2, 1, 2]
    assert opened == [2]
    assert not view.choose(99)
    assert view.chosen_id() is None


def test_a_better_answer_scrolls_so_that_the_chosen_row_stays(view: MemoryList) -> None:
    view.show_hits(entries(*range(40, 0, -1)), False)
    settle()
    view.setCurrentIndex(view.memories.index(3))
    top = view.visualRect(view.currentIndex()).top()
    moved = [*range(40, 37, -1), *range(36, 20, -1), 37, *range(20, 0, -1)]
    view.merge_hits(entries(*moved), False)
    assert view.chosen_id() == 37
    assert [view.memories.id_at(row) for row in range(40)] == moved, "the order is that of the answer"
    assert view.visualRect(view.currentIndex()).top() == top
    assert view.verticalScrollBar().value() > 0


def test_where_it_cannot_scroll_the_chosen_row_keeps_its_place(view: MemoryList) -> None:
    view.show_hits(entries(*range(40, 0, -1)), False)
    settle()
    view.setCurrentIndex(view.memories.index(3))
    top = view.visualRect(view.currentIndex()).top()
    view.merge_hits(entries(37, *range(40, 37, -1), *range(36, 0, -1)), False)
    assert view.memories.row_of(37) == 3
    assert view.visualRect(view.currentIndex()).top() == top


def test_a_chosen_row_that_is_no_hit_any_more_stays_in_the_list(view: MemoryList) -> None:
    picked: list[int] = []
    view.show_hits(entries(5, 4, 3), False)
    view.setCurrentIndex(view.memories.index(1))
    view.picked.connect(picked.append)
    top = view.visualRect(view.currentIndex()).top()
    view.merge_hits(entries(9, 8, 7, 6), False)
    assert view.chosen_id() == 4
    assert view.memories.rowCount() == 5
    assert view.visualRect(view.currentIndex()).top() == top
    assert picked == []


def test_without_a_choice_the_better_answer_begins_at_the_top(view: MemoryList) -> None:
    view.show_hits(entries(5, 4, 3), False)
    view.merge_hits(entries(3, 9, 8), False)
    assert view.chosen_id() is None
    assert [view.memories.id_at(row) for row in range(3)] == [3, 9, 8]
    assert view.verticalScrollBar().value() == 0
