"""The head of an open session: title and facts, its actions, the place in it, the way back to the memory."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QStackedWidget

from hivemind.domain.sessions import OpenSession, Session
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import clock, day, moment, number, sessions, vendor
from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.layouts import box, column, line, row
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.words import fill, one_line

#: Narrower than this the actions are in the menu only, px.
TOOLS_NEED = 620


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


class SessionHead(QFrame):
    """`wanted`: an action of ACTIONS; `stepped`: to the next (1) or previous (-1) memory."""

    wanted = Signal(str)
    menu_asked = Signal(QPoint)
    back_asked = Signal()
    stepped = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.title = ElidedLabel("", "heading")
        self.title_line = TitleLine()
        self._names = QStackedWidget()
        self._names.addWidget(self.title)
        self._names.addWidget(self.title_line)
        self._names.setFixedHeight(34)
        self._facts = ElidedLabel("", "caption", "faint")
        rename = Button(self.tr("Rename"), "quiet", "pencil", on_click=lambda: self.wanted.emit("session.rename"))
        merge = Button(self.tr("Merge…"), "quiet", on_click=lambda: self.wanted.emit("session.merge"))
        self._tools = (rename, merge)
        more = Button("", "quiet", "ellipsis", tip=self.tr("Actions of this session"))
        more.clicked.connect(lambda: self.menu_asked.emit(more.mapToGlobal(QPoint(0, more.height()))))
        title = box(column(self._names, self._facts, gap=1))
        icon = Icon("message-square", "text_soft", 16, "sunken")
        head = row(icon, (title, 1), rename, merge, more, gap=8, margins=(18, 6, 12, 10))
        self.back = Button(self.tr("Back to the memory"), "link", "undo-2", on_click=self.back_asked.emit)
        self._place = ElidedLabel("", "label", "soft")
        up = Button("", "quiet", "arrow-up", tip=self.tr("Previous memory (K)"), on_click=lambda: self.stepped.emit(-1))
        down = Button("", "quiet", "arrow-down", tip=self.tr("Next memory (J)"), on_click=lambda: self.stepped.emit(1))
        bar = row(self.back, (self._place, 1), up, down, gap=8, margins=(18, 1, 12, 1))
        self._bar = box(column(bar, line(), gap=0), "canvas")
        self.setLayout(column(head, line(), self._bar, gap=0))
        self.hide()

    def show_session(self, opened: OpenSession | None, from_memory: bool) -> None:
        self.setVisible(opened is not None)
        self.back.setVisible(from_memory)
        if opened is None:
            return
        session = opened.session
        self._bar.setVisible(bool(opened.messages))
        self.title.set_full_text(one_line(session.title) or self.tr("Without a title"))
        self._facts.set_full_text(self._facts_of(session, len(opened.parts)))
        self.end_rename()

    def _facts_of(self, session: Session, parts: int) -> str:
        began, ended = moment(session.started_at), moment(session.ended_at)
        if day(session.started_at) == day(session.ended_at):
            ended = clock(session.ended_at)
        span = " – ".join(dict.fromkeys(filter(None, (began, ended))))
        status = {"closed": self.tr("closed"), "archived": self.tr("archived")}.get(str(session.status), "")
        merged = fill(self.tr("%1 read as one"), sessions(parts)) if parts else ""
        source = vendor(session.source or "") or self.tr("Saved here")
        return " · ".join(filter(None, (source, merged, span, status)))

    def show_place(self, opened_at: int | None, seen: tuple[int, int], count: int) -> None:
        """Where in the conversation the person is, in words."""
        if opened_at is not None:
            words = fill(self.tr("Opened at message %1 of %2"), number(opened_at + 1), number(count))
        else:
            words = fill(self.tr("Messages %1 to %2 of %3"), number(seen[0] + 1), number(seen[1] + 1), number(count))
        self._place.set_full_text(words)

    def begin_rename(self, title: str) -> None:
        self.title_line.setText(title)
        self._names.setCurrentWidget(self.title_line)
        self.title_line.setFocus()
        self.title_line.selectAll()

    def end_rename(self) -> None:
        self._names.setCurrentWidget(self.title)

    def show_tools(self, width: int) -> None:
        """Hide what is in the menu too when there is no room."""
        for each in self._tools:
            each.setVisible(width >= TOOLS_NEED)
