"""Toasts and dialogs on screen: nothing blocks, the safe button has the focus, Esc changes nothing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle

from hivemind_desktop.notices import ErrorNotice, Notices, Option, Question
from hivemind_desktop.theme import Theme
from hivemind_desktop.widgets import notice_layer
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.dialogs import ErrorDialog, NoticeDialog, QuestionDialog
from hivemind_desktop.widgets.layouts import column, paint_ground
from hivemind_desktop.widgets.notice_layer import NoticeLayer

UNDO = Question(
    "Undo this import?",
    "1,204 memories go. 3 you edited stay and are listed.",
    (Option("keep", "Keep what is in"), Option("remove", "Remove it all", danger=True)),
    "Go on importing",
)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    paint_ground(made, "canvas")
    made.setLayout(column(QLineEdit(), None))
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    settle()
    QTest.mouseMove(made, QPoint(2, 2))  # not over what will appear
    return made


@pytest.fixture
def layer(window: QWidget) -> NoticeLayer:
    return NoticeLayer(window)


@pytest.fixture
def notices(layer: NoticeLayer) -> Notices:
    return Notices(layer)


def open_dialog(window: QWidget) -> NoticeDialog:
    settle()
    found = [each for each in window.findChildren(NoticeDialog) if each.isVisible()]
    assert len(found) == 1
    return found[0]


def button(dialog: QWidget, name: str) -> Button:
    return next(each for each in dialog.findChildren(Button) if each.accessibleName() == name)


def press(qtbot: QtBot, dialog: QWidget, name: str) -> None:
    qtbot.mouseClick(button(dialog, name), Qt.MouseButton.LeftButton)


def test_toast_offers_the_way_back(notices: Notices, layer: NoticeLayer, qtbot: QtBot) -> None:
    undone: list[str] = []
    notices.toast("3 memories moved to trash", "Undo", lambda: undone.append("x"))
    card = layer.toast
    assert card is not None and card.isVisible() and card.accessibleName() == "3 memories moved to trash"
    press(qtbot, card, "Undo")
    assert undone == ["x"]
    assert layer.toast is None


def test_toast_stands_at_the_bottom_centre_also_after_a_resize(
    notices: Notices, layer: NoticeLayer, window: QWidget
) -> None:
    notices.toast("Saved")
    for size in ((900, 600), (500, 400)):
        window.resize(*size)
        settle()
        assert layer.toast is not None
        middle = layer.toast.geometry().center()
        assert abs(middle.x() - size[0] // 2) <= 1
        assert size[1] - 80 < middle.y() < size[1]


def test_a_long_toast_stays_inside(notices: Notices, layer: NoticeLayer, window: QWidget) -> None:
    notices.toast("<b>word</b> " * 80, "Undo", lambda: None)
    settle()
    assert layer.toast is not None
    assert window.rect().contains(layer.toast.geometry().adjusted(0, 0, 0, -8))


def test_a_new_toast_takes_the_place_of_the_old(notices: Notices, layer: NoticeLayer) -> None:
    notices.toast("one")
    first = layer.toast
    notices.toast("two")
    assert layer.toast is not first
    assert first is not None and not first.isVisible()


def test_toast_goes_by_itself_but_not_while_it_has_focus(
    notices: Notices, layer: NoticeLayer, window: QWidget, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice_layer, "TOAST_MS", 60)
    window.activateWindow()
    notices.toast("Saved", "Undo", lambda: None)
    card = layer.toast
    assert card is not None
    card.take_focus()
    qtbot.wait(200)
    assert layer.toast is card and card.isVisible()
    window.findChild(QLineEdit).setFocus()
    qtbot.waitUntil(lambda: layer.toast is None, timeout=2000)


def test_escape_closes_the_toast(notices: Notices, layer: NoticeLayer, window: QWidget, qtbot: QtBot) -> None:
    window.activateWindow()
    notices.toast("Saved")
    assert layer.toast is not None
    layer.toast.take_focus()
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert layer.toast is None


def test_toast_moves_only_when_motion_is_wanted(notices: Notices, layer: NoticeLayer, theme: Theme) -> None:
    notices.toast("still")
    assert layer.toast is not None and not layer.toast.is_moving()
    theme.reduced_motion = False
    notices.toast("sliding")
    assert layer.toast.is_moving()


def test_error_shows_hint_and_folds_details(notices: Notices, window: QWidget, qtbot: QtBot) -> None:
    notices.error("The mind could not be opened", "It was not changed.", "page 812 <b>")
    dialog = open_dialog(window)
    assert isinstance(dialog, ErrorDialog)
    low = dialog.height()
    press(qtbot, dialog, "Show details")
    settle()
    assert dialog.height() > low
    foot = button(dialog, "Close")
    assert dialog.rect().contains(foot.geometry())
    assert dialog._well.mapTo(dialog, dialog._well.rect().bottomLeft()).y() < foot.y()
    press(qtbot, dialog, "Copy details")
    assert QApplication.clipboard().text() == "The mind could not be opened\nIt was not changed.\npage 812 <b>"
    press(qtbot, dialog, "Hide details")
    settle()
    assert dialog.height() == low
    press(qtbot, dialog, "Close")
    assert not dialog.isVisible()


def test_very_long_words_scroll_and_buttons_stay(notices: Notices, window: QWidget, theme: Theme) -> None:
    theme.set_text_percent(150)
    notices.error("Title " * 30, "Hint. " * 900, "")
    dialog = open_dialog(window)
    assert dialog.height() < 750
    assert dialog.rect().contains(button(dialog, "Close").geometry())


def test_errors_come_one_after_the_other(notices: Notices, window: QWidget) -> None:
    notices.error("first", "hint")
    notices.error("second", "hint")
    first = open_dialog(window)
    assert first.windowTitle() == "first"
    first.close()
    assert open_dialog(window).windowTitle() == "second"


def test_danger_has_the_focus_on_the_safe_button(notices: Notices, window: QWidget, qtbot: QtBot) -> None:
    answers: list[str] = []
    notices.ask(UNDO, answers.append)
    dialog = open_dialog(window)
    dialog.activateWindow()
    settle()
    assert isinstance(dialog, QuestionDialog)
    safe = button(dialog, "Go on importing")
    assert dialog.focusWidget() is safe
    assert safe.x() > button(dialog, "Remove it all").x() > button(dialog, "Keep what is in").x()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert answers == [] and dialog.isVisible(), "Enter presses the focused button only, and the dialog is none"
    qtbot.keyClick(safe, Qt.Key.Key_Return)
    assert answers == [""]


def test_every_option_answers_with_its_key(notices: Notices, window: QWidget, qtbot: QtBot) -> None:
    for name, key in (("Keep what is in", "keep"), ("Remove it all", "remove")):
        answers: list[str] = []
        notices.ask(UNDO, answers.append)
        press(qtbot, open_dialog(window), name)
        assert answers == [key]


def test_escape_is_no_answer(notices: Notices, window: QWidget, qtbot: QtBot) -> None:
    answers: list[str] = []
    notices.ask(UNDO, answers.append)
    qtbot.keyClick(open_dialog(window), Qt.Key.Key_Escape)
    assert answers == [""]


def test_harmless_question_has_its_action_rightmost(notices: Notices, window: QWidget) -> None:
    notices.ask(Question("Save as CSV?", "One file.", (Option("yes", "Save"),)), lambda _key: None)
    dialog = open_dialog(window)
    dialog.activateWindow()
    assert dialog.focusWidget() is button(dialog, "Save")
    assert button(dialog, "Save").x() > button(dialog, "Cancel").x()


def test_the_layer_draws_what_it_is_given_directly(layer: NoticeLayer, window: QWidget) -> None:
    closed: list[str] = []
    layer.show_error(ErrorNotice("a", "b"), lambda: closed.append("x"))
    open_dialog(window).close()
    assert closed == ["x"]
