"""Recent sessions as rows to press."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from hivemind.domain.sessions import SessionRow
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import day, memories, messages, vendor
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, column, line, row
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.words import fill, one_line


class RecentSessions(QWidget):
    """A card with a row per session. Emits `opened` with the session's id."""

    opened = Signal(str)
    all_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[SessionRow, ...] = ()
        self._place = column(gap=0)
        every = Button(self.tr("All sessions"), "link", on_click=self.all_asked.emit)
        head = row(label(self.tr("Recent sessions"), "heading"), None, every, gap=8)
        self._none = label(self.tr("None yet. Sessions come with imports."), "body", "soft", wrap=True)
        self.setLayout(column(head, self._none, self._place, gap=6))

    def set_rows(self, rows: Sequence[SessionRow]) -> None:
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        while (item := self._place.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        parts: list[QWidget] = []
        for each in self._rows:
            parts += [line(), self._row(each)]
        self._none.setVisible(not parts)
        if parts:
            self._place.addWidget(box(column(*parts[1:], gap=0), "card"))

    def _row(self, each: SessionRow) -> QFrame:
        session = each.session
        title = one_line(session.title) or self.tr("Without a title")
        parts = (vendor(session.source or ""), day(session.started_at), messages(each.messages), memories(each.frames))
        facts = ElidedLabel(" · ".join(filter(None, parts)), "caption", "faint")
        words = box(column(ElidedLabel(title, "label"), facts, gap=0))
        opener = Button(self.tr("Open"), "link", on_click=lambda: self.opened.emit(session.id))
        opener.setAccessibleName(fill(self.tr("Open %1"), title))
        return box(row(Icon("message-square", "text_faint"), (words, 1), opener, gap=12, margins=(14, 7, 10, 7)))
