"""Search of one mind for a caller who waits: by words and by meaning, with the model in a child process of its own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from hivemind.domain.minds import QueueState
from hivemind.domain.search import Mode, SearchRequest, SearchResult
from hivemind.engine.embedding_queue import OWNER, EmbeddingQueue
from hivemind.engine.encoder_access import EncoderAccess, Finder, bundled
from hivemind.engine.query_encoding import QueryEncoding
from hivemind.errors import Cancelled, EmbedderUnavailable, HiveMindError
from hivemind.jobs import JobStore
from hivemind.mind import Mind
from hivemind.paths import DataDir, default_data_dir
from hivemind.search import search

T = TypeVar("T")


def bundled_finder() -> Finder:
    """The model that the environment or this person's settings name, else the bundled one."""
    return partial(bundled, DataDir(default_data_dir()).settings_file)


class MindMeaning:
    """An event loop on a thread of its own, so that it also works for a caller who is inside a running loop.

    The model is loaded when it is first needed, and never for a mind without vectors.
    """

    def __init__(self, mind: Mind, find: Finder) -> None:
        self._mind = mind
        self._access = EncoderAccess(find)
        self._queries = QueryEncoding(self._access)
        self._queue = EmbeddingQueue(mind, self._access)
        self._thread = ThreadPoolExecutor(1, "meaning")
        self._runner = asyncio.Runner()
        self._closed = False

    def search(self, request: SearchRequest) -> SearchResult:
        """Raises InvalidValue, InvalidDate, and Cancelled after `close`."""
        return self._run(lambda: self._search(request))

    def embed(self) -> int:
        """Give vectors to the frames that have none; searches go in between. Returns how many texts were embedded."""
        before = self._queue.tally.texts
        try:
            while self._run(self._queue.step):
                pass
        finally:
            self._run(self._release)
        if self._queue.state is QueueState.OTHER_MODEL:
            raise EmbedderUnavailable(
                "The memories were embedded by another model", "Embed them again in the app, under Settings."
            )
        return self._queue.tally.texts - before

    def close(self) -> None:
        """End the model's process. May be called twice."""
        if not self._closed:
            self._closed = True
            self._thread.submit(self._end).result()
            self._thread.shutdown()

    async def _search(self, request: SearchRequest) -> SearchResult:
        minds, clock = [self._mind], self._mind.clock
        if request.mode is Mode.KEYWORD:
            return await search(minds, request, clock)
        encoder, reason = await self._queries.of(minds)
        return await search(minds, request, clock, encoder, reason)

    async def _release(self) -> None:
        with contextlib.suppress(HiveMindError):
            await self._mind.write(lambda tx: JobStore(tx.connection, tx.now).release(OWNER))

    def _run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        if self._closed:
            raise Cancelled("This mind is closed", "Open it again with open_mind.")
        try:
            return self._thread.submit(lambda: self._runner.run(work())).result()
        except RuntimeError as error:
            if self._closed:
                raise Cancelled("This mind is closed", "Open it again with open_mind.") from error
            raise

    def _end(self) -> None:
        async def ending() -> None:
            if self._queries.unsettled:
                await self._queries.settle()
            await self._access.close()

        self._runner.run(ending())
        self._runner.close()
