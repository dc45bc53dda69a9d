"""Counts that a memory was read: once per query, after it has been in sight for a moment."""

from __future__ import annotations

from PySide6.QtCore import QTimer

from hivemind.domain.frames import Access
from hivemind.errors import HiveMindError
from hivemind_desktop.widgets.page import PageController

#: A memory counts as used when it has been in sight this long, ms: walking past it with the arrows does not.
USED_AFTER_MS = 800


class UseCounter(QTimer):
    """`show` begins the moment, `count` ends it early (Enter, double click), `forget` ends it without counting."""

    def __init__(self, page: PageController) -> None:
        super().__init__(page)
        self._page = page
        self._shown: tuple[int, str | None] | None = None
        self._counted: set[tuple[str, int, str | None]] = set()
        self.setSingleShot(True)
        self.setInterval(USED_AFTER_MS)
        self.timeout.connect(self.count)

    def show(self, frame_id: int, query_id: str | None) -> None:
        """This memory is in sight, found by this query (None: not searched for)."""
        self._shown = (frame_id, query_id)
        self.start()

    def forget(self) -> None:
        self._shown = None
        self.stop()

    def count(self) -> None:
        """Count it, unless this query has counted it already."""
        if self._shown is None:
            return
        self.stop()
        frame_id, query_id = self._shown
        workspace = self._page.desk.workspace
        once = (workspace, frame_id, query_id)
        if once in self._counted:
            return
        self._counted.add(once)
        access = Access(frame_id, "opened", query_id=query_id)

        async def write() -> None:
            await self._page.desk.client.call(lambda engine: engine.memory.used(workspace, (access,)))

        self._page.tasks.start(f"used {frame_id}", write(), self._unless_ours)

    def _unless_ours(self, error: BaseException) -> None:
        """A use that cannot be written (a busy or full disk) is not worth a word; a bug of ours is."""
        if not isinstance(error, HiveMindError):
            self._page.desk.notices.failure(error)
