"""Undo: walk the last actions of a mind back, one by one."""

from __future__ import annotations

from hivemind.changes import ChangeStore
from hivemind.changes.operations import UNDO_IMPORT
from hivemind.domain.work import RecordedChange
from hivemind.engine.context import Context
from hivemind.engine.harvest_service import HarvestService
from hivemind.errors import CannotUndo
from hivemind.events import Area
from hivemind.mind import MindTransaction


class ChangeService:
    """`undo` takes back the newest change that is not undone."""

    def __init__(self, context: Context, harvest: HarvestService) -> None:
        self._context = context
        self._harvest = harvest

    async def list_recent(self, workspace: str) -> list[RecordedChange]:
        """Newest first, undone ones too."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: ChangeStore(tx).list_recent())

    async def undo(self, workspace: str) -> RecordedChange:
        """Raises ChangeNotFound when nothing is left, CannotUndo with the reason when it no longer fits."""
        mind = await self._context.mind(workspace)
        recorded, change = await mind.read(lambda tx: ChangeStore(tx).latest())
        if change.inverse and change.inverse[0][0] == UNDO_IMPORT:
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
