"""What can be done with the open session: rename, close, archive, merge, take apart, walk its memories."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from shiboken6 import isValid

from hivemind.domain.erasure import ErasureTarget, TargetKind
from hivemind.domain.sessions import OpenSession, Session, SessionFilter, SessionStatus
from hivemind_desktop.widgets.erasing import open_erase
from hivemind_desktop.widgets.floating import open_over

from .merge import MergeSheet

if TYPE_CHECKING:
    from .controller import SessionsController

_MOVES = {
    SessionStatus.ACTIVE: {"session.close", "session.archive"},
    SessionStatus.CLOSED: {"session.reopen", "session.archive"},
    SessionStatus.ARCHIVED: {"session.reopen"},
}


class SessionActions(QObject):
    """Each change says so in a toast with Undo."""

    def __init__(self, page: SessionsController) -> None:
        super().__init__(page)
        self._page, self._desk, self._panel = page, page.desk, page.panel

    @staticmethod
    def offers(opened: OpenSession | None) -> frozenset[str]:
        if opened is None:
            return frozenset()
        offered = _MOVES[opened.session.status] | {"session.rename", "session.merge", "session.erase"}
        if opened.parts:
            offered |= {"session.split"}
        if any(each.frame_ids for each in opened.messages):
            offered |= {"session.next", "session.previous"}
        return frozenset(offered)

    def perform(self, action_id: str) -> None:
        session = self._page.session
        if session is None:
            return
        if action_id == "session.rename":
            self._panel.begin_rename(session.title)
        elif action_id == "session.erase":
            target = ErasureTarget(TargetKind.SESSION, (session.id,))
            open_erase(self._desk, self._page.tasks, self._panel, target)
        elif action_id == "session.merge":
            self.open_merge(session)
        elif action_id in ("session.next", "session.previous"):
            self._panel.conversation.step(1 if action_id == "session.next" else -1)
        elif action_id == "session.split":
            self._write(lambda: self._take_apart(session.id))
        else:
            self._write(lambda: self._move(action_id, session.id))

    def rename(self, title: str) -> None:
        session = self._page.session
        if session is not None:
            self._write(lambda: self._rename(session.id, title))

    def _write(self, work: Callable[[], Awaitable[None]]) -> None:
        async def run() -> None:
            await work()

        self._page.tasks.start("write", run())

    async def _rename(self, session_id: str, title: str) -> None:
        workspace = self._desk.workspace
        renamed = await self._desk.client.call(lambda engine: engine.sessions.rename(workspace, session_id, title))
        self._changed(renamed, self.tr("Session renamed"))

    async def _move(self, action_id: str, session_id: str) -> None:
        workspace, client = self._desk.workspace, self._desk.client
        if action_id == "session.close":
            moved = await client.call(lambda engine: engine.sessions.close(workspace, session_id))
            words = self.tr("Session closed")
        elif action_id == "session.archive":
            moved = await client.call(lambda engine: engine.sessions.archive(workspace, session_id))
            words = self.tr("Session archived")
        else:
            moved = await client.call(lambda engine: engine.sessions.reopen(workspace, session_id))
            words = self.tr("Session reopened")
        self._changed(moved, words)

    def _changed(self, session: Session, words: str) -> None:
        opened = self._page.opened
        if opened is not None and opened.session.id == session.id:
            self._page.show_opened(replace(opened, session=session))
        self._tell(words)

    def _tell(self, words: str) -> None:
        self._desk.notices.toast(words, self.tr("Undo"), lambda: self._desk.requested.emit("undo"))

    # merging

    def open_merge(self, session: Session) -> MergeSheet:
        """Ask which session is to be read as part of this one."""
        sheet = MergeSheet(session, self._panel.window())
        sheet.asked.connect(lambda words: self._list(sheet, words))
        sheet.list.model.page_wanted.connect(
            lambda ids: self._page.tasks.start(f"merge rows {ids[0]}", self._read_rows(sheet, ids))
        )
        sheet.merged.connect(lambda part: self._write(lambda: self._merge(part, session.id)))
        sheet.finished.connect(lambda _result: self._page.tasks.cancel("merge list"))
        open_over(sheet)
        self._list(sheet, "")
        return sheet

    def _list(self, sheet: MergeSheet, words: str) -> None:
        self._page.tasks.start("merge list", self._read_list(sheet, words))

    async def _read_list(self, sheet: MergeSheet, words: str) -> None:
        workspace, wanted = self._desk.workspace, SessionFilter(title=words.strip())
        timeline = await self._desk.client.call(lambda engine: engine.sessions.timeline(workspace, wanted))
        if not isValid(sheet):
            return
        sheet.list.show_timeline(timeline)
        if timeline.ids:
            sheet.stack.show_data()
        else:
            sheet.show_nothing()

    async def _read_rows(self, sheet: MergeSheet, ids: tuple[int, ...]) -> None:
        workspace = self._desk.workspace
        rows = await self._desk.client.call(lambda engine: engine.sessions.rows(workspace, ids))
        if isValid(sheet):  # it may have been closed meanwhile
            sheet.list.model.put(rows)

    async def _merge(self, part: str, into: str) -> None:
        workspace = self._desk.workspace
        await self._desk.client.call(lambda engine: engine.sessions.merge(workspace, part, into))
        self._page.open_session(into)
        self._tell(self.tr("Sessions merged"))

    async def _take_apart(self, session_id: str) -> None:
        workspace = self._desk.workspace
        await self._desk.client.call(lambda engine: engine.sessions.take_apart(workspace, session_id))
        self._page.open_session(session_id)
        self._tell(self.tr("Merged sessions taken apart"))
