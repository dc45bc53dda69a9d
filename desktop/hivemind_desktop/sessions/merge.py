"""The sheet to merge a session: choose the one that is to be read as part of the open one."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from hivemind.domain.sessions import Session
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.floating import Sheet
from hivemind_desktop.widgets.labels import label
from hivemind_desktop.widgets.layouts import column, row
from hivemind_desktop.widgets.search_box import SearchLine
from hivemind_desktop.widgets.states import StateStack
from hivemind_desktop.widgets.words import fill, one_line

from .session_list import SessionList


class MergeSheet(Sheet):
    """`asked`: words of the title changed. `merged`: the id of the session to take in, once."""

    asked = Signal(str)
    merged = Signal(str)

    def __init__(self, session: Session, parent: QWidget) -> None:
        title = one_line(session.title, 80) or self.tr("Without a title")
        self.list = SessionList()
        self.stack = StateStack(self.list)
        self.stack.show_loading(self.tr("Reading your sessions"))
        self.search = SearchLine(self.tr("Search in titles"), "")
        words = fill(self.tr("Choose the session that is to be read as part of “%1”."), title)
        stays = self.tr("Nothing is moved or lost: it can be undone, and taken apart again later.")
        content = QWidget()
        content.setLayout(
            column(
                row(label(words, "body", wrap=True), margins=(20, 12, 20, 0)),
                row(label(stays, "label", "soft", wrap=True), margins=(20, 0, 20, 0)),
                row(self.search, margins=(20, 4, 20, 8)),
                (self.stack, 1),
                gap=4,
            )
        )
        self.merge = Button(self.tr("Merge"), "primary", on_click=lambda: self._on_merge())
        self.merge.setEnabled(False)
        cancel = Button(self.tr("Cancel"), on_click=lambda: self.reject())
        super().__init__(
            self.tr("Merge sessions"), content, parent, foot=row(None, cancel, self.merge, margins=(20, 10, 20, 12))
        )
        self._session, self._chosen = session, ""
        self.list.picked.connect(self._on_picked)
        self.search.asked.connect(self.asked)

    def show_nothing(self) -> None:
        words = self.tr("No other session has these words in its title.")
        self.stack.show_empty("messages-square", self.tr("Nothing found"), words)

    def _on_picked(self, session_id: str) -> None:
        self._chosen = session_id
        self.merge.setEnabled(session_id != self._session.id)

    def _on_merge(self) -> None:
        self.merged.emit(self._chosen)
        self.accept()
