"""Undo: walk the last actions of a mind back, one by one."""

from __future__ import annotations

import contextlib

from hivemind.changes import ChangeStore
from hivemind.changes.operations import UNDO_IMPORT
from hivemind.domain.upkeep import HistoryLine
from hivemind.domain.work import Change, RecordedChange
from hivemind.engine.context import Context
from hivemind.engine.harvest_service import HarvestService
from hivemind.errors import CannotUndo, ChangeNotFound
from hivemind.events import Area
from hivemind.mind import MindTransaction

#: Why an action is passed over in the history.
LOST = "A memory this touched was deleted for good."


class _Rehearsed(Exception):
    """Ends a rehearsal, so that its transaction is rolled back."""


class ChangeService:
    """`undo` takes back the newest change that is not undone."""

    def __init__(self, context: Context, harvest: HarvestService) -> None:
        self._context = context
        self._harvest = harvest

    async def list_recent(self, workspace: str) -> list[RecordedChange]:
        """Newest first, undone ones too."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: ChangeStore(tx).list_recent())

    async def history(self, workspace: str) -> list[HistoryLine]:
        """Newest first, with the reason where an action cannot be undone now.

        Found by trying: all inverses are run in one transaction, which is then rolled back. Behind an action that
        refuses nothing can be undone, because later ones are taken back first. One whose memory was deleted for good
        is passed over.
        """
        mind = await self._context.mind(workspace)
        refused: dict[int, str] = {}

        def rehearse(tx: MindTransaction) -> None:
            store, barrier = ChangeStore(tx), ""
            for recorded, change in store.list_undoable():
                if store.is_lost(change):
                    refused[recorded.id] = LOST
                elif barrier:
                    refused[recorded.id] = f"“{barrier}”, which came later, stands in the way."
                elif not _is_import(change):
                    try:
                        store.take_back(recorded, change)
                    except CannotUndo as fault:
                        refused[recorded.id], barrier = f"{fault.title}. {fault.hint}", recorded.label
            raise _Rehearsed

        with contextlib.suppress(_Rehearsed):
            await mind.write(rehearse)
        return [
            HistoryLine(one.id, one.label, one.at, one.undone_at, refused.get(one.id, ""))
            for one in await self.list_recent(workspace)
        ]

    async def undo_until(self, workspace: str, change_id: int) -> list[RecordedChange]:
        """Take back the newest actions one by one down to this one, newest first; returns those taken back.

        Those whose memory was deleted for good are passed over.
        Raises CannotUndo when one refuses: those before it are taken back by then, it and the rest are not.
        ChangeNotFound when this action is not there or is undone already; then nothing has happened.
        """
        if all(one.id != change_id or one.undone_at is not None for one in await self.list_recent(workspace)):
            raise ChangeNotFound("This action is not there to undo", "It was undone already, or is too long ago.")
        undone: list[RecordedChange] = []
        while not undone or undone[-1].id > change_id:
            undone.append(await self._undo_one(workspace, pass_over=True))
        return undone

    async def undo(self, workspace: str) -> RecordedChange:
        """Raises ChangeNotFound when nothing is left, CannotUndo with the reason when it no longer fits."""
        return await self._undo_one(workspace, pass_over=False)

    async def _undo_one(self, workspace: str, *, pass_over: bool) -> RecordedChange:
        mind = await self._context.mind(workspace)
        recorded, change = await mind.read(lambda tx: _newest(tx, pass_over=pass_over))
        if _is_import(change):
            await self._harvest.undo(workspace, int(str(change.inverse[0][1]["run_id"])))
        else:

            def take_back(tx: MindTransaction) -> None:
                store = ChangeStore(tx)
                newest, steps = _newest(tx, pass_over=pass_over)
                if newest.id != recorded.id:
                    raise CannotUndo("Something else was done in the meantime", "Undo again to take that back.")
                store.take_back(newest, steps)

            await mind.write(take_back)
        self._context.changed(workspace, *Area)
        return recorded


def _newest(tx: MindTransaction, *, pass_over: bool) -> tuple[RecordedChange, Change]:
    """The newest action to take back. Without passing over, one whose memory is gone is refused by name."""
    store = ChangeStore(tx)
    found = store.list_undoable()
    if not found:
        raise ChangeNotFound()
    there = [pair for pair in found if not store.is_lost(pair[1])]
    if not there or (not pass_over and there[0][0].id != found[0][0].id):
        raise CannotUndo(
            f"“{found[0][0].label}” cannot be undone: its memory was deleted for good",
            "Nothing was changed. Open the history of changes to undo what came before it.",
        )
    return there[0]


def _is_import(change: Change) -> bool:
    return bool(change.inverse) and change.inverse[0][0] == UNDO_IMPORT
