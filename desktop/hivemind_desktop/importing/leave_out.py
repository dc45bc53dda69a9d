"""The sheet of titles: every conversation that was found, to search in and to tick off what is to stay out."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QFrame, QListView, QWidget

from hivemind.domain.surveys import SurveyItem, SurveyPage
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import conversations, day, messages
from hivemind_desktop.widgets.floating import Sheet
from hivemind_desktop.widgets.labels import label
from hivemind_desktop.widgets.layouts import column, line, row
from hivemind_desktop.widgets.search_box import SearchLine
from hivemind_desktop.widgets.states import StateStack
from hivemind_desktop.widgets.words import fill, one_line

from .title_row import FACTS, TitleDelegate

AnyIndex = QModelIndex | QPersistentModelIndex
#: Titles read together.
PAGE = 100
_NOWHERE = QModelIndex()


class TitlesModel(QAbstractListModel):
    """Titles with a tick for those that come in. `page_wanted` asks once for an offset; `put` answers."""

    page_wanted = Signal(int)
    changed = Signal()

    def __init__(self, left_out: set[str], parent: QObject | None = None) -> None:
        """left_out: item ids, changed in place."""
        super().__init__(parent)
        self.left_out = left_out
        self._total = 0
        self._items: dict[int, SurveyItem] = {}
        self._asked: set[int] = set()

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else self._total

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        plain = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
        item = self._items.get(index.row())
        return plain | Qt.ItemFlag.ItemIsUserCheckable if item is not None and _can_choose(item) else plain

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        item = self._items.get(index.row())
        if item is None:
            self._want(index.row() // PAGE * PAGE)
            return self.tr("being read") if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(item.title, 160) or self.tr("Without a title")
        if role == FACTS:
            return self._facts(item)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{one_line(item.title, 160)}. {self._facts(item)}"
        if role == Qt.ItemDataRole.CheckStateRole and _can_choose(item):
            return Qt.CheckState.Unchecked if item.item_id in self.left_out else Qt.CheckState.Checked
        return None

    def setData(self, index: AnyIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        item = self._items.get(index.row())
        if role != Qt.ItemDataRole.CheckStateRole or item is None or item.item_id is None:
            return False
        if Qt.CheckState(value) == Qt.CheckState.Checked:
            self.left_out.discard(item.item_id)
        else:
            self.left_out.add(item.item_id)
        self.dataChanged.emit(index, index)
        self.changed.emit()
        return True

    def restart(self) -> None:
        """Other words: everything is read again."""
        self.beginResetModel()
        self._total = 0
        self._items.clear()
        self._asked = {0}
        self.endResetModel()
        self.page_wanted.emit(0)

    def put(self, page: SurveyPage) -> None:
        new = page.total != self._total
        if new:
            self.beginResetModel()
        self._total = page.total
        self._items.update((page.offset + n, item) for n, item in enumerate(page.items))
        if new:
            self.endResetModel()
        elif page.items:
            self.dataChanged.emit(self.index(page.offset), self.index(page.offset + len(page.items) - 1))

    def _want(self, offset: int) -> None:
        if offset not in self._asked:
            self._asked.add(offset)
            self.page_wanted.emit(offset)

    def _facts(self, item: SurveyItem) -> str:
        why = "" if item.outcome == "import" else one_line(item.reason, 80)
        known = self.tr("in already") if item.known else ""
        secrets = self.tr("holds a key or password") if item.secrets else ""
        orders = self.tr("gives orders to an AI") if item.instructions else ""
        parts = (day(item.started_at), messages(item.messages), known, secrets, orders, why)
        return " · ".join(filter(None, parts))


def _can_choose(item: SurveyItem) -> bool:
    return item.item_id is not None and item.outcome == "import"


class LeaveOutSheet(Sheet):
    """`asked`: a page of the titles that hold these words. What is unticked stays out."""

    asked = Signal(str, int)

    def __init__(self, left_out: set[str], parent: QWidget) -> None:
        self.model = TitlesModel(left_out)
        self.search = SearchLine(self.tr("Search in titles"), "")
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(TitleDelegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(self.tr("Conversations of this export"))
        self.stack = StateStack(self.list)
        self.stack.show_loading(self.tr("Reading the titles"))
        self._count = label("", "label", "soft")
        content = QWidget()
        words = self.tr("Ticked conversations come in. Space changes the tick. What is left out can be imported later.")
        content.setLayout(
            column(
                row(label(words, "label", "soft", wrap=True), margins=(20, 12, 20, 0)),
                row(self.search, margins=(20, 4, 20, 6)),
                line(),
                (self.stack, 1),
                gap=4,
            )
        )
        done = Button(self.tr("Done"), "primary", on_click=lambda: self.accept())
        super().__init__(
            self.tr("Titles to leave out"),
            content,
            parent,
            foot=row(self._count, None, done, margins=(20, 10, 20, 12)),
            width=560,
        )
        self.model.setParent(self)
        self.model.page_wanted.connect(lambda offset: self.asked.emit(self.search.text().strip(), offset))
        self.model.changed.connect(self._tell)
        self.search.asked.connect(lambda _words: self.model.restart())
        self._tell()

    def show_page(self, page: SurveyPage) -> None:
        self.model.put(page)
        if page.total:
            self.stack.show_data()
        else:
            self.stack.show_empty("search", self.tr("Nothing found"), self.tr("No title holds these words yet."))

    def _tell(self) -> None:
        count = len(self.model.left_out)
        self._count.setText(
            fill(self.tr("%1 left out"), conversations(count)) if count else self.tr("Nothing left out")
        )
