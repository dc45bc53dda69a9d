"""Memories to take elsewhere: the text, a citation, or fenced for an AI with about how many tokens it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from hivemind.domain.frames import FrameDetail
from hivemind.domain.quoting import citation, count_tokens_about, for_ai
from hivemind_desktop.widgets.figures import memories, number
from hivemind_desktop.widgets.words import fill

if TYPE_CHECKING:
    from .controller import MemoriesController

#: Memories copied at once at most: more than that no conversation with an AI takes in.
MOST: Final = 200


class MemoryCopies(QObject):
    """Nothing is changed and nothing is sent: it lands on the clipboard."""

    ACTIONS: ClassVar = frozenset({"memory.copy", "memory.cite", "memory.copy_ai"})

    def __init__(self, page: MemoriesController) -> None:
        super().__init__(page)
        self._page = page

    def offers(self) -> frozenset[str]:
        if self._page.panel.detail.is_editing:
            return frozenset()
        if self._page.panel.list.count_selected() > 1:
            return frozenset({"memory.copy_ai", "memory.cite"})
        return self.ACTIONS if self._page.detail is not None else frozenset()

    def perform(self, action_id: str) -> None:
        ids, detail = self._page.targets(), self._page.detail
        if detail is not None and ids == [detail.frame.id]:
            self._take(action_id, [detail])
        elif ids:
            self._page.tasks.start("copy", self._copy(action_id, ids))

    async def _copy(self, action_id: str, ids: list[int]) -> None:
        self._take(action_id, await self._read(ids[:MOST]))
        if len(ids) > MOST:
            self._page.desk.notices.toast(fill(self.tr("Only the first %1 were copied"), number(MOST)), icon="info")

    def _take(self, action_id: str, details: list[FrameDetail]) -> None:
        if action_id == "memory.copy":
            self._put(details[0].text, self.tr("Text copied"))
        elif action_id == "memory.cite":
            self._put("\n\n".join(map(citation, details)), self.tr("Copied as a citation"))
        else:
            text = for_ai(details)
            tokens = number(count_tokens_about(text))
            words = fill(self.tr("%1 copied for an AI, about %2 tokens"), memories(len(details)), tokens)
            self._put(text, words)

    def _put(self, text: str, words: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._page.desk.notices.toast(words, icon="copy")

    async def _read(self, ids: list[int]) -> list[FrameDetail]:
        workspace, client = self._page.desk.workspace, self._page.desk.client
        return [
            await client.call(lambda engine, frame_id=frame_id: engine.memory.detail(workspace, frame_id))  # type: ignore[misc]
            for frame_id in ids
        ]
