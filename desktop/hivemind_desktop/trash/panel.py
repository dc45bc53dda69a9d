"""The trash as seen: what, when, how many days are left; restore is the first button, deleting for good asks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from hivemind.domain.upkeep import TrashedMemory
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import memories, moment, number
from hivemind_desktop.widgets.labels import label
from hivemind_desktop.widgets.layouts import column, line, row
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.page import PageView
from hivemind_desktop.widgets.shell import PageHeader
from hivemind_desktop.widgets.states import StateStack
from hivemind_desktop.widgets.table import Cell, Column, Row, Table
from hivemind_desktop.widgets.words import fill, one_line

#: From so few days on they are shown as a warning.
SOON = 3


class TrashPanel(PageView):
    """Several rows can be chosen. `chosen_changed` after the choice has changed."""

    restore_asked = Signal()
    delete_asked = Signal()
    empty_asked = Signal()
    chosen_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._ids: list[int] = []
        self.restore = Button(self.tr("Restore"), "primary", "history", on_click=self.restore_asked.emit)
        self.delete = Button(self.tr("Delete for good…"), "danger", "eraser", on_click=self.delete_asked.emit)
        self.empty = Button(self.tr("Empty the trash…"), "quiet", "", on_click=self.empty_asked.emit)
        self.header = PageHeader(self.tr("Trash"), "", self.empty, self.delete, self.restore)
        self.table = Table(
            self.tr("Memories in the trash"),
            (
                Column(self.tr("Memory")),
                Column(self.tr("Session"), 190, faint=True, needs=620),
                Column(self.tr("In the trash since"), 160, faint=True, needs=480),
                Column(self.tr("Goes in"), 130),
            ),
        )
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.activated.connect(lambda _index: self.restore_asked.emit())
        self.table.selectionModel().selectionChanged.connect(lambda _new, _old: self.chosen_changed.emit())
        told = label(
            self.tr(
                "Memories stay here for 30 days, pinned ones until you decide. The conversation a memory was imported "
                "from keeps its words."
            ),
            "caption",
            "faint",
            wrap=True,
        )
        foot = row(Icon("info", "text_faint", 14), (told, 1), gap=7, margins=(24, 8, 24, 10))
        data = QWidget()
        data.setLayout(column(line(), (self.table, 1), line(), foot, gap=0))
        self.stack = StateStack(data)
        self.setLayout(column(self.header, (self.stack, 1), gap=0))
        self.set_usable(False)

    def show_memories(self, found: Sequence[TrashedMemory], count: int) -> None:
        """count: of all, when only some are listed. The choice is kept where it still is there."""
        before = set(self.chosen())
        self._ids = [each.frame_id for each in found]
        self.table.set_rows([self._row(each) for each in found])
        facts = memories(count)
        if count > len(found):
            facts = fill(self.tr("%1, the latest %2 are listed"), facts, number(len(found)))
        self.header.set_facts(facts)
        kept = [place for place, frame_id in enumerate(self._ids) if frame_id in before]
        if kept:
            self.table.clearSelection()
            mode = self.table.selectionModel()
            for place in kept:
                mode.select(self.table.model().index(place, 0), mode.SelectionFlag.Select | mode.SelectionFlag.Rows)
        self.chosen_changed.emit()

    def chosen(self) -> list[int]:
        """Ids of the chosen memories, top to bottom."""
        rows = sorted({index.row() for index in self.table.selectionModel().selectedRows()})
        return [self._ids[place] for place in rows if place < len(self._ids)]

    def set_usable(self, usable: bool) -> None:
        """Whether there is anything to act on."""
        for each in (self.restore, self.delete):
            each.setEnabled(usable and bool(self.chosen()))
        self.empty.setEnabled(usable)

    def _row(self, memory: TrashedMemory) -> Row:
        sign = "layers" if memory.imported else "pencil"
        if memory.pinned:
            left = Cell(self.tr("stays: pinned"), "pin", "neutral")
        elif memory.days_left <= SOON:
            words = self.tr("1 day") if memory.days_left == 1 else fill(self.tr("%1 days"), memory.days_left)
            left = Cell(words if memory.days_left else self.tr("today"), "hourglass", "warn")
        else:
            left = Cell(fill(self.tr("%1 days"), memory.days_left))
        return (
            Cell(one_line(memory.text, 200), sign),
            one_line(memory.session_title, 80),
            moment(memory.trashed_at),
            left,
        )
