"""The Ask page: the notice that an AI answers, the questions of this conversation, the box for the next one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from hivemind_desktop.theme import px
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.labels import label
from hivemind_desktop.widgets.layouts import box, clear_layout, column, row, scrolling
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.page import PageView
from hivemind_desktop.widgets.shell import Banner, PageHeader
from hivemind_desktop.widgets.states import StateStack

from .composer import Composer
from .turn_view import TurnView

#: Widest column of text, px at 100 %.
COLUMN = 760


class AskPanel(PageView):
    """Header, questions and box share one column."""

    fresh_asked = Signal()
    settings_asked = Signal()
    search_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fresh = Button(self.tr("New conversation"), "", "plus", on_click=self.fresh_asked.emit)
        self.header = PageHeader(self.tr("Ask"), "", self.fresh)
        warning = self.tr("You are talking to an AI. It can be wrong: the numbers open the memories behind a sentence.")
        self.notice = Banner("info", warning)
        short = label(self.tr("An AI answers here, and it can be wrong."), "caption", "faint")
        self.short_notice = box(row(Icon("info", "text_faint", 13), (short, 1), gap=6))
        self.short_notice.hide()
        self.no_model = self._no_model_card()
        self.no_model.hide()
        self.start: QVBoxLayout = column(gap=6)
        self.turns: QVBoxLayout = column(gap=22)
        inner = QWidget()
        inner.setLayout(
            column(self.notice, self.short_notice, self.no_model, self.start, self.turns, None, gap=12,
                   margins=(0, 4, 0, 12))
        )  # fmt: skip
        inner.setMaximumWidth(px(COLUMN))
        holder = QWidget()
        holder.setLayout(row(None, (inner, 1000), None, gap=0, margins=(24, 0, 24, 0)))
        self.area = scrolling(holder)
        self.area.verticalScrollBar().rangeChanged.connect(self._keep_end)
        self._at_end = True
        self.area.verticalScrollBar().valueChanged.connect(self._look_where)
        self.composer = Composer()
        self.composer.setMaximumWidth(px(COLUMN))
        foot = row(None, (self.composer, 1000), None, gap=0, margins=(24, 6, 24, 10))
        data = QWidget()
        data.setLayout(column((self.area, 1), foot, gap=0))
        self.stack = StateStack(data)
        self.setLayout(column(self.header, (self.stack, 1), gap=0))

    def _no_model_card(self) -> QWidget:
        words = self.tr("No model is set up. Add one, or search instead.")
        add = Button(self.tr("Add a model…"), "primary", "cpu", on_click=self.settings_asked.emit)
        search = Button(self.tr("Search instead"), "", "search", on_click=self.search_asked.emit)
        return box(column(label(words, "label", wrap=True), row(search, add, None, gap=8), gap=9,
                          margins=(16, 12, 14, 12)), "card")  # fmt: skip

    def show_suggestions(self, questions: Sequence[str]) -> None:
        """Questions to begin with, as long as nothing was asked."""
        clear_layout(self.start)
        if not questions:
            return
        self.start.addWidget(label(self.tr("For example"), "caption", "faint"))
        for words in questions:
            button = Button(words, "quiet", "message-square")
            button.clicked.connect(lambda _c=False, words=words: self._take(words))
            line = QWidget()
            line.setLayout(row(button, None, gap=0))
            self.start.addWidget(line)

    def add_turn(self, turn: TurnView) -> None:
        self.show_suggestions(())
        self.turns.addWidget(turn)
        self._at_end = True

    def remove_turn(self, turn: TurnView) -> None:
        self.turns.removeWidget(turn)
        turn.hide()
        turn.deleteLater()

    def clear_turns(self) -> None:
        clear_layout(self.turns)

    def fold_notice(self) -> None:
        """After the first answer the notice is one line; it never goes."""
        self.notice.hide()
        self.short_notice.show()

    def focus_search(self) -> bool:
        self.composer.text.setFocus()
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.composer.fit(self.width() - 48)

    def _take(self, words: str) -> None:
        self.composer.text.setPlainText(words)
        self.composer.text.setFocus()

    def _look_where(self, value: int) -> None:
        self._at_end = value >= self.area.verticalScrollBar().maximum() - px(40)

    def _keep_end(self, _least: int, most: int) -> None:
        """Whoever reads the end keeps reading it while it grows; whoever scrolled up stays there."""
        if self._at_end:
            QTimer.singleShot(0, self, lambda: self.area.verticalScrollBar().setValue(most))
