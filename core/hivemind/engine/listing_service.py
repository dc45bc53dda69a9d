"""Lists of memories of any length: all ids at once, the rows that are looked at when they are looked at."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from hivemind.domain.frames import ListedFrame
from hivemind.domain.search import SearchFilters, SearchRequest
from hivemind.engine.context import Context
from hivemind.mind.frame_listing import current_ids, listed_frames, sources, trashed_ids
from hivemind.search.filters import scope_of
from hivemind.search.query import TypedFilters

#: Frames read by one call at most: a page of a list, not a mind.
MOST = 1_000


class ListingService:
    """`ids` is eight bytes a memory; nothing else is read until a row is in sight."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def ids(self, workspace: str, filters: SearchFilters | None = None) -> array[int]:
        """Ids of all current frames that meet the filters, newest first. Raises InvalidDate."""
        scope = scope_of(SearchRequest("", (workspace,), filters or SearchFilters()), TypedFilters())
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: current_ids(tx.connection, scope.where, scope.bindings))

    async def trashed_ids(self, workspace: str) -> array[int]:
        """Ids of the originals in the trash, latest first."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: trashed_ids(tx.connection))

    async def frames(self, workspace: str, ids: Sequence[int]) -> list[ListedFrame]:
        """At most MOST of these frames, in this order; those that are gone are left out."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: listed_frames(tx.connection, ids[:MOST]))

    async def sources(self, workspace: str) -> list[str]:
        """Where sessions came from, as stored (`chatgpt`)."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: sources(tx.connection))
