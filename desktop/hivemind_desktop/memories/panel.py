"""Memories as seen: search line, list, the chosen memory, and why it was found."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from hivemind_desktop.widgets.buttons import Button, chip
from hivemind_desktop.widgets.floating import Sheet, open_over
from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.layouts import box, column, line, row
from hivemind_desktop.widgets.page import PageView
from hivemind_desktop.widgets.search_box import SearchLine
from hivemind_desktop.widgets.shell import PageHeader
from hivemind_desktop.widgets.states import StateStack
from hivemind_desktop.widgets.why_panel import Reasons, ReasonsView, WhyPanel

from .detail import MemoryDetail
from .list_view import MemoryList
from .model import MemoryModel

#: Below this width of the page the reasons are a sheet behind W.
THREE_PANES = 860


class MemoriesPanel(PageView):
    """`stack` is the state of the page; `found` the state of the list within it."""

    new_asked = Signal()
    trash_toggled = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.search = SearchLine(self.tr("Search memories"))
        self.search.setAcceptDrops(False)  # a file dropped on it is an import, not a text
        self.trash = chip(self.tr("Trash"), "trash-2", on_click=self._toggle_trash)
        self.model = MemoryModel(self)
        self.list = MemoryList(self.model)
        self.found = StateStack(self.list)
        self.detail = MemoryDetail()
        self.why = WhyPanel()
        self.why.closed.connect(lambda: self._fold_why(True))
        self._why_folded = False
        self._reasons: Reasons | None = None
        self._no_reasons = self.tr("Search for something, then choose a memory, to see why it was found.")
        self.why.reasons.clear(self._no_reasons)
        self._left_words = ElidedLabel("", "label", "soft")
        self._right_words = ElidedLabel("", "caption", "faint")
        self._header = PageHeader(
            self.tr("Memories"), "", Button(self.tr("New memory"), "", "plus", on_click=self.new_asked.emit)
        )
        top = QWidget()
        top.setLayout(row((self.search, 1), self.trash, gap=8, margins=(24, 0, 24, 12)))
        facts = row(self._left_words, (self._right_words, 1), gap=8, margins=(24, 9, 20, 6))
        left = box(column(facts, (self.found, 1), gap=0), "surface")
        self._right = box(row(line(vertical=True), (self.why, 1), gap=0), "canvas")
        body = QWidget()
        body.setLayout(row((left, 10), line(vertical=True), (self.detail, 12), (self._right, 7), gap=0))
        self.stack = StateStack(body)
        self.setLayout(column(self._header, top, line(), (self.stack, 1), gap=0))
        self.stack.state_changed.connect(lambda state: top.setEnabled(state == "data"))

    def show_count(self, words: str) -> None:
        self._header.set_facts(words)

    def show_result_words(self, left: str, right: str) -> None:
        """left: how many. right: time and mode, in words."""
        self._left_words.set_full_text(left)
        self._right_words.set_full_text(right)

    def show_reasons(self, reasons: Reasons | None, sentence: str = "") -> None:
        """The reasons of the chosen memory, or why there are none."""
        self._reasons = reasons
        if reasons is None:
            self.why.reasons.clear(sentence or self._no_reasons)
        else:
            self.why.reasons.set_reasons(reasons)

    def toggle_why(self) -> None:
        """W: fold the pane away or back; where there is no room for it, a sheet."""
        if self.width() >= THREE_PANES:
            self._fold_why(not self._why_folded)
            return
        shown = ReasonsView()
        if self._reasons is None:
            shown.clear(self._no_reasons)
        else:
            shown.set_reasons(self._reasons)
        open_over(Sheet(self.tr("Why this was found"), shown, self))

    def focus_search(self) -> bool:
        if self.stack.state != "data":
            return False
        self.search.setFocus()
        self.search.selectAll()
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._right.setVisible(self._has_room())

    def _has_room(self) -> bool:
        return self.width() >= THREE_PANES and not self._why_folded

    def _fold_why(self, folded: bool) -> None:
        self._why_folded = folded
        self._right.setVisible(self._has_room())

    def _toggle_trash(self) -> None:
        self.trash_toggled.emit(self.trash.isChecked())
