"""Log: every call once, with a filter and an order; one of them opened with its texts, previous and next beside it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from hivemind.domain.calls import Interaction
from hivemind_desktop.theme import px
from hivemind_desktop.widgets.figures import moment, number
from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.layouts import box, column, line, row
from hivemind_desktop.widgets.search_box import SearchLine
from hivemind_desktop.widgets.states import StateStack
from hivemind_desktop.widgets.table import Cell, Column, Row, Table
from hivemind_desktop.widgets.words import fill, one_line

from .entry import EntryPanel
from .parts import PickOne, cost, kind_words

#: A tab narrower than this shows the list or the entry, not both.
NARROW = 760
DETAIL_WIDTH = 320


class LogTab(QWidget):
    """`opened` with a call's id when its texts are wanted, `ask_wanted` from the empty state."""

    opened = Signal(str)
    ask_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._all: tuple[Interaction, ...] = ()
        self._shown: list[Interaction] = []
        self._narrow, self._at_entry, self._filling = False, False, False
        self.search = SearchLine(self.tr("Filter by model, provider, kind"))
        self.search.asked.connect(lambda _text: self._apply())
        self.human = PickOne(
            self.tr("Human"),
            {
                "": self.tr("Any decision"), "approved": self.tr("Approved"), "modified": self.tr("Modified"),
                "denied": self.tr("Denied"), "none": self.tr("None needed"),
            },
        )  # fmt: skip
        self.order = PickOne(
            self.tr("Order"),
            {
                "newest": self.tr("Newest first"), "oldest": self.tr("Oldest first"),
                "cost": self.tr("Highest cost first"), "model": self.tr("By model"),
            },
        )  # fmt: skip
        for choice in (self.human, self.order):
            choice.picked.connect(lambda _key: self._apply())
        self.table = Table(
            self.tr("Calls"),
            (
                Column(self.tr("Time"), 168, faint=True),
                Column(self.tr("What"), 110, needs=620),
                Column(self.tr("Model")),
                Column(self.tr("Human"), 128, needs=480),
                Column(self.tr("Cost"), 110, right=True, faint=True, needs=380),
            ),
        )
        self.table.selectionModel().currentRowChanged.connect(lambda now, _before: self._open(now.row()))
        self.table.activated.connect(lambda _index: self._enter())
        self.count = ElidedLabel("", "label", "faint")
        foot = row((self.count, 1), margins=(24, 6, 24, 8))
        self.list = box(column((self.table, 1), line(), box(foot), gap=0))
        self.entry = EntryPanel()
        self.entry.moved.connect(self._move)
        self.entry.back.clicked.connect(lambda _checked=False: self._leave())
        self._divider = line(vertical=True)
        both = QWidget()
        both.setLayout(row((self.list, 1), self._divider, self.entry, gap=0))
        self.stack = StateStack(both)
        top = row((self.search, 1), self.human, self.order, gap=8, margins=(24, 10, 24, 10))
        self.setLayout(column(box(top), line(), (self.stack, 1), gap=0))
        self._arrange()

    def show_calls(self, calls: Sequence[Interaction]) -> None:
        """All of the mind, oldest first; the one in sight stays in sight."""
        self._all = tuple(calls)
        self._apply()

    def shown(self) -> list[Interaction]:
        """The calls of the filter, in the order of the list."""
        return list(self._shown)

    def current(self) -> Interaction | None:
        place = self.table.currentIndex().row()
        return self._shown[place] if 0 <= place < len(self._shown) else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._narrow = event.size().width() < px(NARROW)
        self._arrange()

    def _apply(self) -> None:
        before = self.current()
        self._filling = True  # choosing the rows anew opens none of them: the one in the end does
        words = self.search.text().casefold().split()
        self._shown = [one for one in self._all if self._fits(one, words)]
        if self.order.key == "newest":
            self._shown.reverse()
        elif self.order.key == "cost":
            self._shown.sort(key=lambda one: (one.cost_usd is None, -(one.cost_usd or 0.0)))
        elif self.order.key == "model":
            self._shown.sort(key=lambda one: (one.model.casefold(), one.first_id))
        self.table.set_rows([self._row(one) for one in self._shown])
        self.count.set_full_text(fill(self.tr("%1 of %2 calls"), number(len(self._shown)), number(len(self._all))))
        if before is not None:
            kept = [place for place, one in enumerate(self._shown) if one.call_uuid == before.call_uuid]
            if kept:
                self.table.selectRow(kept[0])
        self._filling = False
        if not self._all:
            self.stack.show_empty(
                "scale", self.tr("No call is recorded in this mind"),
                self.tr("Use Ask, or let an AI app work with this mind: each call is written down."),
                self.tr("Go to Ask"), self.ask_wanted.emit,
            )  # fmt: skip
        elif not self._shown:
            self.stack.show_empty(
                "filter", self.tr("Nothing fits this filter"), self.tr("The log has calls, only none like this."),
                self.tr("Show all"), self._clear,
            )  # fmt: skip
        else:
            self.stack.show_data()
        self._open(self.table.currentIndex().row())

    def _fits(self, one: Interaction, words: Sequence[str]) -> bool:
        action = one.human_action or "none"
        text = f"{one.model} {one.provider} {one.kind} {one.state} {one.timestamp}".casefold()
        return self.human.key in ("", action) and all(word in text for word in words)

    def _row(self, one: Interaction) -> Row:
        looks = {
            "approved": Cell(self.tr("Approved"), "circle-check", "ok"),
            "modified": Cell(self.tr("Modified"), "pencil", "info"),
            "denied": Cell(self.tr("Denied"), "ban", "danger"),
        }
        sign = {"failed": "circle-x", "started": "hourglass"}.get(one.state, "")
        model = one.model if one.model != "-" else self.tr("no model")
        return (
            moment(one.timestamp), kind_words(one.kind), Cell(one_line(model, 80), sign),
            looks.get(one.human_action or "", Cell(self.tr("None needed"), "", "")), cost(one.cost_usd),
        )  # fmt: skip

    def _open(self, place: int) -> None:
        if not self._filling and 0 <= place < len(self._shown):
            one = self._shown[place]
            self.entry.show_call(one, place, len(self._shown))
            self.opened.emit(one.call_uuid)

    def _move(self, step: int) -> None:
        place = self.table.currentIndex().row() + step
        if 0 <= place < len(self._shown):
            self.table.selectRow(place)

    def _clear(self) -> None:
        self.search.clear()
        self.human.show_choice("")
        self._apply()

    def _enter(self) -> None:
        self._at_entry = True
        self._arrange()

    def _leave(self) -> None:
        self._at_entry = False
        self._arrange()
        self.table.setFocus(Qt.FocusReason.TabFocusReason)

    def _arrange(self) -> None:
        self.list.setVisible(not self._narrow or not self._at_entry)
        self.entry.setVisible(not self._narrow or self._at_entry)
        self._divider.setVisible(not self._narrow)
        self.entry.back.setVisible(self._narrow)
        self.entry.setMaximumWidth(16_777_215 if self._narrow else px(DETAIL_WIDTH))
        self.entry.setMinimumWidth(0 if self._narrow else px(DETAIL_WIDTH))
