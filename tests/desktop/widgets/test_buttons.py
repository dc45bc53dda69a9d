"""Buttons have names, keep ampersands, and change their sign without changing their size."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import shot

from hivemind_desktop.theme import Theme
from hivemind_desktop.widgets.buttons import Button, chip


def test_a_press_calls_once(qtbot: QtBot) -> None:
    pressed: list[str] = []
    button = Button("Save", on_click=lambda: pressed.append("yes"))
    qtbot.addWidget(button)
    button.show()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert pressed == ["yes", "yes"]


def test_a_button_without_words_needs_a_name() -> None:
    with pytest.raises(ValueError, match="needs a tip"):
        Button("", "quiet", "x")


def test_icon_only_is_named_and_square(qtbot: QtBot) -> None:
    button = Button("", "quiet", "pause", tip="Pause <import>")
    qtbot.addWidget(button)
    button.show()
    assert button.accessibleName() == "Pause <import>"
    assert "<import>" not in button.toolTip()
    assert (button.width(), button.height()) == (30, 30)


def test_pause_becomes_resume(qtbot: QtBot) -> None:
    button = Button("", "quiet", "pause", tip="Pause")
    qtbot.addWidget(button)
    button.show()
    before = shot(button)
    button.set_icon("play", "Resume")
    assert button.accessibleName() == button.toolTip() == "Resume"
    assert shot(button) != before


def test_an_ampersand_is_a_letter(qtbot: QtBot) -> None:
    button = Button("Q&A")
    qtbot.addWidget(button)
    assert button.words() == button.accessibleName() == "Q&A"
    assert button.shortcut().isEmpty()
    button.set_words("R&D")
    assert button.words() == button.accessibleName() == "R&D"


def test_enter_presses_no_neighbour(qtbot: QtBot) -> None:
    button = Button("Save")
    qtbot.addWidget(button)
    assert not button.autoDefault() and not button.isDefault()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_the_focused_button_is_pressed_by_enter_and_space(key: Qt.Key, qtbot: QtBot) -> None:
    pressed: list[str] = []
    button = Button("Save", on_click=lambda: pressed.append("save"))
    qtbot.addWidget(button)
    qtbot.keyClick(button, key)
    assert pressed == ["save"]


def test_icon_is_tinted_again_with_the_theme(qtbot: QtBot, theme: Theme) -> None:
    button = Button("Edit", "", "pencil")
    qtbot.addWidget(button)
    before = button.icon().pixmap(20, 16).toImage()
    theme.choose("dark")
    assert button.icon().pixmap(20, 16).toImage() != before


def test_a_theme_change_after_a_button_is_gone_does_nothing(qtbot: QtBot, theme: Theme) -> None:
    button = Button("Edit", "", "pencil")
    button.deleteLater()
    qtbot.wait(1)
    theme.choose("dark")
    assert theme.is_dark


def test_trailing_icon_stands_after_the_words(qtbot: QtBot) -> None:
    button = Button("Rank", "quiet", "chevron-down", trailing=True)
    qtbot.addWidget(button)
    assert button.layoutDirection() == Qt.LayoutDirection.RightToLeft


def test_chip_shows_whether_it_is_in_force(qtbot: QtBot) -> None:
    here = chip("Atlas", "x", on=True)
    qtbot.addWidget(here)
    here.show()
    assert here.isChecked() and here.isCheckable()
    tinted = shot(here)
    here.setChecked(False)
    assert shot(here) != tinted
