"""Searching while somebody types, at once on Enter; filters that do not fit are still reachable."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle, shot

from hivemind_desktop.theme import Theme
from hivemind_desktop.widgets.buttons import Button, chip
from hivemind_desktop.widgets.search_box import PAUSE_MS, ChipRow, SearchLine


@pytest.fixture
def asked() -> list[str]:
    return []


@pytest.fixture
def line(qtbot: QtBot, asked: list[str]) -> SearchLine:
    made = SearchLine("Search memories")
    made.asked.connect(asked.append)
    qtbot.addWidget(made)
    made.resize(400, made.sizeHint().height())
    made.show()
    return made


def test_typing_asks_once_when_it_pauses(line: SearchLine, asked: list[str], qtbot: QtBot) -> None:
    qtbot.keyClicks(line, "postgres", delay=2)
    assert asked == []
    qtbot.waitUntil(lambda: bool(asked), timeout=PAUSE_MS * 8)
    assert asked == ["postgres"]


def test_enter_asks_at_once_and_only_once(line: SearchLine, asked: list[str], qtbot: QtBot) -> None:
    qtbot.keyClicks(line, "C++ *")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert asked == ["C++ *"]
    qtbot.wait(PAUSE_MS + 80)
    assert asked == ["C++ *"]


def test_escape_empties(line: SearchLine, asked: list[str], qtbot: QtBot) -> None:
    qtbot.keyClicks(line, "x")
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert (line.text(), asked) == ("", [""])


def test_setting_the_text_from_outside_asks_nothing(line: SearchLine, asked: list[str], qtbot: QtBot) -> None:
    line.setText("from the palette")
    qtbot.wait(PAUSE_MS + 60)
    assert asked == []


def test_the_key_hint_makes_room(line: SearchLine) -> None:
    assert line.height() == 36
    assert line.accessibleName() == "Search memories"
    wide = line.textMargins().right()
    line.resize(200, 36)
    assert line.textMargins().right() < wide
    assert not shot(line).isNull()


def test_the_line_grows_with_the_text(line: SearchLine, theme: Theme) -> None:
    theme.set_text_percent(150)
    assert line.sizeHint().height() == 54


@pytest.fixture
def chips(qtbot: QtBot) -> ChipRow:
    made = ChipRow([chip("Atlas", "x", on=True), chip("Source", "chevron-down"), chip("Q&A"), chip("Contradictions")],
                   Button("Rank", "quiet"))  # fmt: skip
    qtbot.addWidget(made)
    made.resize(800, 50)
    made.show()
    settle()
    return made


def more(chips: ChipRow) -> Button:
    return next(each for each in chips.findChildren(Button) if each.words().startswith("+"))


def test_all_chips_show_when_there_is_room(chips: ChipRow) -> None:
    assert chips.hidden_chips() == [] and not more(chips).isVisible()


# Opening a menu makes the offscreen plugin say what it cannot do.
@pytest.mark.qt_log_ignore(r"^This plugin does not support (raise|grabbing|propagateSizeHints)", extend=True)
def test_what_does_not_fit_is_counted_and_in_the_menu(chips: ChipRow, qtbot: QtBot) -> None:
    chips.resize(330, 50)
    settle()
    hidden = [each.words() for each in chips.hidden_chips()]
    assert hidden[-1] == "Contradictions" and 0 < len(hidden) < 4
    assert more(chips).isVisible() and more(chips).words() == f"+{len(hidden)}"
    assert more(chips).accessibleName() == f"{len(hidden)} more filters"
    pressed: list[bool] = []
    chips.hidden_chips()[0].clicked.connect(lambda: pressed.append(True))
    qtbot.mouseClick(more(chips), Qt.MouseButton.LeftButton)
    menu = chips.findChild(QMenu)
    assert [action.text().replace("&&", "&") for action in menu.actions()] == hidden
    menu.actions()[0].trigger()
    menu.close()
    assert pressed == [True]
    chips.resize(800, 50)
    settle()
    assert chips.hidden_chips() == []
