"""Memories as seen: search line, list, the chosen memory, and why it was found."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from hivemind_desktop.widgets.buttons import Button, chip
from hivemind_desktop.widgets.floating import Sheet, open_over
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, column, line, row
from hivemind_desktop.widgets.marks import Badge, BadgeTone
from hivemind_desktop.widgets.page import PageView
from hivemind_desktop.widgets.search_box import SearchLine
from hivemind_desktop.widgets.shell import PageHeader
from hivemind_desktop.widgets.states import StateStack
from hivemind_desktop.widgets.why_panel import Reasons, ReasonsView, WhyPanel
from hivemind_desktop.widgets.words import plain_tip

from .bulk import BulkBar
from .detail import MemoryDetail
from .filters import FilterBar
from .list_view import MemoryList
from .model import MemoryModel

#: Below this width of the page the reasons are a sheet behind W.
THREE_PANES = 860


class MemoriesPanel(PageView):
    """`stack` is the state of the page; `found` the state of the list within it."""

    new_asked = Signal()
    trash_toggled = Signal(bool)
    settings_asked = Signal()
    why_not_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.search = SearchLine(self.tr("Search memories"))
        self.search.setAcceptDrops(False)  # a file dropped on it is an import, not a text
        self.trash = chip(self.tr("Trash"), "trash-2", on_click=self._toggle_trash)
        self.filters = FilterBar()
        self._fault = label("", "label", "warn", wrap=True)
        self._fault.setContentsMargins(24, 0, 24, 10)
        self._fault.hide()
        self.model = MemoryModel(self)
        self.list = MemoryList(self.model)
        self.found = StateStack(self.list)
        self.detail = MemoryDetail()
        self.why = WhyPanel()
        self.why.closed.connect(lambda: self._fold_why(True))
        self.why.reasons.asked.connect(self.why_not_asked)
        self.bulk = BulkBar()
        self._mode = Badge("", "", "neutral")
        self._mode.hide()
        self._degraded = label("", "label", "soft", wrap=True)
        steps = Button(self.tr("Search settings"), "link", on_click=self.settings_asked.emit)
        told = column(self._degraded, row(steps, None), gap=0, margins=(24, 0, 14, 4))
        self._degraded_box = box(told)
        self._degraded_box.hide()
        self._why_folded = False
        self._reasons: Reasons | None = None
        self._sentence, self._ask_words = "", ""
        self._no_reasons = self.tr("Search for something, then choose a memory, to see why it was found.")
        self.why.reasons.clear(self._no_reasons)
        self._left_words = ElidedLabel("", "label", "soft")
        self._right_words = ElidedLabel("", "caption", "faint")
        self._header = PageHeader(
            self.tr("Memories"), "", Button(self.tr("New memory"), "", "plus", on_click=self.new_asked.emit)
        )
        top = QWidget()
        top.setLayout(row((self.search, 1), self.trash, gap=8, margins=(24, 0, 24, 0)))
        words = row(self._left_words, (self._right_words, 1), self._mode, gap=8, margins=(24, 7, 14, 5))
        self._facts = box(words)
        parts = (self._facts, self.bulk, self._degraded_box, (self.found, 1))
        left = box(column(*parts, gap=0), "surface")
        self._right = box(row(line(vertical=True), (self.why, 1), gap=0), "canvas")
        body = QWidget()
        body.setLayout(row((left, 10), line(vertical=True), (self.detail, 12), (self._right, 7), gap=0))
        self.stack = StateStack(body)
        self.setLayout(column(self._header, top, self.filters, self._fault, line(), (self.stack, 1), gap=0))
        self.stack.state_changed.connect(self._follow_state)

    def _follow_state(self, state: str) -> None:
        for each in (self.search, self.trash, self.filters):
            each.setEnabled(state == "data")

    def show_count(self, words: str) -> None:
        self._header.set_facts(words)

    def show_result_words(self, left: str, right: str) -> None:
        """left: how many. right: time and mode, in words."""
        self._left_words.set_full_text(left)
        self._right_words.set_full_text(right)

    def show_mode(self, words: str, icon: str, tone: BadgeTone, reason: str) -> None:
        """How the search was answered, as a badge; when less than asked was possible, why, and the next step."""
        self._mode.set_state(words, icon, tone)
        self._mode.setToolTip(plain_tip(reason))
        self._mode.setAccessibleName(f"{words}. {reason}" if reason else words)
        self._mode.setVisible(bool(words))
        first, stop, _ = reason.partition(". ")  # all of it is in the badge's tooltip
        self._degraded.setText(first + stop.strip())
        self._degraded_box.setVisible(bool(reason) and tone == "warn")

    def show_line_fault(self, words: str) -> None:
        """A filter in the search line that cannot be read; '' when all can."""
        self._fault.setText(words)
        self._fault.setVisible(bool(words))

    def show_selected(self, count: int) -> None:
        """Several rows: what can be done with them stands in the place of the figures."""
        self.bulk.show_count(count, self.trash.isChecked())
        self._facts.setVisible(count < 2)

    def show_reasons(self, reasons: Reasons | None, sentence: str = "", ask: str = "") -> None:
        """The reasons of the chosen memory, or why there are none and what may be asked instead."""
        self._reasons, self._sentence, self._ask_words = reasons, sentence or self._no_reasons, ask
        self._fill_reasons(self.why.reasons)

    def _fill_reasons(self, view: ReasonsView) -> None:
        if self._reasons is None:
            view.clear(self._sentence, self._ask_words)
        else:
            view.set_reasons(self._reasons)

    def unfold_why(self) -> None:
        """An answer was asked for: it must be seen."""
        if self.width() < THREE_PANES:
            self.toggle_why()
        else:
            self._fold_why(False)

    def toggle_why(self) -> None:
        """W: fold the pane away or back; where there is no room for it, a sheet."""
        if self.width() >= THREE_PANES:
            self._fold_why(not self._why_folded)
            return
        shown = ReasonsView()
        self._fill_reasons(shown)
        sheet = Sheet(self.tr("Why this was found"), shown, self)
        shown.asked.connect(sheet.reject)
        shown.asked.connect(self.why_not_asked)
        open_over(sheet)

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
