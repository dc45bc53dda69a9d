"""Sessions as seen: filters, the list by month, one conversation, and the way back to the memory."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QWidget

from hivemind.domain.sessions import OpenSession
from hivemind_desktop.widgets.layouts import box, column, line, row
from hivemind_desktop.widgets.page import PageView
from hivemind_desktop.widgets.shell import PageHeader
from hivemind_desktop.widgets.states import StateStack

from .conversation import ConversationView
from .filters import SessionFilters
from .heading import SessionHead
from .session_list import SessionList


class SessionsPanel(PageView):
    """`stack` is the state of the page, `list_stack` that of the list, `open_stack` that of the conversation."""

    picked = Signal(str)
    menu_asked = Signal(QPoint)
    back_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.filters = SessionFilters()
        self.sessions = SessionList()
        self.sessions.picked.connect(self.picked)
        self.list, self.model = self.sessions.view, self.sessions.model
        self.list_stack = StateStack(self.sessions)
        self.conversation = ConversationView()
        self.open_stack = StateStack(self.conversation)
        self.head = SessionHead()
        self.title_line = self.head.title_line
        self.head.menu_asked.connect(self.menu_asked)
        self.head.back_asked.connect(self.back_asked)
        self.head.stepped.connect(self.conversation.step)
        self.conversation.strip_moved.connect(self.show_place)
        left = box(column((self.list_stack, 1), gap=0), "surface")
        self._left = left
        right = box(column(self.head, (self.open_stack, 1), gap=0), "surface")
        right.setMinimumWidth(280)
        self._right = right
        split = QWidget()
        split.setLayout(row(left, line(vertical=True), (right, 1), gap=0))
        body = QWidget()
        body.setLayout(column(self.filters, line(), (split, 1), gap=0))
        self.stack = StateStack(body)
        self._header = PageHeader(self.tr("Sessions"), "")
        self.setLayout(column(self._header, (self.stack, 1), gap=0))
        for key, direction in (("J", 1), ("K", -1)):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda direction=direction: self.conversation.step(direction))

    def show_counts(self, words: str) -> None:
        self._header.set_facts(words)

    def show_session(self, opened: OpenSession | None, from_memory: bool) -> None:
        self.head.show_session(opened, from_memory)

    def show_place(self) -> None:
        view = self.conversation
        self.head.show_place(view.opened_at, view.seen(), view.count)

    def begin_rename(self, title: str) -> None:
        self.head.begin_rename(title)

    def end_rename(self) -> None:
        self.head.end_rename()

    def focus_search(self) -> bool:
        if self.stack.state != "data":
            return False
        self.filters.search.setFocus()
        self.filters.search.selectAll()
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = 300 if self.width() >= 760 else 236
        self._left.setFixedWidth(width)
        self.head.show_tools(self.width() - width)
