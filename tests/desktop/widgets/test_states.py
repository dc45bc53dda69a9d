"""The four states of a page, and how loading keeps from flickering."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle

from hivemind_desktop.theme import Theme
from hivemind_desktop.widgets import states
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.states import Skeleton, StateStack, StateView


@pytest.fixture
def data() -> QWidget:
    return QLabel("data")


@pytest.fixture
def stack(qtbot: QtBot, data: QWidget) -> StateStack:
    made = StateStack(data)
    qtbot.addWidget(made)
    made.resize(480, 420)
    made.show()
    return made


def words(view: QWidget) -> list[str]:
    return [each.text() for each in view.findChildren(QLabel) if each.text()]


def press(stack: StateStack, qtbot: QtBot, name: str) -> None:
    button = next(each for each in stack.currentWidget().findChildren(Button) if each.words() == name)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_quick_answers_show_no_skeleton(stack: StateStack, data: QWidget, qtbot: QtBot) -> None:
    stack.show_loading("Opening Personal")
    stack.show_data()
    qtbot.wait(states.SKELETON_AFTER_MS + 60)
    assert stack.currentWidget() is data and stack.state == "data"


def test_skeleton_comes_after_a_moment_with_words(stack: StateStack, qtbot: QtBot) -> None:
    stack.show_loading("Opening Personal")
    assert not isinstance(stack.currentWidget(), Skeleton)
    qtbot.waitUntil(lambda: isinstance(stack.currentWidget(), Skeleton), timeout=1000)
    assert words(stack.currentWidget()) == ["Opening Personal"]
    stack.show_loading("Reading 24,377 memories")
    assert words(stack.currentWidget()) == ["Reading 24,377 memories"]


def test_old_data_stays_while_new_data_is_quick(stack: StateStack, data: QWidget, qtbot: QtBot) -> None:
    stack.show_data()
    stack.show_loading("Searching")
    assert stack.currentWidget() is data
    qtbot.waitUntil(lambda: isinstance(stack.currentWidget(), Skeleton), timeout=1000)


def test_a_reason_is_given_when_it_takes_long(qtbot: QtBot, data: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "REASON_AFTER_MS", 250)
    stack = StateStack(data)
    qtbot.addWidget(stack)
    stack.show_loading("Opening Personal", "Another program holds the file. Trying again.")
    qtbot.waitUntil(lambda: len(words(stack.currentWidget())) == 2, timeout=2000)
    assert words(stack.currentWidget())[1] == "Another program holds the file. Trying again."


def test_progress_words_do_not_put_the_reason_off(qtbot: QtBot, data: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "REASON_AFTER_MS", 300)
    stack = StateStack(data)
    qtbot.addWidget(stack)
    for number in range(10):
        stack.show_loading(f"Reading {number}")
        qtbot.wait(50)
    assert len(words(stack.currentWidget())) == 2


def test_error_says_what_and_offers_a_way(stack: StateStack, qtbot: QtBot) -> None:
    tried: list[str] = []
    stack.show_error("The memories could not be read", "Your backup is fine.", lambda: tried.append("x"), "page 812")
    settle()
    assert stack.state == "error"
    assert words(stack.currentWidget()) == ["The memories could not be read", "Your backup is fine."]
    assert stack.told is not None and stack.told.details == "page 812"
    press(stack, qtbot, "Copy details")
    assert QApplication.clipboard().text() == "The memories could not be read\nYour backup is fine.\npage 812"
    press(stack, qtbot, "Try again")
    assert tried == ["x"]


def test_error_without_retry_has_only_copy(stack: StateStack) -> None:
    stack.show_error("Damaged", "Restore a backup.")
    assert [each.words() for each in stack.currentWidget().findChildren(Button)] == ["Copy details"]


def test_empty_has_one_sentence_and_one_action(stack: StateStack, qtbot: QtBot) -> None:
    chosen: list[str] = []
    stack.show_empty("layers", "No memories yet", "Drop an export here.", "Choose a file…", lambda: chosen.append("x"))
    settle()
    assert stack.state == "empty" and stack.told is stack.currentWidget()
    press(stack, qtbot, "Choose a file…")
    assert chosen == ["x"]
    stack.show_empty("search", "Nothing found", "No memory holds this word.")
    assert stack.currentWidget().findChildren(Button) == []


def test_states_follow_each_other_and_leave_nothing_behind(stack: StateStack, qtbot: QtBot) -> None:
    seen: list[str] = []
    stack.state_changed.connect(seen.append)
    stack.show_loading("a")
    stack.show_data()
    stack.show_error("a", "b")
    stack.show_error("c", "d")
    stack.show_empty("layers", "a", "b")
    stack.show_data()
    settle()
    assert seen == ["data", "error", "empty", "data"]
    assert stack.count() == 3 and stack.told is None


def test_a_long_error_in_a_small_pane_is_not_cut(stack: StateStack, theme: Theme) -> None:
    theme.set_text_percent(150)
    stack.show_error("A title " * 12, "A hint that goes on. " * 12, lambda: None)
    stack.resize(420, 200)
    settle()
    view = stack.currentWidget()
    assert isinstance(view, StateView)
    assert stack.height() == 200
    assert view.next_steps[0].height() >= 24
    assert view.accessibleName().startswith("A title")
