"""Light, dark and the system's choice, live; text size; reduced motion."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import hivemind_desktop.theme.current as current
from hivemind_desktop.theme import Theme, colors, font, px
from hivemind_desktop.theme.tokens import DARK, LIGHT


def test_a_choice_is_in_force_at_once(theme: Theme, qtbot: QtBot, qapp: QApplication) -> None:
    with qtbot.waitSignal(theme.changed):
        theme.choose("dark")
    assert theme.is_dark and colors() is DARK
    assert DARK.canvas in qapp.styleSheet()
    assert qapp.palette().window().color().name() == DARK.canvas.lower()


def test_the_system_is_followed_while_chosen(theme: Theme, qapp: QApplication) -> None:
    theme.choose("system")
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.is_dark
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert not theme.is_dark


def test_a_fixed_choice_ignores_the_system(theme: Theme, qapp: QApplication) -> None:
    theme.choose("dark")
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert colors() is DARK
    theme.choose("light")
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert colors() is LIGHT


@pytest.mark.parametrize(("asked", "given"), [(100, 100), (150, 150), (400, 150), (90, 90), (10, 90)])
def test_text_size_stays_within_its_ends(theme: Theme, asked: int, given: int) -> None:
    theme.set_text_percent(asked)
    assert theme.text_percent == given
    assert font("body").pixelSize() == round(13 * given / 100)
    assert px(36) == round(36 * given / 100)


def test_reduced_motion_turns_every_duration_to_nothing(theme: Theme) -> None:
    theme.reduced_motion = False
    assert (theme.motion_ms("quick"), theme.motion_ms("calm")) == (120, 200)
    theme.reduced_motion = True
    assert (theme.motion_ms("quick"), theme.motion_ms("calm")) == (0, 0)


def test_asking_before_install_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current, "_installed", None)
    with pytest.raises(RuntimeError, match="before the first widget"):
        current.theme()
