"""What Memories does: searches while somebody types, lists, opens, and leads the actions on one memory."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication

from hivemind.domain.frames import FrameDetail
from hivemind.domain.search import Mode, SearchRequest, SearchResult
from hivemind.errors import NotFound
from hivemind.events import Area
from hivemind_desktop.widgets.figures import duration, memories, number
from hivemind_desktop.widgets.page import Desk, PageController, Target
from hivemind_desktop.widgets.words import fill, one_line

from .actions import MemoryActions
from .model import MemoryEntry, entry_of_frame, entry_of_hit
from .panel import MemoriesPanel
from .reasons import reasons_of
from .using import UseCounter

#: Rows of one page of the list.
PAGE = 60
#: Rows loaded again at most when the mind has changed.
MOST = 600


class MemoriesController(PageController):
    """One query, one chosen memory. A newer query or choice cancels the one before, in the engine too."""

    def __init__(self, desk: Desk) -> None:
        self.panel = MemoriesPanel()
        areas = frozenset({Area.FRAMES, Area.SESSIONS})
        words = QCoreApplication.translate("MemoriesController", "Reading your memories")
        super().__init__(self.panel, desk, areas, words)
        self._query, self._in_trash, self._focus_wanted = "", False, False
        self._shown: tuple[str, bool] | None = None
        self._result: SearchResult | None = None
        self._cursor: str | None = None
        self._query_id: str | None = None
        self._detail: FrameDetail | None = None
        self.uses = UseCounter(self)
        self.actions = MemoryActions(self)
        self._connect()

    def _connect(self) -> None:
        panel = self.panel
        self.desk.workspace_changed.connect(lambda _workspace: self._leave_mind())
        panel.search.asked.connect(self.search)
        panel.trash_toggled.connect(self._show_trash)
        panel.new_asked.connect(lambda: self.desk.requested.emit("memory.new"))
        panel.list.picked.connect(self.open_memory)
        panel.list.opened.connect(lambda _id: self.uses.count())
        panel.list.menu_asked.connect(lambda place: self.desk.menu_asked.emit("memory", place))
        panel.model.more_wanted.connect(lambda: self.tasks.start("more", self._load_more()))
        panel.detail.view.requested.connect(self.desk.requested)
        panel.detail.view.menu_asked.connect(lambda place: self.desk.menu_asked.emit("memory", place))

    # what other parts of the page ask

    @property
    def detail(self) -> FrameDetail | None:
        """The memory that is open."""
        return self._detail

    def search(self, query: str) -> None:
        """Show what this query finds; an empty one shows all memories, newest first."""
        self._query = query
        if query.strip() and self._in_trash:
            self._in_trash = False
            self.panel.trash.setChecked(False)
        self.refresh()

    def open_memory(self, frame_id: int) -> None:
        self.uses.forget()
        self.tasks.start("detail", self._open(frame_id), self._cannot_open)

    def offers(self) -> frozenset[str]:
        return self.actions.offers()

    def perform(self, action_id: str) -> None:
        if action_id == "memory.why":
            self.panel.toggle_why()
        elif action_id == "memory.copy" and self._detail is not None:
            QGuiApplication.clipboard().setText(self._detail.text)
            self.desk.notices.toast(self.tr("Text copied"), icon="copy")
        elif action_id == "memory.message" and self._detail is not None:
            frame = self._detail.frame
            target = Target(
                "sessions", session_id=frame.session_id, message_id=self._detail.message_id, frame_id=frame.id
            )
            self.desk.asked.emit(target)
        else:
            self.actions.perform(action_id)

    def arrive(self, target: Target) -> None:
        if target.query is not None:
            self.panel.search.setText(target.query)
            self._focus_wanted = True
            self.search(target.query)
        if target.frame_id is not None:
            self.panel.list.choose(target.frame_id)
            self.open_memory(target.frame_id)

    def close(self) -> None:
        self.uses.forget()
        super().close()

    # loading

    async def load(self) -> None:
        workspace, query = self.desk.workspace, self._query.strip()
        total = await self.desk.client.call(lambda engine: engine.memory.count(workspace))
        self.panel.show_count(number(total))
        wanted = (query, self._in_trash)
        nothing = not total and not self._in_trash and not self.panel.detail.is_editing
        if nothing and await self._is_trash_empty(workspace):
            self._show_empty()
            return
        self.panel.stack.show_data()
        if self._focus_wanted:
            self._focus_wanted = False
            self.panel.focus_search()
        same = wanted == self._shown
        if not same:
            self.panel.found.show_loading(self.tr("Searching") if query else self.tr("Reading"))
        if query:
            await self._load_hits(workspace, query, same)
        else:
            await self._load_list(workspace, total, same)
        self._shown = wanted
        if self._detail is not None:
            await self._reopen(self._detail.frame.id)
        self.offers_changed.emit()

    async def _load_hits(self, workspace: str, query: str, same: bool) -> None:
        limit = max(PAGE, min(MOST, self.panel.model.rowCount())) if same else PAGE
        request = SearchRequest(query, (workspace,), limit=limit, explain=True)
        result = await self.desk.client.call(lambda engine: engine.memory.search(request))
        if not same or self._query_id is None:
            self._query_id = result.query_id  # loading the same query again is no new query
        self._result, self._cursor = result, result.cursor
        entries = [entry_of_hit(hit) for hit in result.hits]
        self.panel.show_result_words(self._found_words(result), self._mode_words(result))
        if not entries:
            title = fill(self.tr("No match for “%1”"), one_line(query, 60))
            self.panel.list.show_entries((), False, keep_place=False)
            self.panel.found.show_empty(
                "search", title, result.degraded or self.tr("Try fewer or other words."),
                self.tr("Show all memories"), self._clear_search,
            )  # fmt: skip
            return
        self.panel.list.show_entries(entries, result.cursor is not None, keep_place=same)
        self.panel.found.show_data()

    async def _load_list(self, workspace: str, total: int, same: bool) -> None:
        self._result = self._cursor = self._query_id = None
        limit = max(PAGE, min(MOST, self.panel.model.rowCount())) if same else PAGE
        if self._in_trash:
            frames = await self.desk.client.call(lambda engine: engine.memory.list_trashed(workspace))
            words = fill(self.tr("%1 in the trash"), memories(len(frames)))
        else:
            frames = await self.desk.client.call(lambda engine: engine.memory.list_frames(workspace, limit))
            words = memories(total)
        self.panel.show_result_words(words, self.tr("newest first"))
        self._no_reasons()
        entries = [entry_of_frame(frame) for frame in frames]
        if not entries:
            self.panel.list.show_entries((), False, keep_place=False)
            self.panel.found.show_empty(
                "trash-2" if self._in_trash else "layers",
                self.tr("The trash is empty") if self._in_trash else self.tr("No memories"),
                self.tr("What you move to the trash is kept here until you restore it."),
            )
            return
        self.panel.list.show_entries(entries, len(frames) == limit and not self._in_trash, keep_place=same)
        self.panel.found.show_data()

    async def _load_more(self) -> None:
        workspace = self.desk.workspace
        entries: list[MemoryEntry]
        if self._result is not None and self._cursor is not None:
            request = SearchRequest(self._query.strip(), (workspace,), limit=PAGE, cursor=self._cursor, explain=True)
            result = await self.desk.client.call(lambda engine: engine.memory.search(request))
            self._cursor = result.cursor
            entries = [entry_of_hit(hit) for hit in result.hits]
            self.panel.model.append(entries, result.cursor is not None)
            return
        before = self.panel.model.last_id()
        frames = await self.desk.client.call(lambda engine: engine.memory.list_frames(workspace, PAGE, before))
        self.panel.model.append([entry_of_frame(frame) for frame in frames], len(frames) == PAGE)

    # one memory

    async def _open(self, frame_id: int) -> None:
        detail = await self._read(frame_id)
        if self.panel.detail.is_editing and not await self.actions.may_leave():
            return
        self._show_detail(detail)
        self.uses.show(detail.frame.id, self._query_id)

    async def _reopen(self, frame_id: int) -> None:
        """The open memory again after a change; it may be gone."""
        try:
            detail = await self._read(frame_id)
        except NotFound:
            self.show_no_memory()
            return
        if not self.panel.detail.is_editing:
            self._show_detail(detail)

    async def _read(self, frame_id: int) -> FrameDetail:
        workspace = self.desk.workspace
        return await self.desk.client.call(lambda engine: engine.memory.detail(workspace, frame_id))

    def _show_detail(self, detail: FrameDetail) -> None:
        if detail != self._detail or self.panel.detail.is_editing:
            self._detail = detail
            self.panel.detail.view.show_detail(detail)
        self.panel.detail.show_view()
        row = self.panel.model.row_of(detail.frame.id)
        hit = self.panel.model.entry(row).hit if row is not None else None
        if hit is not None and self._result is not None:
            self.panel.show_reasons(reasons_of(hit, self._result))
        else:
            self._no_reasons()
        self.offers_changed.emit()

    def show_no_memory(self) -> None:
        self._detail = None
        self.uses.forget()
        self.panel.detail.show_nothing()
        self._no_reasons()
        self.offers_changed.emit()

    def show_written(self, frame_id: int) -> None:
        """After saving: the list anew, with this memory open."""
        self.tasks.start("written", self._show_written(frame_id))

    async def _show_written(self, frame_id: int) -> None:
        detail = await self._read(frame_id)
        self.panel.detail.show_view()
        self._show_detail(detail)
        await self.load()
        self.panel.list.choose(frame_id)

    def _no_reasons(self) -> None:
        searched = self._result is not None
        words = self.tr("This memory is not among the hits of this search.") if searched else ""
        self.panel.show_reasons(None, words)

    def _cannot_open(self, error: BaseException) -> None:
        if isinstance(error, NotFound):
            self.show_no_memory()
            self.refresh()
        self.desk.notices.failure(error)

    def _leave_mind(self) -> None:
        """Another mind is in sight: what was open belongs to the former."""
        self._shown = None
        self.show_no_memory()

    # words and states

    def _found_words(self, result: SearchResult) -> str:
        return fill(self.tr("%1 found"), number(result.total))

    def _mode_words(self, result: SearchResult) -> str:
        modes = {
            Mode.KEYWORD: self.tr("words only"),
            Mode.VECTOR: self.tr("meaning"),
            Mode.HYBRID: self.tr("words and meaning"),
        }
        return fill(self.tr("%1 · %2"), duration(result.seconds), modes[result.mode])

    def _show_empty(self) -> None:
        self._shown = None
        self.show_no_memory()
        self.panel.stack.show_empty(
            "layers",
            self.tr("No memories yet"),
            self.tr("Drop an export on this window, or write your first memory."),
            self.tr("Choose a file…"),
            lambda: self.desk.requested.emit("files.choose"),
        )

    async def _is_trash_empty(self, workspace: str) -> bool:
        return not await self.desk.client.call(lambda engine: engine.memory.list_trashed(workspace, 1))

    def _clear_search(self) -> None:
        self.panel.search.clear()
        self.search("")

    def _show_trash(self, shown: bool) -> None:
        self._in_trash = shown
        if shown:
            self.panel.search.clear()
            self._query = ""
        self.refresh()
