"""One memory being read: its text rendered off the Qt thread, earlier versions, what stands beside it, its reasons."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from hivemind.domain.frames import FrameDetail
from hivemind.domain.patch_chain import versions
from hivemind.errors import HiveMindError, NotFound
from hivemind_desktop.widgets.markdown_text import pieces_of, render_markdown

from .reasons import reasons_of, reasons_why_not

if TYPE_CHECKING:
    from .controller import MemoriesController

#: Texts of more pieces than this scroll in a frame of their own.
TALL_UP_TO = 4


class MemoryReader(QObject):
    """`detail` is the memory that is open, None while none is."""

    def __init__(self, page: MemoriesController) -> None:
        super().__init__(page)
        self._page = page
        self.detail: FrameDetail | None = None
        view = page.panel.detail.view
        view.version_asked.connect(lambda at: page.tasks.start("text", self._show_version(at)))
        view.memory_asked.connect(page.open_memory)

    def open(self, frame_id: int) -> None:
        self._page.uses.forget()
        self._page.tasks.start("detail", self._open(frame_id), self._cannot_open)

    async def _open(self, frame_id: int) -> None:
        detail = await self._read(frame_id)
        if self._page.panel.detail.is_editing and not await self._page.actions.may_leave():
            return
        await self.show(detail)
        self._page.uses.show(detail.frame.id, self._page.flow.query_id)

    async def reopen(self) -> None:
        """The open memory again after a change; it may be gone, or be what it was before its last correction."""
        if self.detail is None:
            return
        opened = self.detail.frame.id
        detail = await self._read_or_former(self.detail)
        if detail is None:
            self.show_nothing()
        elif not self._page.panel.detail.is_editing:
            await self.show(detail)
            if detail.frame.id != opened:
                self._page.panel.list.choose(detail.frame.id)

    async def show_again(self, frame_id: int) -> None:
        """After saving: the memory as it is now."""
        await self.show(await self._read(frame_id))

    async def show(self, detail: FrameDetail) -> None:
        panel = self._page.panel
        if detail != self.detail or panel.detail.is_editing:
            pieces = pieces_of(detail.text)
            first = await self._html(pieces[0])
            same = self.detail is not None and self.detail.frame.id == detail.frame.id
            self.detail = detail
            panel.detail.view.show_detail(detail, first, tall=len(pieces) <= TALL_UP_TO)
            if not same:
                panel.detail.view.beside.clear()
            self._page.tasks.start("text", self._rest(pieces[1:]))
            self._page.tasks.start("beside", self._look_beside(detail.frame.id), self._not_beside)
        panel.detail.show_view()
        self.follow_list()
        self._page.offers_changed.emit()

    def show_nothing(self) -> None:
        self.detail = None
        self._page.uses.forget()
        self._page.tasks.cancel("text")
        self._page.panel.detail.show_nothing()
        self.follow_list()
        self._page.offers_changed.emit()

    def follow_list(self) -> None:
        """The reasons of the open memory in the search that is in force."""
        flow, panel = self._page.flow, self._page.panel
        hit = None if self.detail is None else flow.hits.get(self.detail.frame.id)
        if hit is not None and flow.result is not None:
            panel.show_reasons(reasons_of(hit, flow.result))
        elif flow.result is not None and self.detail is not None:
            words = self.tr("This memory is not among the hits of this search so far.")
            panel.show_reasons(None, words, self.tr("Why was this not found?"))
        else:
            panel.show_reasons(None)

    async def explain_absence(self) -> None:
        """Why the open memory is no hit of the last search."""
        if self.detail is None:
            return
        told = await self._page.flow.why_not(self.detail.frame.id)
        if told is not None:
            self._page.panel.show_reasons(reasons_why_not(*told))
            self._page.panel.unfold_why()

    # parts

    async def _read(self, frame_id: int) -> FrameDetail:
        workspace = self._page.desk.workspace
        return await self._page.desk.client.call(lambda engine: engine.memory.detail(workspace, frame_id))

    async def _read_or_former(self, before: FrameDetail) -> FrameDetail | None:
        """This memory; if its newest correction was undone, as it is without it; None when all of it is gone."""
        for frame_id in (before.frame.id, *(frame.id for frame in reversed(before.history))):
            with contextlib.suppress(NotFound):
                return await self._read(frame_id)
        return None

    async def _html(self, piece: str) -> str:
        return await self._page.desk.client.call(lambda _engine: asyncio.to_thread(render_markdown, piece))

    async def _rest(self, pieces: list[str]) -> None:
        for piece in pieces:
            self._page.panel.detail.view.text.add_html(await self._html(piece))

    async def _show_version(self, at: int) -> None:
        if self.detail is None:
            return
        pieces = pieces_of(versions(self.detail.history)[at].text)
        view = self._page.panel.detail.view
        view.text.show_html(await self._html(pieces[0]), tall=len(pieces) <= TALL_UP_TO)
        await self._rest(pieces[1:])

    async def _look_beside(self, frame_id: int) -> None:
        workspace, client = self._page.desk.workspace, self._page.desk.client
        beside = self._page.panel.detail.view.beside
        beside.show_uses(await client.call(lambda engine: engine.reading.accesses(workspace, frame_id)))
        beside.show_similar(await client.call(lambda engine: engine.reading.similar(workspace, frame_id)))

    def _not_beside(self, error: BaseException) -> None:
        """What stands beside is not worth a dialog when the mind is busy or the memory is gone; a bug is."""
        if not isinstance(error, HiveMindError):
            self._page.desk.notices.failure(error)

    def _cannot_open(self, error: BaseException) -> None:
        if isinstance(error, NotFound):
            self.show_nothing()
            self._page.refresh()
        self._page.desk.notices.failure(error)
