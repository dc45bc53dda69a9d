"""Dialogs for notices: an error with its way on, a question with a safe default."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QDialog, QFrame, QWidget

from hivemind_desktop.notices import ErrorNotice, Option, Question, cancel_words
from hivemind_desktop.theme import px

from .buttons import Button, Look
from .labels import Prose, label
from .layouts import box, column, row, scrolling
from .marks import Icon
from .words import one_line

WIDTH = 480
#: Longest middle part before it scrolls, px at 100 %; the buttons always stay in sight.
TALLEST = 320
#: Sides of the dialog, its sign, the gap beside it, the padding of the well with the details, px.
_SIDE, _SIGN, _GAP, _WELL = 20, 20, 12, 20


class NoticeDialog(QDialog):
    """Title, words that scroll when there are many, buttons right. Esc closes and nothing happens."""

    def __init__(self, title: str, icon_name: str, ink: str, middle: QBoxLayout, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setFixedWidth(max(240, min(px(WIDTH), parent.window().width() - 32)))
        heading = label(one_line(title, 300), "heading", wrap=True)
        self._middle = middle
        body = QWidget()
        body.setLayout(middle)
        self._area = scrolling(body)
        self._buttons = row(None, gap=8, margins=(_SIDE, 12, _SIDE, 16))
        self._focus: QWidget | None = None
        words = column(heading, self._area, gap=6)
        head = row(column(2, Icon(icon_name, ink, _SIGN), None, gap=0), words, gap=_GAP, margins=(_SIDE, 18, _SIDE, 0))
        self._outer = column(head, self._buttons, gap=0)
        self.setLayout(self._outer)

    def add_button(self, button: Button, *, focus: bool = False) -> None:
        """Buttons are added from left to right; the one with `focus` has it when the dialog opens."""
        self._buttons.addWidget(button)
        if focus:
            self._focus = button

    def add_side_button(self, button: Button) -> None:
        """A quiet one at the left end."""
        self._buttons.insertWidget(0, button)

    def showEvent(self, event: QShowEvent) -> None:
        self.fit()
        super().showEvent(event)
        if self._focus is not None:
            self._focus.setFocus(Qt.FocusReason.TabFocusReason)

    def fit(self) -> None:
        """As tall as the words need at this width: Qt's own guess for wrapped text is too tall."""
        width = self.width() - 2 * _SIDE - _SIGN - _GAP
        for each in self.findChildren(Prose):
            each.fit_width(width - (_WELL if each.property("mono") else 0))
        # Qt keeps sizes of nested layouts until the next event; they are needed now.
        for layout in (each.layout() for each in self.findChildren(QFrame)):
            if layout is not None:
                layout.activate()
        self._middle.activate()
        self._area.setFixedHeight(min(self._middle.sizeHint().height(), px(TALLEST)))
        self._outer.activate()
        self.setFixedHeight(self._outer.totalHeightForWidth(self.width()))


class ErrorDialog(NoticeDialog):
    """What happened, what is safe, what to do; details folded and to copy."""

    def __init__(self, error: ErrorNotice, parent: QWidget) -> None:
        self._error = error
        hint = Prose(error.hint, "soft")
        self._details = Prose(error.details, mono=True)
        self._well = box(column(self._details, margins=(10, 8, 10, 8)), "well")
        self._well.hide()
        middle = column(hint, self._well, gap=10)
        super().__init__(error.title, "octagon-alert", "danger", middle, parent)
        if error.details:
            self.fold = Button(self.tr("Show details"), "quiet", on_click=self._toggle)
            self.add_side_button(self.fold)
        self.copy = Button(self.tr("Copy details"), "", "copy", on_click=self._copy_text)
        self.add_button(self.copy)
        self.add_button(Button(self.tr("Close"), "primary", on_click=self.reject), focus=True)

    def _toggle(self) -> None:
        shown = self._well.isHidden()
        self._well.setVisible(shown)
        self.fold.set_words(self.tr("Hide details") if shown else self.tr("Show details"))
        self.fit()

    def _copy_text(self) -> None:
        parts = (self._error.title, self._error.hint, self._error.details)
        QGuiApplication.clipboard().setText("\n".join(filter(None, parts)))


class QuestionDialog(NoticeDialog):
    """`answer` is the key of the pressed option, '' for every other way to close."""

    def __init__(self, question: Question, parent: QWidget) -> None:
        middle = column(Prose(question.text, "soft"))
        icon, ink = ("triangle-alert", "warn") if question.is_dangerous else ("info", "info")
        super().__init__(question.title, icon, ink, middle, parent)
        self.answer = ""
        cancel = Button(cancel_words(question), on_click=self.reject)
        if question.is_dangerous:
            for option in question.options:
                self.add_button(self._option_button(option))
            self.add_button(cancel, focus=True)  # the safe one: rightmost and focused
            return
        self.add_button(cancel)
        for number, option in enumerate(question.options, 1):
            last = number == len(question.options)
            self.add_button(self._option_button(option, primary=last), focus=last)

    def _option_button(self, option: Option, *, primary: bool = False) -> Button:
        look: Look = "danger" if option.danger else "primary" if primary else ""
        return Button(option.text, look, on_click=lambda: self._answer(option.key))

    def _answer(self, key: str) -> None:
        self.answer = key
        self.accept()
