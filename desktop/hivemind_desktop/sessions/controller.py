"""What Sessions does: lists, opens a conversation at a message, renames, closes, archives."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from hivemind.domain.sessions import Session, SessionStatus
from hivemind.errors import HiveMindError, InternalFault, NotFound
from hivemind.events import Area
from hivemind_desktop.notices import fault_details
from hivemind_desktop.widgets.figures import number
from hivemind_desktop.widgets.page import Desk, PageController, Target

from .panel import SessionsPanel

#: Sessions of one page of the list, and loaded again at most.
PAGE, MOST = 80, 800


class SessionsController(PageController):
    """One conversation at a time; opening another cancels the one still being read."""

    def __init__(self, desk: Desk) -> None:
        self.panel = SessionsPanel()
        areas = frozenset({Area.SESSIONS, Area.FRAMES})
        words = QCoreApplication.translate("SessionsController", "Reading your sessions")
        super().__init__(self.panel, desk, areas, words)
        self._session: Session | None = None
        self._from_frame: int | None = None
        panel = self.panel
        desk.workspace_changed.connect(lambda _workspace: self._leave_mind())
        panel.picked.connect(lambda session: self.open_session(session))
        panel.model.more_wanted.connect(lambda: self.tasks.start("more", self._load_more()))
        panel.conversation.range_asked.connect(
            lambda first, end: self.tasks.start("range", panel.conversation.show_range(first, end))
        )
        panel.conversation.memory_asked.connect(lambda frame: desk.asked.emit(Target("memories", frame_id=frame)))
        panel.menu_asked.connect(lambda place: desk.menu_asked.emit("session", place))
        panel.back_asked.connect(lambda: desk.asked.emit(Target("memories", frame_id=self._from_frame)))
        panel.title_line.kept.connect(lambda title: self.tasks.start("write", self._rename(title)))
        panel.title_line.left.connect(panel.end_rename)

    def offers(self) -> frozenset[str]:
        if self._session is None:
            return frozenset()
        moves = {
            SessionStatus.ACTIVE: {"session.close", "session.archive"},
            SessionStatus.CLOSED: {"session.reopen", "session.archive"},
            SessionStatus.ARCHIVED: {"session.reopen"},
        }
        return frozenset(moves[self._session.status] | {"session.rename"})

    def perform(self, action_id: str) -> None:
        if self._session is None:
            return
        if action_id == "session.rename":
            self.panel.begin_rename(self._session.title)
        else:
            self.tasks.start("write", self._move(action_id, self._session.id))

    def arrive(self, target: Target) -> None:
        if target.session_id is not None:
            self._from_frame = target.frame_id
            self.open_session(target.session_id, target.message_id, from_memory=target.frame_id is not None)

    def open_session(self, session_id: str, message_id: int | None = None, *, from_memory: bool = False) -> None:
        self.panel.choose(session_id)
        self.panel.open_stack.show_loading(self.tr("Reading the conversation"))
        self.tasks.start("open", self._open(session_id, message_id, from_memory), self._cannot_open)

    async def load(self) -> None:
        workspace = self.desk.workspace
        limit = max(PAGE, min(MOST, self.panel.model.count()))
        rows = await self.desk.client.call(lambda engine: engine.sessions.list_rows(workspace, limit))
        if not rows:
            self._session = None
            self.panel.show_session(None, False)
            self.panel.stack.show_empty(
                "messages-square",
                self.tr("No sessions yet"),
                self.tr("Sessions come with imports, one for each conversation."),
                self.tr("Choose a file…"),
                lambda: self.desk.requested.emit("files.choose"),
            )
            self.offers_changed.emit()
            return
        facts = await self.desk.client.call(lambda engine: engine.workspaces.facts(workspace))
        self.panel.show_counts(number(facts.sessions))
        scrolled = self.panel.list.verticalScrollBar().value()
        self.panel.model.replace(rows, len(rows) == limit)
        self.panel.list.verticalScrollBar().setValue(scrolled)
        self.panel.stack.show_data()
        if self._session is None:
            if not self.tasks.is_running("open"):
                self._invite()
        else:
            self.panel.choose(self._session.id)
        self.offers_changed.emit()

    def _leave_mind(self) -> None:
        """Another mind is in sight: the open session belongs to the former."""
        self._session = None
        self.panel.show_session(None, False)
        self._invite()
        self.offers_changed.emit()

    def _invite(self) -> None:
        words = self.tr("Choose a session to read it.")
        self.panel.open_stack.show_empty("messages-square", self.tr("No session is open"), words)

    async def _load_more(self) -> None:
        workspace, before = self.desk.workspace, self.panel.model.last_id()
        rows = await self.desk.client.call(lambda engine: engine.sessions.list_rows(workspace, PAGE, before))
        self.panel.model.append(rows, len(rows) == PAGE)

    async def _open(self, session_id: str, message_id: int | None, from_memory: bool) -> None:
        workspace = self.desk.workspace
        conversation = await self.desk.client.call(lambda engine: engine.sessions.conversation(workspace, session_id))
        self._session = conversation.session
        self.panel.show_session(conversation.session, from_memory)
        self.offers_changed.emit()
        if not conversation.messages:
            self.panel.open_stack.show_empty(
                "layers",
                self.tr("No messages in this session"),
                self.tr("It holds memories that were saved here. They are in Memories."),
                self.tr("Go to Memories"),
                lambda: self.desk.asked.emit(Target("memories")),
            )
            return
        self.panel.open_stack.show_data()
        await self.panel.conversation.show_messages(conversation, message_id)

    def _cannot_open(self, error: BaseException) -> None:
        self._session = None
        self.panel.show_session(None, False)
        self.offers_changed.emit()
        if isinstance(error, NotFound):
            self.refresh()
        if isinstance(error, HiveMindError):
            self.panel.open_stack.show_error(error.title, error.hint, None, error.details)
        else:
            self.panel.open_stack.show_error(InternalFault.title, InternalFault.hint, None, fault_details(error))

    async def _rename(self, title: str) -> None:
        session = self._session
        if session is None:
            return
        workspace = self.desk.workspace
        self._session = await self.desk.client.call(lambda engine: engine.sessions.rename(workspace, session.id, title))
        self._changed(self.tr("Session renamed"))

    async def _move(self, action_id: str, session_id: str) -> None:
        workspace = self.desk.workspace
        client = self.desk.client
        if action_id == "session.close":
            self._session = await client.call(lambda engine: engine.sessions.close(workspace, session_id))
            words = self.tr("Session closed")
        elif action_id == "session.archive":
            self._session = await client.call(lambda engine: engine.sessions.archive(workspace, session_id))
            words = self.tr("Session archived")
        else:
            self._session = await client.call(lambda engine: engine.sessions.reopen(workspace, session_id))
            words = self.tr("Session reopened")
        self._changed(words)

    def _changed(self, words: str) -> None:
        self.panel.show_session(self._session, self._from_frame is not None)
        self.offers_changed.emit()
        self.desk.notices.toast(words, self.tr("Undo"), lambda: self.desk.requested.emit("undo"))
