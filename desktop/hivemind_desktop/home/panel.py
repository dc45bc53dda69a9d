"""Home as seen: the first run for an empty mind; later a search line, what waits, what arrived, recent sessions."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import memories, sessions, size
from hivemind_desktop.widgets.labels import label
from hivemind_desktop.widgets.layouts import column, row, scrolling
from hivemind_desktop.widgets.page import PageView, StartStack
from hivemind_desktop.widgets.search_box import SearchLine
from hivemind_desktop.widgets.words import fill

from .first_run import WIDTH, FirstRun, Promise
from .model import AtAGlance
from .recent import RecentSessions
from .waiting import HomeCards


class HomePanel(PageView):
    """The page. `stack` shows `first_run` as its empty state."""

    searched = Signal(str)
    wanted = Signal(str)  # an action, or guide

    def __init__(self, data_dir: str) -> None:
        super().__init__()
        self.first_run = FirstRun(data_dir)
        self.search = SearchLine(self.tr("Search your memories"))
        self.search.setAcceptDrops(False)  # a file dropped on it is an import, not a text
        self.search.returnPressed.connect(lambda: self.searched.emit(self.search.text()))
        self.recent = RecentSessions()
        self.cards = HomeCards()
        self._counts = label("", "body", "soft", wrap=True)
        self.add = Button(self.tr("Import a file…"), "", "plus", on_click=lambda: self.wanted.emit("files.choose"))
        guide = Button(self.tr("How to get an export"), "quiet", on_click=lambda: self.wanted.emit("guide"))
        promise = Promise(data_dir)
        promise.asked.connect(lambda: self.wanted.emit("data.open"))
        content = QWidget()
        content.setMaximumWidth(WIDTH)
        content.setLayout(
            column(
                row(
                    (label(self.tr("Your AI memory, on this computer"), "display", wrap=True), 1),
                    guide,
                    self.add,
                    gap=8,
                ),
                self._counts,
                12,
                self.search,
                12,
                self.cards,
                4,
                self.recent,
                12,
                promise,
                None,
                gap=4,
                margins=(32, 36, 32, 20),
            )
        )
        middle = QWidget()
        middle.setLayout(row(None, (content, 1000), None, gap=0))
        self.start_stack = StartStack(scrolling(middle), self.first_run)
        self.stack = self.start_stack
        self.setLayout(column(self.stack, gap=0))

    def show_glance(self, glance: AtAGlance) -> None:
        facts = self.tr("%1 from %2, %3 on the disk.")
        self._counts.setText(fill(facts, memories(glance.memories), sessions(glance.sessions), size(glance.size)))
        self.cards.show_glance(glance)
        self.recent.set_rows(glance.recent)
        self.stack.show_data()

    def show_drag(self, over: bool) -> None:
        self.first_run.zone.show_drag(over)

    def focus_search(self) -> bool:
        if self.stack.state != "data":
            return False
        self.search.setFocus()
        self.search.selectAll()
        return True
