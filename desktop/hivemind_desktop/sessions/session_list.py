"""The list of sessions: bars of the months above it, months as headings, rows that are read when seen."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView

from hivemind.domain.sessions import Timeline
from hivemind_desktop.widgets.bars import Bars
from hivemind_desktop.widgets.layouts import box, column, line, row
from hivemind_desktop.widgets.uniform_list import UniformList

from .model import SessionModel
from .months import density_of, first_of
from .row import ROW_HEIGHT, SessionRowDelegate


class MonthList(UniformList):
    """Keys step over the headings of months."""

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        index = super().moveCursor(action, modifiers)
        step = -1 if index.row() < self.currentIndex().row() and index.row() > 0 else 1
        while index.isValid() and not index.flags() & Qt.ItemFlag.ItemIsEnabled:
            index = self.model().index(index.row() + step, 0)
        return index if index.isValid() else self.currentIndex()


class SessionList(QFrame):
    """`picked`: the id of the session that was chosen; `model.page_wanted`: rows to be read."""

    picked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "surface")
        self.model = SessionModel(self)
        self.bars = Bars(self.tr("Sessions by month"))
        self.bars.picked.connect(self.show_bar)
        self.view = self._make_view()
        self._density = density_of([])
        above = box(row(self.bars, gap=0, margins=(24, 10, 18, 4)))
        self.setLayout(column(above, line(), (self.view, 1), gap=0))
        self._above = above

    def _make_view(self) -> MonthList:
        view = MonthList(ROW_HEIGHT)
        view.setModel(self.model)
        view.setItemDelegate(SessionRowDelegate(view))
        view.setSelectionMode(QListView.SelectionMode.SingleSelection)
        view.setAccessibleName(self.tr("Sessions by month"))
        view.selectionModel().currentChanged.connect(self._on_current)
        view.verticalScrollBar().valueChanged.connect(lambda _value: self._follow())
        return view

    def show_timeline(self, timeline: Timeline) -> None:
        scrolled = self.view.verticalScrollBar().value()
        self.model.show_timeline(timeline)
        self.view.verticalScrollBar().setValue(scrolled)
        self._density = density_of(self.model.months)
        self.bars.show_bars(self._density.bars)
        self._follow()

    def show_bar(self, bar: int) -> None:
        """Jump to the newest session of a bar's months."""
        place = first_of(self.model.months, self._density.months_of(bar))
        if place is not None:
            at = self.model.index(self.model.row_of_place(place) - 1)
            self.view.scrollTo(at, QAbstractItemView.ScrollHint.PositionAtTop)
            self.bars.choose(bar)

    def choose(self, row_id: int | None) -> None:
        """Mark this session, without saying `picked`; it comes into sight."""
        at = self.model.row_of(row_id)
        index = self.model.index(at) if at is not None else QModelIndex()
        if index == self.view.currentIndex():
            return
        with_signals = self.view.selectionModel().blockSignals(True)
        self.view.setCurrentIndex(index)
        self.view.selectionModel().blockSignals(with_signals)
        if at is not None:
            self.view.scrollTo(index)
        self.view.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._above.setVisible(self.height() > 260)  # a low window keeps its rows

    def _follow(self) -> None:
        """The bar of the month at the top of the list stands out."""
        top = self.view.indexAt(self.view.viewport().rect().topLeft())
        month = self.model.month_at(top.row()) if top.isValid() else None
        if month is None and self.model.months:
            month = self.model.months[0]
        self.bars.choose(self._density.bar_of(month.key) if month else -1)

    def _on_current(self) -> None:
        index = self.view.currentIndex()
        session_id = self.model.session_at(index.row()) if index.isValid() else None
        if session_id is not None:
            self.picked.emit(session_id)
