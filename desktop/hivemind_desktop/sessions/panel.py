"""Sessions as seen: the list by month, one conversation, and the way back to the memory."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListView, QStackedWidget, QWidget

from hivemind.domain.sessions import Session
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import moment, vendor
from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.layouts import box, column, line, row
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.page import PageView
from hivemind_desktop.widgets.shell import PageHeader
from hivemind_desktop.widgets.states import StateStack
from hivemind_desktop.widgets.words import one_line

from .conversation import ConversationView
from .model import SessionModel
from .row import SessionRowDelegate


class TitleLine(QLineEdit):
    """The title while it is being changed: Enter keeps it, Esc leaves it as it was."""

    kept = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Title of the session"))
        self.setMaxLength(300)
        self.setAcceptDrops(False)
        self.returnPressed.connect(lambda: self.kept.emit(self.text()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class SessionsPanel(PageView):
    """`stack` is the state of the page, `open_stack` that of the conversation in it."""

    picked = Signal(str)
    menu_asked = Signal(QPoint)
    back_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.model = SessionModel(self)
        self.list = self._make_list()
        self.conversation = ConversationView()
        self.open_stack = StateStack(self.conversation)
        self._title = ElidedLabel("", "heading")
        self.title_line = TitleLine()
        self._names = QStackedWidget()
        self._names.addWidget(self._title)
        self._names.addWidget(self.title_line)
        self._names.setFixedHeight(34)
        self._facts = ElidedLabel("", "caption", "faint")
        more = Button("", "quiet", "ellipsis", tip=self.tr("Actions of this session"))
        more.clicked.connect(lambda: self.menu_asked.emit(more.mapToGlobal(QPoint(0, more.height()))))
        title = box(column(self._names, self._facts, gap=1))
        head = row(Icon("message-square", "text_soft", 16, "sunken"), (title, 1), more, gap=8, margins=(18, 6, 12, 10))
        back = Button(self.tr("Back to the memory"), "link", on_click=self.back_asked.emit)
        self._came_from = box(row(back, None, gap=8, margins=(18, 2, 12, 2)), "canvas")
        self._came_from.hide()
        self._head = box(column(head, line(), self._came_from, gap=0))
        self._head.hide()
        left = box(column((self.list, 1), gap=0), "surface")
        left.setFixedWidth(300)
        self._left = left
        right = box(column(self._head, (self.open_stack, 1), gap=0), "surface")
        right.setMinimumWidth(280)
        body = QWidget()
        body.setLayout(row(left, line(vertical=True), (right, 1), gap=0))
        self.stack = StateStack(body)
        self._header = PageHeader(self.tr("Sessions"), "")
        self.setLayout(column(self._header, line(), (self.stack, 1), gap=0))

    def _make_list(self) -> QListView:
        view = QListView()
        view.setModel(self.model)
        view.setItemDelegate(SessionRowDelegate(view))
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        view.setMouseTracking(True)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setAccessibleName(self.tr("Sessions by month"))
        view.selectionModel().currentChanged.connect(self._on_current)
        return view

    def show_counts(self, words: str) -> None:
        self._header.set_facts(words)

    def choose(self, session_id: str) -> None:
        """Mark this session in the list, without saying `picked`."""
        at = self.model.row_of(session_id)
        with_signals = self.list.selectionModel().blockSignals(True)
        self.list.setCurrentIndex(self.model.index(at) if at is not None else self.list.rootIndex())
        self.list.selectionModel().blockSignals(with_signals)
        self.list.viewport().update()

    def show_session(self, session: Session | None, from_memory: bool) -> None:
        self._head.setVisible(session is not None)
        self._came_from.setVisible(from_memory)
        if session is None:
            return
        self._title.set_full_text(one_line(session.title) or self.tr("Without a title"))
        span = " – ".join(filter(None, (moment(session.started_at), moment(session.ended_at))))
        status = {"closed": self.tr("closed"), "archived": self.tr("archived")}.get(str(session.status), "")
        source = vendor(session.source or "") or self.tr("Saved here")
        self._facts.set_full_text(" · ".join(filter(None, (source, span, status))))
        self.end_rename()

    def begin_rename(self, title: str) -> None:
        self.title_line.setText(title)
        self._names.setCurrentWidget(self.title_line)
        self.title_line.setFocus()
        self.title_line.selectAll()

    def end_rename(self) -> None:
        self._names.setCurrentWidget(self._title)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._left.setFixedWidth(300 if self.width() >= 760 else 236)

    def _on_current(self) -> None:
        index = self.list.currentIndex()
        session_id = self.model.session_at(index.row()) if index.isValid() else None
        if session_id is not None:
            self.picked.emit(session_id)
