"""The actions on memories: edit, pin, mark, take back, trash and restore. Several at once are one change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from hivemind.domain.erasure import ErasureTarget, TargetKind
from hivemind.domain.frames import Importance
from hivemind_desktop.widgets.erasing import open_erase
from hivemind_desktop.widgets.figures import memories
from hivemind_desktop.widgets.words import fill

if TYPE_CHECKING:
    from .controller import MemoriesController

_IMPORTANCE = {
    "memory.normal": Importance.NORMAL,
    "memory.important": Importance.IMPORTANT,
    "memory.critical": Importance.CRITICAL,
    "memory.temporary": Importance.TEMPORARY,
    "memory.deprecated": Importance.DEPRECATED,
}


class MemoryActions(QObject):
    """Works on the selected memories, or on the one that is open."""

    def __init__(self, page: MemoriesController) -> None:
        super().__init__(page)
        self._page = page
        self._edited: int | None = None
        editor = page.panel.detail.editor
        editor.saved.connect(lambda text: page.tasks.start("write", self._save(text)))
        editor.left.connect(lambda: page.tasks.start("leave", self._leave()))

    def offers(self) -> frozenset[str]:
        """What can be done with the selected memories, or with the open one, now."""
        page = self._page
        rows = {"memory.select_all"} if page.panel.model.rowCount() > 1 else set()
        if page.panel.detail.is_editing:
            return frozenset()
        if page.panel.list.count_selected() > 1:
            if page.in_trash:
                return frozenset(rows | {"memory.restore", "memory.erase"})
            return frozenset(rows | set(_IMPORTANCE) | {"memory.pin", "memory.trash", "memory.erase"})
        detail = page.detail
        if detail is None:
            return frozenset(rows)
        always = rows | {"memory.why", "memory.erase"}
        if detail.messages_in_session:
            always.add("memory.message")
        if page.flow.request is not None and detail.frame.id not in page.flow.hits:
            always.add("memory.why_not")
        if detail.frame.trashed_at is not None:
            return frozenset(always | {"memory.restore"})
        marks = {key for key, importance in _IMPORTANCE.items() if importance is not detail.frame.importance}
        return frozenset(always | marks | {"memory.edit", "memory.pin", "memory.retract", "memory.trash"})

    def perform(self, action_id: str) -> None:
        tasks, detail = self._page.tasks, self._page.detail
        if action_id == "memory.new":
            tasks.start("edit", self._begin(None))
            return
        ids = self._page.targets()
        if not ids:
            return
        if action_id == "memory.erase":
            target = ErasureTarget(TargetKind.FRAME, tuple(map(str, ids)))
            open_erase(self._page.desk, tasks, self._page.panel, target)
        elif action_id == "memory.pin":
            unpin = detail is not None and detail.frame.id in ids and detail.frame.pinned
            tasks.start("write", self._pin(ids, not unpin))
        elif action_id == "memory.trash":
            tasks.start("write", self._trash(ids))
        elif action_id == "memory.restore":
            tasks.start("write", self._restore(ids))
        elif action_id in _IMPORTANCE:
            tasks.start("write", self._mark(ids, _IMPORTANCE[action_id]))
        elif detail is not None and action_id == "memory.edit":
            tasks.start("edit", self._begin(detail.frame.id))
        elif detail is not None and action_id == "memory.retract":
            tasks.start("write", self._retract(detail.frame.id, detail.retracted))

    async def may_leave(self) -> bool:
        """Whether what is being written may be given up; asks when something was typed."""
        editor = self._page.panel.detail.editor
        if not self._page.panel.detail.is_editing or not editor.is_changed:
            return True
        return await self._page.desk.notices.confirm(
            self.tr("Leave without saving?"),
            self.tr("What you typed is not saved yet. Leaving lets go of it."),
            self.tr("Leave without saving"),
            danger=True,
        )

    async def _begin(self, frame_id: int | None) -> None:
        if not await self.may_leave():
            return
        panel, detail = self._page.panel, self._page.detail
        self._edited = frame_id
        panel.stack.show_data()  # an empty mind shows the editor too
        if frame_id is not None and detail is not None:
            panel.detail.edit(self.tr("Edit memory"), detail.text)
        else:
            panel.detail.edit(self.tr("New memory"), "")
        self._page.offers_changed.emit()

    async def _leave(self) -> None:
        if not await self.may_leave():
            return
        if self._page.detail is not None:
            self._page.panel.detail.show_view()
        else:
            self._page.panel.detail.show_nothing()
        self._page.offers_changed.emit()
        self._page.refresh()

    async def _save(self, text: str) -> None:
        workspace, edited = self._page.desk.workspace, self._edited
        saved = await self._page.desk.client.call(lambda engine: engine.memory.save(text, workspace, amends=edited))
        if saved.duplicate_of is not None:
            self._toast(self.tr("This was already remembered. It counts as met again."), "info")
        elif edited is not None:
            self._toast(self.tr("Correction saved"))
        else:
            self._toast(self.tr("Memory saved"))
        self._page.show_written(saved.frame.id)

    async def _pin(self, ids: list[int], pinned: bool) -> None:
        workspace = self._page.desk.workspace
        await self._page.desk.client.call(lambda engine: engine.memory.set_pinned(workspace, ids, pinned))
        one, many = (
            (self.tr("Pinned"), self.tr("%1 pinned"))
            if pinned
            else (self.tr("No longer pinned"), self.tr("%1 no longer pinned"))
        )
        self._toast(_counted(ids, one, many), "pin")

    async def _mark(self, ids: list[int], importance: Importance) -> None:
        workspace = self._page.desk.workspace
        await self._page.desk.client.call(lambda engine: engine.memory.set_importance(workspace, ids, importance))
        self._toast(_counted(ids, self.tr("Importance changed"), self.tr("Importance of %1 changed")), "flag")

    async def _retract(self, frame_id: int, retracted: bool) -> None:
        workspace = self._page.desk.workspace
        await self._page.desk.client.call(lambda engine: engine.memory.save("", workspace, retracts=frame_id))
        self._toast(self.tr("Brought back") if retracted else self.tr("Taken back"), "ban")

    async def _trash(self, ids: list[int]) -> None:
        workspace, detail = self._page.desk.workspace, self._page.detail
        await self._page.desk.client.call(lambda engine: engine.memory.trash(workspace, ids))
        if detail is not None and detail.frame.id in ids:
            self._page.reader.show_nothing()
        self._toast(_counted(ids, self.tr("Moved to the trash"), self.tr("%1 moved to the trash")), "trash-2")

    async def _restore(self, ids: list[int]) -> None:
        workspace = self._page.desk.workspace
        await self._page.desk.client.call(lambda engine: engine.memory.restore(workspace, ids))
        self._toast(_counted(ids, self.tr("Restored"), self.tr("%1 restored")), "history")

    def _toast(self, words: str, icon: str = "circle-check") -> None:
        """Say that it is done, with the way back."""
        desk = self._page.desk
        desk.notices.toast(words, self.tr("Undo"), lambda: desk.requested.emit("undo"), icon=icon)


def _counted(ids: list[int], one: str, many: str) -> str:
    return one if len(ids) == 1 else fill(many, memories(len(ids)))
