"""The actions on one memory: edit, pin, mark, take back, trash and restore, each with its way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from hivemind.domain.frames import Importance

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
    """Works on the memory that is open in the page."""

    def __init__(self, page: MemoriesController) -> None:
        super().__init__(page)
        self._page = page
        self._edited: int | None = None
        editor = page.panel.detail.editor
        editor.saved.connect(lambda text: page.tasks.start("write", self._save(text)))
        editor.left.connect(lambda: page.tasks.start("leave", self._leave()))

    def offers(self) -> frozenset[str]:
        """What can be done with the open memory now."""
        detail = self._page.detail
        if detail is None or self._page.panel.detail.is_editing:
            return frozenset()
        always = {"memory.why", "memory.copy"}
        if detail.messages_in_session:
            always.add("memory.message")
        if detail.frame.trashed_at is not None:
            return frozenset(always | {"memory.restore"})
        marks = {key for key, importance in _IMPORTANCE.items() if importance is not detail.frame.importance}
        return frozenset(always | marks | {"memory.edit", "memory.pin", "memory.retract", "memory.trash"})

    def perform(self, action_id: str) -> None:
        tasks = self._page.tasks
        if action_id == "memory.new":
            tasks.start("edit", self._begin(None))
            return
        detail = self._page.detail
        if detail is None:
            return
        frame = detail.frame
        if action_id == "memory.edit":
            tasks.start("edit", self._begin(frame.id))
        elif action_id == "memory.pin":
            tasks.start("write", self._pin(frame.id, not frame.pinned))
        elif action_id == "memory.retract":
            tasks.start("write", self._retract(frame.id, detail.retracted))
        elif action_id == "memory.trash":
            tasks.start("write", self._trash(frame.id))
        elif action_id == "memory.restore":
            tasks.start("write", self._restore(frame.id))
        else:
            tasks.start("write", self._mark(frame.id, _IMPORTANCE[action_id]))

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

    async def _pin(self, frame_id: int, pinned: bool) -> None:
        workspace = self._page.desk.workspace
        await self._page.desk.client.call(lambda engine: engine.memory.set_pinned(workspace, (frame_id,), pinned))
        self._toast(self.tr("Pinned") if pinned else self.tr("No longer pinned"), "pin")

    async def _mark(self, frame_id: int, importance: Importance) -> None:
        workspace = self._page.desk.workspace
        await self._page.desk.client.call(
            lambda engine: engine.memory.set_importance(workspace, (frame_id,), importance)
        )
        self._toast(self.tr("Importance changed"), "flag")

    async def _retract(self, frame_id: int, retracted: bool) -> None:
        workspace = self._page.desk.workspace
        await self._page.desk.client.call(lambda engine: engine.memory.save("", workspace, retracts=frame_id))
        self._toast(self.tr("Brought back") if retracted else self.tr("Taken back"), "ban")

    async def _trash(self, frame_id: int) -> None:
        workspace = self._page.desk.workspace
        await self._page.desk.client.call(lambda engine: engine.memory.trash(workspace, (frame_id,)))
        self._page.show_no_memory()
        self._toast(self.tr("Moved to the trash"), "trash-2")

    async def _restore(self, frame_id: int) -> None:
        workspace = self._page.desk.workspace
        await self._page.desk.client.call(lambda engine: engine.memory.restore(workspace, (frame_id,)))
        self._toast(self.tr("Restored"), "history")

    def _toast(self, words: str, icon: str = "circle-check") -> None:
        """Say that it is done, with the way back."""
        desk = self._page.desk
        desk.notices.toast(words, self.tr("Undo"), lambda: desk.requested.emit("undo"), icon=icon)
