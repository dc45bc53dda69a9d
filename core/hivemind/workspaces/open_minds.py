"""The minds this process has open: each at most once, opened off the event loop, closed together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from hivemind.errors import WorkspaceNotFound
from hivemind.mind import Mind
from hivemind.paths import PERSONAL, DataDir
from hivemind.workspaces.guard import guarded_path

#: Opens the file of a workspace; `create` when nothing is there. Blocks.
MindOpener = Callable[[str, bool], Mind]


class OpenMinds:
    """`get` opens on first use. Two tasks asking at once share one opening; a mind in use is never evicted."""

    def __init__(self, data: DataDir, opener: MindOpener) -> None:
        self._data = data
        self._opener = opener
        self._opening: dict[str, asyncio.Task[Mind]] = {}

    async def get(self, workspace: str, *, create: bool = False) -> Mind:
        """The open mind. The personal one is made when it is not there yet; others need `create`.

        Raises WorkspaceNotFound, InvalidName, and whatever opening a file can raise.
        """
        task = self._opening.get(workspace)
        if task is None:
            path = guarded_path(self._data, workspace)
            make = create or workspace == PERSONAL
            if not make and not path.exists():
                raise WorkspaceNotFound()
            task = asyncio.ensure_future(asyncio.to_thread(self._opener, workspace, make))
            self._opening[workspace] = task
        try:
            # Shielded: one caller that gives up must not stop the opening for the others.
            return await asyncio.shield(task)
        except BaseException:
            if task.done() and (task.cancelled() or task.exception() is not None):
                self._opening.pop(workspace, None)
            raise

    def list_open(self) -> list[Mind]:
        """The minds that are open now."""
        return [
            task.result()
            for task in self._opening.values()
            if task.done() and not task.cancelled() and task.exception() is None
        ]

    async def close(self, workspace: str) -> None:
        """Close one mind, so that its file may be replaced. Nothing happens when it is not open."""
        task = self._opening.pop(workspace, None)
        if task is not None:
            await (await task).aclose()

    async def close_all(self) -> None:
        """Close every mind, also those still being opened."""
        tasks = list(self._opening.values())
        self._opening.clear()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, Mind):
                await outcome.aclose()
