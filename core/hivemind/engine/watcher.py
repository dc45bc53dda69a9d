"""Notices what other processes wrote: a look at each open mind's commit number five times a second."""

from __future__ import annotations

import asyncio

from hivemind.engine.context import Context
from hivemind.errors import HiveMindError
from hivemind.events import Area, MindChanged

INTERVAL = 0.2


class Watcher:
    """Publishes MindChanged for a commit that nobody in this process announced within one interval."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._seen: dict[str, int] = {}
        self._announced: set[str] = set()
        self._unsubscribe = context.events.subscribe(self._note)

    def _note(self, event: object) -> None:
        if isinstance(event, MindChanged):
            self._announced.add(event.workspace)

    async def run(self) -> None:
        """Runs until cancelled."""
        try:
            while True:
                await asyncio.sleep(INTERVAL)
                for mind in self._context.minds.list_open():
                    await self._look(mind.workspace)
        finally:
            self._unsubscribe()

    async def _look(self, workspace: str) -> None:
        try:
            mind = await self._context.minds.get(workspace)
            version = await mind.database.data_version()
        except HiveMindError:
            # Closing, or unreadable for a moment: whoever uses the mind is told by its own call.
            return
        before = self._seen.get(workspace)
        self._seen[workspace] = version
        own = workspace in self._announced
        self._announced.discard(workspace)
        if before is not None and version != before and not own:
            self._context.changed(workspace, *Area)
            self._announced.discard(workspace)
