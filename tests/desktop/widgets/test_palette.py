"""Ctrl+K finds commands by any of their words, runs the chosen one and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle, shot
from tests.desktop.widgets.samples import COMMANDS

from hivemind_desktop.widgets.palette import COMMAND, Command, CommandModel, CommandPalette, matching


def keys(typed: str) -> list[str]:
    return [each.key for each in matching(COMMANDS, typed)]


def test_nothing_typed_shows_everything_in_order() -> None:
    assert keys("  ") == [each.key for each in COMMANDS]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("import", ["import", "go.importing"]),
        ("GO", ["go.importing", "go.home"]),
        ("night", ["theme"]),
        ("page home", ["go.home"]),
        ("import go", ["go.importing"]),
        ("zzz", []),
        ("*", []),
    ],
)
def test_every_typed_word_has_to_be_there(typed: str, found: list[str]) -> None:
    assert keys(typed) == found


def test_model_keeps_the_rules_of_qt(qtbot: QtBot) -> None:
    owner = QObject()
    model = CommandModel(COMMANDS, owner)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.narrow("go")
    model.narrow("")
    assert tester.model() is model
    spoken = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Import files…, Import, Ctrl+I"


@pytest.fixture
def palette(qtbot: QtBot) -> Iterator[CommandPalette]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 600)
    window.show()
    made = CommandPalette(COMMANDS, window)
    made.open()
    settle()
    yield made
    made.close()


def chosen_row(palette: CommandPalette) -> Command:
    command = palette.list.currentIndex().data(COMMAND)
    assert isinstance(command, Command)
    return command


def test_typing_arrows_and_enter(palette: CommandPalette, qtbot: QtBot) -> None:
    qtbot.keyClicks(palette.line, "go")
    assert chosen_row(palette).key == "go.importing"
    qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    assert chosen_row(palette).key == "go.home"
    qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    assert chosen_row(palette).key == "go.home", "the end is the end"
    with qtbot.waitSignal(palette.chosen) as chosen:
        qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert chosen.args == ["go.home"]
    assert not palette.isVisible()


def test_escape_runs_nothing(palette: CommandPalette, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(palette.chosen):
        qtbot.keyClick(palette.line, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_no_match_says_what_to_do_and_enter_does_nothing(palette: CommandPalette, qtbot: QtBot) -> None:
    tall = palette.height()
    qtbot.keyClicks(palette.line, "%1 zzz")
    settle()
    assert not palette.list.isVisible()
    assert palette._nothing.text() == "No command matches “%1 zzz”. Clear the line to see all."
    assert palette.height() < tall
    with qtbot.assertNotEmitted(palette.chosen):
        qtbot.keyClick(palette.line, Qt.Key.Key_Return)
        qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    assert palette.isVisible()


def test_a_click_runs(palette: CommandPalette, qtbot: QtBot) -> None:
    place = palette.list.visualRect(palette.list.model().index(1, 0)).center()
    with qtbot.waitSignal(palette.chosen) as chosen:
        qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == ["go.importing"]


def test_it_stands_inside_its_window(palette: CommandPalette) -> None:
    assert palette.width() == 560
    assert not shot(palette).isNull()
    narrow = QWidget()
    narrow.resize(400, 300)
    assert CommandPalette(COMMANDS, narrow).width() == 368


def test_it_is_as_tall_as_its_rows(palette: CommandPalette) -> None:
    tall = palette.height()
    palette.line.setText("night")
    few = palette.height()
    assert few < tall
    assert few < palette.list.height() + 160
    palette.line.setText("")
    assert palette.height() == tall
