"""What Memories does: one search line, one chosen memory; the parts of the page do the rest."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from hivemind.domain.frames import FrameDetail
from hivemind.domain.search import Profile, SearchRequest
from hivemind.errors import InvalidFilter
from hivemind.events import Area, MindChanged
from hivemind_desktop.widgets.page import Desk, PageController, Target

from .actions import MemoryActions
from .copying import MemoryCopies
from .listing import ListFlow
from .panel import MemoriesPanel
from .reading import MemoryReader
from .saved import SavedSearches
from .searching import SearchFlow
from .using import UseCounter


class MemoriesController(PageController):
    """A newer line or choice cancels the one before, in the engine too."""

    def __init__(self, desk: Desk) -> None:
        self.panel = MemoriesPanel()
        areas = frozenset({Area.FRAMES, Area.SESSIONS})
        words = QCoreApplication.translate("MemoriesController", "Reading your memories")
        super().__init__(self.panel, desk, areas, words)
        self._line, self._in_trash, self._focus_wanted = "", False, False
        self._shown: tuple[str, bool] | None = None
        self.profile = Profile.BALANCED
        self.uses = UseCounter(self)
        self.flow = SearchFlow(self)
        self.list = ListFlow(self)
        self.reader = MemoryReader(self)
        self.actions = MemoryActions(self)
        self.copies = MemoryCopies(self)
        self.saved = SavedSearches(self)
        self._connect()

    def _connect(self) -> None:
        panel, requested = self.panel, self.desk.requested
        self.desk.workspace_changed.connect(lambda _workspace: self._leave_mind())
        self.desk.signals.mind_changed.connect(self._forget_total)
        panel.search.asked.connect(self.search)
        panel.filters.line_changed.connect(self.put_line)
        panel.filters.profile_chosen.connect(self.rank_by)
        panel.filters.sources_wanted.connect(lambda: self.tasks.start("sources", self._list_sources()))
        panel.trash_toggled.connect(self._show_trash)
        panel.new_asked.connect(lambda: requested.emit("memory.new"))
        panel.settings_asked.connect(lambda: requested.emit("go.settings"))
        panel.why_not_asked.connect(lambda: self.perform("memory.why_not"))
        panel.list.picked.connect(self.open_memory)
        panel.list.opened.connect(lambda _id: self.uses.count())
        panel.list.selected.connect(self._count_selected)
        panel.list.menu_asked.connect(lambda place: self.desk.menu_asked.emit("memory", place))
        panel.bulk.requested.connect(requested)
        panel.bulk.cleared.connect(panel.list.select_one)
        panel.model.more_wanted.connect(lambda: self.tasks.start("more", self.flow.more()))
        panel.detail.view.requested.connect(requested)
        panel.detail.view.menu_asked.connect(lambda place: self.desk.menu_asked.emit("memory", place))

    # what other parts of the page ask

    @property
    def detail(self) -> FrameDetail | None:
        """The memory that is open."""
        return self.reader.detail

    @property
    def line(self) -> str:
        """The search line as typed."""
        return self._line

    @property
    def in_trash(self) -> bool:
        return self._in_trash

    def search(self, line: str) -> None:
        """Show what this line finds; an empty one shows all memories, newest first."""
        self._line = line
        if line.strip() and self._in_trash:
            self._in_trash = False
            self.panel.trash.setChecked(False)
        self.panel.filters.show_line(line)
        self.refresh()

    def put_line(self, line: str) -> None:
        """The same from elsewhere than the keyboard: the line shows it too."""
        self.panel.search.setText(line)
        self.search(line)

    def rank_by(self, profile: Profile) -> None:
        self.profile = profile
        self.panel.filters.show_profile(profile)
        self._shown = None
        self.refresh()

    def clear_search(self) -> None:
        self.put_line("")

    def open_memory(self, frame_id: int) -> None:
        self.reader.open(frame_id)

    def targets(self) -> list[int]:
        """The memories an action works on: those selected, or the one that is open."""
        if self.panel.list.count_selected() > 1:
            return self.panel.list.selected_ids()
        return [self.detail.frame.id] if self.detail is not None else []

    def offers(self) -> frozenset[str]:
        return self.actions.offers() | self.copies.offers() | self.saved.offers()

    def perform(self, action_id: str) -> None:
        if action_id == "memory.why":
            self.panel.toggle_why()
        elif action_id == "memory.why_not":
            self.tasks.start("why", self.reader.explain_absence())
        elif action_id == "memory.select_all":
            self.tasks.start("select", self._select_all())
        elif action_id in self.copies.ACTIONS:
            self.copies.perform(action_id)
        elif action_id in self.saved.ACTIONS:
            self.saved.perform(action_id)
        elif action_id == "memory.message" and self.detail is not None:
            frame = self.detail.frame
            target = Target(
                "sessions", session_id=frame.session_id, message_id=self.detail.message_id, frame_id=frame.id
            )
            self.desk.asked.emit(target)
        else:
            self.actions.perform(action_id)

    def arrive(self, target: Target) -> None:
        if target.query is not None:
            self._focus_wanted = True
            self.put_line(target.query)
        if target.frame_id is not None:
            self.panel.list.choose(target.frame_id)
            self.open_memory(target.frame_id)

    def close(self) -> None:
        self.uses.forget()
        super().close()

    # loading

    async def load(self) -> None:
        line = self._line.strip()
        request = self._request(line)
        if request is None:
            return  # what is in sight stays until the line can be read
        if not await self._has_something():
            self._show_empty()
            return
        self.panel.stack.show_data()
        if self._focus_wanted:
            self._focus_wanted = False
            self.panel.focus_search()
        wanted = (line, self._in_trash)
        same = wanted == self._shown
        if not same:
            self.panel.found.show_loading(self.tr("Searching") if request.query else self.tr("Reading"))
        if request.query and not self._in_trash:
            await self.flow.answer(request, same)
        else:
            self.flow.forget()
            await self.list.show(request.filters, self._in_trash, same)
        self._shown = wanted
        await self.reader.reopen()
        self.reader.follow_list()
        await self.saved.load()
        self.offers_changed.emit()

    def _request(self, line: str) -> SearchRequest | None:
        """What the line asks for; None when a filter in it cannot be read, and then the page says which."""
        from hivemind.engine.search_line import request_of

        request = SearchRequest("", (self.desk.workspace,), profile=self.profile)
        try:
            made = request_of(line, request)
        except InvalidFilter as fault:
            self.panel.show_line_fault(f"{fault.title}. {fault.hint}")
            return None
        self.panel.show_line_fault("")
        return made

    async def _has_something(self) -> bool:
        if self._in_trash or self.panel.detail.is_editing:
            return True
        return bool(await self.list.count()) or not await self.list.is_trash_empty()

    async def _select_all(self) -> None:
        await self.flow.everything()
        self.panel.list.selectAll()

    async def _list_sources(self) -> None:
        workspace = self.desk.workspace
        self.panel.filters.show_sources(await self.desk.client.call(lambda engine: engine.listing.sources(workspace)))

    def show_written(self, frame_id: int) -> None:
        """After saving: the list anew, with this memory open."""
        self.tasks.start("written", self._show_written(frame_id))

    async def _show_written(self, frame_id: int) -> None:
        await self.reader.show_again(frame_id)
        self.list.total = None
        await self.load()
        self.panel.list.choose(frame_id)

    def _show_empty(self) -> None:
        self._shown = None
        self.reader.show_nothing()
        self.panel.stack.show_empty(
            "layers",
            self.tr("No memories yet"),
            self.tr("Drop an export on this window, or write your first memory."),
            self.tr("Choose a file…"),
            lambda: self.desk.requested.emit("files.choose"),
        )

    def _count_selected(self, count: int) -> None:
        self.panel.show_selected(count)
        self.offers_changed.emit()

    def _forget_total(self, change: MindChanged) -> None:
        if change.workspace == self.desk.workspace and Area.FRAMES in change.areas:
            self.list.total = None

    def _leave_mind(self) -> None:
        """Another mind is in sight: what was open belongs to the former."""
        self._shown = self.list.total = None
        self.flow.forget()
        self.flow.request = None
        self.reader.show_nothing()

    def _show_trash(self, shown: bool) -> None:
        self._in_trash = shown
        if shown:
            self.panel.search.clear()
            self._line = ""
            self.panel.filters.show_line("")
        self.refresh()
