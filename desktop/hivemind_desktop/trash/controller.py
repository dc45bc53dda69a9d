"""What the trash does: restores with undo in the toast, deletes for good only after asking with the count."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from hivemind.events import Area
from hivemind_desktop.widgets.figures import memories
from hivemind_desktop.widgets.page import Desk, PageController
from hivemind_desktop.widgets.words import fill

from .panel import TrashPanel


class TrashController(PageController):
    """Acts on the rows that are chosen."""

    def __init__(self, desk: Desk) -> None:
        self.panel = TrashPanel()
        words = QCoreApplication.translate("TrashController", "Reading the trash")
        super().__init__(self.panel, desk, frozenset({Area.FRAMES}), words)
        self._count = 0
        self.panel.restore_asked.connect(lambda: self.perform("trash.restore"))
        self.panel.delete_asked.connect(lambda: self.perform("trash.delete"))
        self.panel.empty_asked.connect(lambda: self.perform("trash.empty"))
        self.panel.chosen_changed.connect(self._offer)

    async def load(self) -> None:
        workspace = self.desk.workspace
        found = await self.desk.client.call(lambda engine: engine.trash.list_memories(workspace))
        self._count = await self.desk.client.call(lambda engine: engine.trash.count(workspace))
        self.panel.show_memories(found, self._count)
        if found:
            self.panel.stack.show_data()
        else:
            self.panel.stack.show_empty(
                "trash-2", self.tr("The trash is empty"), self.tr("Memories that you move here stay for 30 days.")
            )
        self._offer()

    def offers(self) -> frozenset[str]:
        if not self._count:
            return frozenset()
        chosen = {"trash.restore", "trash.delete"} if self.panel.chosen() else set()
        return frozenset({"trash.empty", *chosen})

    def perform(self, action_id: str) -> None:
        ids = self.panel.chosen()
        work = {"trash.restore": self._restore, "trash.delete": self._delete}.get(action_id)
        if work is not None and ids:
            self.tasks.start("act", work(ids))
        elif action_id == "trash.empty" and self._count:
            self.tasks.start("act", self._empty())

    async def _restore(self, ids: list[int]) -> None:
        workspace = self.desk.workspace
        back = await self.desk.client.call(lambda engine: engine.memory.restore(workspace, ids))
        self.desk.notices.toast(
            fill(self.tr("Restored: %1"), memories(len(back))), self.tr("Undo"),
            lambda: self.desk.requested.emit("undo"), icon="history",
        )  # fmt: skip
        self.refresh()

    async def _delete(self, ids: list[int]) -> None:
        if not await self._agreed(len(ids)):
            return
        workspace = self.desk.workspace
        gone = await self.desk.client.call(lambda engine: engine.trash.delete(workspace, ids))
        self._say_gone(gone)

    async def _empty(self) -> None:
        workspace = self.desk.workspace
        count = await self.desk.client.call(lambda engine: engine.trash.count(workspace))
        if not await self._agreed(count):
            return
        gone = await self.desk.client.call(lambda engine: engine.trash.empty(workspace))
        self._say_gone(gone)

    async def _agreed(self, count: int) -> bool:
        title = fill(self.tr("Delete %1 for good?"), memories(count))
        text = self.tr(
            "This cannot be undone. Their edits and vectors go too. The conversation a memory was imported from keeps "
            "its words, and backups made before still hold them."
        )
        return await self.desk.notices.confirm(title, text, self.tr("Delete for good"), danger=True)

    def _say_gone(self, gone: int) -> None:
        self.desk.notices.toast(fill(self.tr("Deleted for good: %1"), memories(gone)), icon="eraser")
        self.refresh()

    def _offer(self) -> None:
        self.panel.set_usable(self._count > 0)
        self.offers_changed.emit()
