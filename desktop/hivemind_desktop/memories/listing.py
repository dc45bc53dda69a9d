"""The list without a search: every memory that the filters let through, or the trash, read as it is looked at."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from hivemind.domain.search import SearchFilters
from hivemind.errors import HiveMindError
from hivemind_desktop.widgets.figures import memories, number
from hivemind_desktop.widgets.words import fill

from .lines import entry_of_listed

if TYPE_CHECKING:
    from .controller import MemoriesController


class ListFlow(QObject):
    """Ids come at once, rows when they are in sight. `total`: memories of the mind, None until they were read."""

    def __init__(self, page: MemoriesController) -> None:
        super().__init__(page)
        self._page = page
        self.total: int | None = None
        page.panel.model.rows_wanted.connect(lambda ids: page.tasks.start("rows", self._read(ids), self._not_read))

    async def show(self, filters: SearchFilters, in_trash: bool, same: bool) -> None:
        panel = self._page.panel
        ids = await (self._trashed() if in_trash else self._ids(filters))
        plain = filters == SearchFilters()
        if in_trash:
            words = fill(self.tr("%1 in the trash"), memories(len(ids)))
        else:
            words = memories(len(ids)) if plain else fill(self.tr("%1 found"), number(len(ids)))
        if plain and not in_trash:
            self.total = len(ids)
            panel.show_count(number(len(ids)))
        panel.show_result_words(words, self.tr("newest first"))
        panel.show_mode("", "", "neutral", "")
        panel.list.show_ids(ids, falling=not in_trash, keep_place=same)
        if ids:
            panel.found.show_data()
        elif in_trash:
            words = self.tr("What you move to the trash is kept here until you restore it.")
            panel.found.show_empty("trash-2", self.tr("The trash is empty"), words)
        else:
            words = self.tr("Take a filter away to see more.")
            panel.found.show_empty(
                "filter", self.tr("No memory passes these filters"), words,
                self.tr("Show all memories"), self._page.clear_search,
            )  # fmt: skip

    async def count(self) -> int:
        """All memories that recall can see."""
        if self.total is None:
            self.total = len(await self._ids(SearchFilters()))
            self._page.panel.show_count(number(self.total))
        return self.total

    async def is_trash_empty(self) -> bool:
        return not await self._trashed()

    async def _ids(self, filters: SearchFilters) -> array[int]:
        workspace = self._page.desk.workspace
        return await self._page.desk.client.call(lambda engine: engine.listing.ids(workspace, filters))

    async def _trashed(self) -> array[int]:
        workspace = self._page.desk.workspace
        return await self._page.desk.client.call(lambda engine: engine.listing.trashed_ids(workspace))

    async def _read(self, ids: list[int]) -> None:
        workspace = self._page.desk.workspace
        rows = await self._page.desk.client.call(lambda engine: engine.listing.frames(workspace, ids))
        self._page.panel.model.fill([entry_of_listed(row) for row in rows])

    def _not_read(self, error: BaseException) -> None:
        self._page.panel.model.forget_request()
        if isinstance(error, HiveMindError):
            self._page.show_failure(error)
        else:
            self._page.desk.notices.failure(error)
