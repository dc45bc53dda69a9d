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
        refuses nothing can be undone, because later ones are taken back first.
        """
        mind = await self._context.mind(workspace)
        refused: dict[int, str] = {}

        def rehearse(tx: MindTransaction) -> None:
            store, barrier = ChangeStore(tx), ""
            for recorded, change in store.list_undoable():
                if barrier:
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

        Raises CannotUndo when one refuses: those before it are taken back by then, it and the rest are not.
        ChangeNotFound when this action is not there or is undone already; then nothing has happened.
        """
        if all(one.id != change_id or one.undone_at is not None for one in await self.list_recent(workspace)):
            raise ChangeNotFound("This action is not there to undo", "It was undone already, or is too long ago.")
        undone: list[RecordedChange] = []
        while not undone or undone[-1].id > change_id:
            undone.append(await self.undo(workspace))
        return undone

    async def undo(self, workspace: str) -> RecordedChange:
        """Raises ChangeNotFound when nothing is left, CannotUndo with the reason when it no longer fits."""
        mind = await self._context.mind(workspace)
        recorded, change = await mind.read(lambda tx: ChangeStore(tx).latest())
        if _is_import(change):
            await self._harvest.undo(workspace, int(str(change.inverse[0][1]["run_id"])))
        else:

            def take_back(tx: MindTransaction) -> None:
                store = ChangeStore(tx)
                newest, steps = store.latest()
                if newest.id != recorded.id:
                    raise CannotUndo("Something else was done in the meantime", "Undo again to take that back.")
                store.take_back(newest, steps)

            await mind.write(take_back)
        self._context.changed(workspace, *Area)
        return recorded


def _is_import(change: Change) -> bool:
    return bool(change.inverse) and change.inverse[0][0] == UNDO_IMPORT
