"""What Sessions does: lists by day, filters, opens a conversation at a message; its actions are in `actions`."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from hivemind.domain.sessions import OpenSession, Session
from hivemind.errors import HiveMindError, InternalFault, NotFound
from hivemind.events import Area
from hivemind_desktop.notices import fault_details
from hivemind_desktop.widgets.figures import number
from hivemind_desktop.widgets.page import Desk, PageController, Target
from hivemind_desktop.widgets.words import fill

from .actions import SessionActions
from .panel import SessionsPanel


class SessionsController(PageController):
    """One conversation at a time; opening another cancels the one still being read."""

    def __init__(self, desk: Desk) -> None:
        self.panel = SessionsPanel()
        areas = frozenset({Area.SESSIONS, Area.FRAMES})
        words = QCoreApplication.translate("SessionsController", "Reading your sessions")
        super().__init__(self.panel, desk, areas, words)
        self.opened: OpenSession | None = None
        self._from_frame: int | None = None
        self._actions = SessionActions(self)
        panel = self.panel
        desk.workspace_changed.connect(lambda _workspace: self._leave_mind())
        panel.filters.changed.connect(lambda: self.tasks.start("load", self.load(), self.show_failure))
        panel.picked.connect(lambda session: self.open_session(session))
        panel.model.page_wanted.connect(lambda ids: self.tasks.start(f"rows {ids[0]}", self._read_rows(ids)))
        panel.conversation.place_asked.connect(self._show_place)
        panel.conversation.memory_asked.connect(lambda frame: desk.asked.emit(Target("memories", frame_id=frame)))
        panel.menu_asked.connect(lambda place: desk.menu_asked.emit("session", place))
        panel.back_asked.connect(lambda: desk.asked.emit(Target("memories", frame_id=self._from_frame)))
        panel.head.wanted.connect(desk.requested)
        panel.title_line.kept.connect(self._actions.rename)
        panel.title_line.left.connect(panel.end_rename)

    @property
    def session(self) -> Session | None:
        return self.opened.session if self.opened is not None else None

    def offers(self) -> frozenset[str]:
        return self._actions.offers(self.opened)

    def perform(self, action_id: str) -> None:
        self._actions.perform(action_id)

    def arrive(self, target: Target) -> None:
        if target.session_id is not None:
            self._from_frame = target.frame_id
            self.open_session(target.session_id, target.message_id)

    def open_session(self, session_id: str, message_id: int | None = None) -> None:
        if message_id is None and self._from_frame is not None and self.panel.isVisible():
            self._from_frame = None  # chosen here: there is no memory to go back to
        self.panel.open_stack.show_loading(self.tr("Reading the conversation"))
        self.tasks.cancel("place")
        self.tasks.start("open", self._open(session_id, message_id), self._cannot_open)

    # the list

    async def load(self) -> None:
        workspace, wanted = self.desk.workspace, self.panel.filters.wanted
        client = self.desk.client
        timeline = await client.call(lambda engine: engine.sessions.timeline(workspace, wanted))
        if not timeline.ids and not self.panel.filters.is_set:
            self._show_none()
            return
        self.panel.filters.show_sources(await client.call(lambda engine: engine.sessions.sources(workspace)))
        self.panel.sessions.show_timeline(timeline)
        self.panel.show_counts(self._counts(len(timeline.ids)))
        if timeline.ids:
            self.panel.list_stack.show_data()
        else:
            words = self.tr("No session matches these filters.")
            clear = self.tr("Clear filters")
            self.panel.list_stack.show_empty("search", self.tr("Nothing found"), words, clear, self.panel.filters.reset)
        self.panel.stack.show_data()
        if self.opened is None:
            if not self.tasks.is_running("open"):
                self._invite()
        else:
            await self._mark(self.opened.session.id)
        self.offers_changed.emit()

    def _counts(self, count: int) -> str:
        return fill(self.tr("%1 found"), number(count)) if self.panel.filters.is_set else number(count)

    def _show_none(self) -> None:
        self.opened = None
        self.panel.show_session(None, False)
        self.panel.show_counts("")
        self.panel.stack.show_empty(
            "messages-square",
            self.tr("No sessions yet"),
            self.tr("Sessions come with imports, one for each conversation."),
            self.tr("Choose a file…"),
            lambda: self.desk.requested.emit("files.choose"),
        )
        self.offers_changed.emit()

    def _leave_mind(self) -> None:
        """Another mind is in sight: the open session belongs to the former."""
        self.opened = None
        self.panel.show_session(None, False)
        self._invite()
        self.offers_changed.emit()

    def _invite(self) -> None:
        words = self.tr("Choose a session to read it.")
        self.panel.open_stack.show_empty("messages-square", self.tr("No session is open"), words)

    async def _read_rows(self, ids: tuple[int, ...]) -> None:
        workspace = self.desk.workspace
        self.panel.model.put(await self.desk.client.call(lambda engine: engine.sessions.rows(workspace, ids)))

    async def _mark(self, session_id: str) -> None:
        workspace = self.desk.workspace
        self.panel.sessions.choose(
            await self.desk.client.call(lambda engine: engine.sessions.row_id(workspace, session_id))
        )

    # the conversation

    async def _open(self, session_id: str, message_id: int | None) -> None:
        workspace, frame = self.desk.workspace, self._from_frame
        opened = await self.desk.client.call(lambda engine: engine.sessions.read(workspace, session_id, frame))
        self.show_opened(opened)
        await self._mark(opened.session.id)
        if not opened.messages:
            self.panel.open_stack.show_empty(
                "layers",
                self.tr("No messages in this session"),
                self.tr("It holds memories that were saved here. They are in Memories."),
                self.tr("Go to Memories"),
                lambda: self.desk.asked.emit(Target("memories")),
            )
            return
        self.panel.open_stack.show_data()
        await self.panel.conversation.show_messages(opened, message_id)

    def _show_place(self, place: int) -> None:
        """Elsewhere in the conversation; what is still being built gives way."""
        if self.opened is not None and self.panel.open_stack.state == "data":
            self.tasks.cancel("open")
            self.tasks.start("place", self.panel.conversation.show_at(place))

    def show_opened(self, opened: OpenSession | None) -> None:
        """Another session is open, or this one is called or read differently now."""
        self.opened = opened
        self.panel.show_session(opened, self._from_frame is not None)
        self.offers_changed.emit()

    def _cannot_open(self, error: BaseException) -> None:
        self.show_opened(None)
        if isinstance(error, NotFound):
            self.refresh()
        if isinstance(error, HiveMindError):
            self.panel.open_stack.show_error(error.title, error.hint, None, error.details)
        else:
            self.panel.open_stack.show_error(InternalFault.title, InternalFault.hint, None, fault_details(error))
