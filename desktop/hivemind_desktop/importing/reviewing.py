"""Decisions about what was held back or masked. Each is one change that can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from hivemind.domain.review import ReviewKind
from hivemind_desktop.widgets.page import Target

from .review import ReviewCard

if TYPE_CHECKING:
    from .controller import ImportController

#: Memories of one page of the list.
PAGE = 30


class Reviewing(QObject):
    """The list is read again after an undo and after imports."""

    def __init__(self, page: ImportController) -> None:
        super().__init__(page)
        self._page, self._desk, self._view = page, page.desk, page.panel.review
        self.is_open = False
        view = self._view
        view.wanted.connect(self.decide)
        view.kind_chosen.connect(self.open)
        view.more_asked.connect(lambda cursor: self._page.tasks.start("review", self._read(view.kind, cursor)))
        view.closed.connect(self.close)
        view.current_changed.connect(page.offers_changed)

    def offers(self) -> frozenset[str]:
        if not self.is_open or self._view.current is None:
            return frozenset()
        if self._view.kind is ReviewKind.QUARANTINED:
            return frozenset({"review.release", "review.keep"})
        return frozenset({"review.keep", "review.unmask"} if self._view.current.entry.original else {"review.keep"})

    def open(self, kind: ReviewKind) -> None:
        self.is_open = True
        self._page.tasks.start("review", self._read(kind, None))

    def close(self) -> None:
        self.is_open = False
        self._view.hide()
        self._page.offers_changed.emit()

    async def reload(self) -> None:
        if self.is_open:
            await self._read(self._view.kind, None)

    async def _read(self, kind: ReviewKind, cursor: int | None) -> None:
        workspace, client = self._desk.workspace, self._desk.client
        counts = await client.call(lambda engine: engine.review.counts(workspace))
        page = await client.call(lambda engine: engine.review.entries(workspace, kind, cursor=cursor, limit=PAGE))
        self._view.show_counts(counts)
        self._view.show_page(kind, page, first=cursor is None)
        self._view.setVisible(self.is_open)
        self._page.panel.stack.show_data()
        self._page.offers_changed.emit()

    def perform(self, action_id: str) -> None:
        if self._view.current is not None:
            self.decide(action_id.removeprefix("review."), self._view.current)

    def decide(self, what: str, card: ReviewCard) -> None:
        if what == "open":
            self._desk.asked.emit(Target("memories", frame_id=card.entry.frame_id))
        elif what == "reveal":
            self._page.tasks.start("reveal", self._reveal(card))
        else:
            self._page.tasks.start("decide review", self._decide(what, card))

    async def _reveal(self, card: ReviewCard) -> None:
        workspace, frame = self._desk.workspace, card.entry.frame_id
        revealed = await self._desk.client.call(lambda engine: engine.review.reveal(workspace, frame))
        if card in self._view.cards():
            card.show_revealed(revealed)

    async def _decide(self, what: str, card: ReviewCard) -> None:
        workspace, frame, kind, client = self._desk.workspace, card.entry.frame_id, card.entry.kind, self._desk.client
        if what == "release":
            await client.call(lambda engine: engine.review.release(workspace, [frame]))
            words = self.tr("Released: AI apps may get it")
        elif what == "unmask":
            await client.call(lambda engine: engine.review.unmask(workspace, frame))
            words = self.tr("Marked as not a secret")
        else:
            await client.call(lambda engine: engine.review.keep(workspace, [frame], kind))
            words = self.tr("Kept as it is")
        if card in self._view.cards():
            self._view.drop(card)
        self._page.offers_changed.emit()
        self._desk.notices.toast(words, self.tr("Undo"), lambda: self._desk.requested.emit("undo"))
