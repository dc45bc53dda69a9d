"""Rows of memories: any imported text paints, selection and hits are seen, a list of them is quick."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle, shot
from tests.desktop.widgets import samples

from hivemind_desktop.theme import Theme, colors
from hivemind_desktop.widgets.memory_row import LINE, MemoryLine
from hivemind_desktop.widgets.text_paint import MarkedText

HOSTILE = [
    "",
    "<script>alert(1)</script> &amp; <b>",
    "x" * 20000,
    "\u202edne eht ta strats siht",
    "two\nlines\ttab\x00nul \ud800 lone",
    "a" + "\u0301" * 400,
]


@pytest.fixture
def view(qtbot: QtBot) -> QListView:
    made = samples.memory_list()
    qtbot.addWidget(made)
    made.resize(340, 300)
    made.show()
    settle()
    return made


def holds(image: QImage, color: str) -> bool:
    wanted = QColor(color)
    return any(image.pixelColor(x, y) == wanted for x in range(image.width()) for y in range(image.height()))


def test_row_is_spoken_whole() -> None:
    assert samples.LINES[1].spoken() == (
        "Atlas stays on DynamoDB until the first release is out and measured. "
        "ChatGPT · Roadmap Q1 with a long name that does not fit. 3 Mar 2025. important. Contradicts"
    )


def test_selection_hits_and_badge_are_painted(view: QListView) -> None:
    image = shot(view.viewport())
    for color in (colors().honey_tint, colors().hit, colors().warn_tint):
        assert holds(image, color)


def test_rows_are_94_px_and_grow_with_the_text(view: QListView, theme: Theme) -> None:
    assert view.visualRect(view.model().index(1, 0)).height() == 94
    theme.set_text_percent(150)
    settle()
    assert view.visualRect(view.model().index(1, 0)).height() == 141


def test_focus_ring_only_after_a_key(view: QListView, qtbot: QtBot) -> None:
    view.activateWindow()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(1, 0)).center())
    assert not holds(shot(view.viewport()), colors().honey_edge)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 2
    assert holds(shot(view.viewport()), colors().honey_edge)


@pytest.mark.parametrize("text", HOSTILE, ids=["empty", "html", "long", "bidi", "controls", "marks"])
def test_any_text_paints(qtbot: QtBot, view: QListView, text: str) -> None:
    model = QStandardItemModel(view)
    item = QStandardItem()
    shown = MemoryLine(text, MarkedText(text, ((0, 3), (5, 9000))), text, "today", "critical", note=text[:200])
    item.setData(shown, LINE)
    model.appendRow(item)
    view.setModel(model)
    settle()
    assert not shot(view.viewport()).isNull()
    assert "\n" not in shown.spoken()


def test_an_item_without_a_memory_paints_nothing(view: QListView) -> None:
    model = QStandardItemModel(view)
    model.appendRow(QStandardItem("something else"))
    view.setModel(model)
    settle()
    assert not holds(shot(view.viewport()), colors().text)


def test_painting_a_full_list_again_is_quick(view: QListView) -> None:
    view.viewport().grab()
    started = time.perf_counter()
    for _ in range(10):
        view.viewport().grab()
    assert (time.perf_counter() - started) / 10 < 0.1, "seconds per repaint of three rows"
