"""Promises every look keeps: names, sizes, one tab stop, a live switch that equals a fresh build."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle, shot
from tests.desktop.widgets import samples

from hivemind_desktop.theme import Theme

PAGES = [samples.component_page, samples.memory_page]
SIZE = (1280, 1000)


def shown(qtbot: QtBot, page: Callable[[], QWidget]) -> QWidget:
    window = samples.window(page())
    qtbot.addWidget(window)
    window.resize(*SIZE)
    window.show()
    settle()
    held = window.focusWidget()
    if held is not None:
        held.clearFocus()  # which window is the active one is not what is compared
    return window


@pytest.mark.parametrize("page", PAGES)
def test_switching_live_equals_building(theme: Theme, qtbot: QtBot, page: Callable[[], QWidget]) -> None:
    theme.choose("dark")
    built = shot(shown(qtbot, page))
    theme.choose("light")
    window = shown(qtbot, page)
    light = shot(window)
    theme.choose("dark")
    assert shot(window) == built, "something keeps its light colours"
    assert light != built


@pytest.mark.parametrize("page", PAGES)
def test_growing_text_live_equals_building(theme: Theme, qtbot: QtBot, page: Callable[[], QWidget]) -> None:
    theme.set_text_percent(150)
    built = shown(qtbot, page)
    theme.set_text_percent(100)
    window = shown(qtbot, page)
    theme.set_text_percent(150)
    window.resize(built.size())
    settle(10)
    assert shot(window) == shot(built), "something keeps its old size"


@pytest.mark.parametrize("percent", [90, 100, 150])
@pytest.mark.parametrize("page", PAGES)
def test_every_control_has_a_name_and_24_px(
    theme: Theme, qtbot: QtBot, page: Callable[[], QWidget], percent: int
) -> None:
    theme.set_text_percent(percent)
    window = shown(qtbot, page)
    buttons = window.findChildren(QAbstractButton)
    assert len(buttons) > 8
    for button in buttons:
        assert button.accessibleName() or button.text(), button
        if button.isVisible():
            assert min(button.width(), button.height()) >= 24, (button.text(), button.size())
    for field in window.findChildren(QLineEdit):
        assert field.accessibleName()
        assert field.height() >= 24


@pytest.mark.parametrize("page", PAGES)
def test_no_label_reads_html(qtbot: QtBot, page: Callable[[], QWidget]) -> None:
    window = shown(qtbot, page)
    labels = window.findChildren(QLabel)
    assert labels
    assert {each.textFormat() for each in labels} == {Qt.TextFormat.PlainText}


def test_tab_walks_every_visible_control_once_and_comes_back(qtbot: QtBot) -> None:
    window = shown(qtbot, samples.component_page)
    window.activateWindow()
    first = window.nextInFocusChain()
    while not (first.focusPolicy() & Qt.FocusPolicy.TabFocus and first.isVisible() and first.isEnabled()):
        first = first.nextInFocusChain()
    first.setFocus(Qt.FocusReason.TabFocusReason)
    seen: list[QWidget] = []
    for _ in range(200):
        held = window.focusWidget()
        if held in seen:
            break
        seen.append(held)
        qtbot.keyClick(held, Qt.Key.Key_Tab)
    assert held is seen[0], "Tab is trapped"
    wanted = {
        each
        for each in window.findChildren(QWidget)
        if each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.isVisible() and each.isEnabled()
    }
    assert set(seen) == wanted


def test_the_window_fits_a_small_screen(qtbot: QtBot) -> None:
    window = samples.window(QWidget())
    qtbot.addWidget(window)
    window.resize(800, 460)
    window.show()
    settle()
    assert (window.width(), window.height()) == (800, 460)
