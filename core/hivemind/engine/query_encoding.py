"""Queries become vectors: when there is something to compare them with, and counted in the mind they were asked of."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from hivemind.domain.vectors import Encoded, ModelIdentity
from hivemind.engine.encoder_access import EncoderAccess, ReadyEncoder
from hivemind.errors import EmbedderUnavailable, HiveMindError
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.usage import UsageStore
from hivemind.storage import Priority

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NOT_YET = "no memory has been embedded yet"


#: So many of the last queries keep their vectors: a next page, another profile, a list read anew ask the same again.
KEPT = 32

Encode = Callable[[str], Awaitable[Encoded]]


class CountedEncoder:
    """A loaded model as search asks it (`search.meaning.QueryEmbedder`)."""

    def __init__(self, ready: ReadyEncoder, encode: Encode) -> None:
        self._ready = ready
        self._encode = encode

    @property
    def identity(self) -> ModelIdentity:
        return self._ready.identity

    @property
    def content_pieces(self) -> NDArray[np.bool_]:
        return self._ready.content_pieces

    def piece_texts(self, pieces: Iterable[int]) -> tuple[str, ...]:
        """The pieces as the vocabulary writes them."""
        return self._ready.piece_texts(pieces)

    async def encode_query(self, text: str) -> Encoded:
        """Raises EmbedderUnavailable."""
        return await self._encode(text)


class QueryEncoding:
    """Belongs to one event loop, as its `access` does."""

    def __init__(self, access: EncoderAccess) -> None:
        self._access = access
        self._asked: Counter[tuple[Mind, str]] = Counter()
        self._kept: OrderedDict[str, Encoded] = OrderedDict()
        self._kept_of: ReadyEncoder | None = None

    async def of(self, minds: Sequence[Mind]) -> tuple[CountedEncoder | None, str]:
        """The encoder of queries, or None and the reason in words. Not loaded while no mind has vectors to compare."""
        if not any(mind.database.vector.loaded for mind in minds):
            return None, "the library for vectors is not there"
        serving = await asyncio.gather(*(mind.read(lambda tx: tx.vectors.serving()) for mind in minds))
        if not any(model is not None and model.docs for model in serving):
            return None, _NOT_YET
        try:
            ready = await self._access.get()
        except EmbedderUnavailable as fault:
            return None, fault.title[:1].lower() + fault.title[1:]
        return CountedEncoder(ready, partial(self._encode, ready, minds[0])), ""

    async def _encode(self, ready: ReadyEncoder, mind: Mind, text: str) -> Encoded:
        if self._kept_of is not ready:
            self._kept.clear()
            self._kept_of = ready
        encoded = self._kept.pop(text, None)
        if encoded is None:
            encoded = await self._asked_now(ready, mind, text)
        if self._kept_of is ready:
            self._kept[text] = encoded
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return encoded

    async def _asked_now(self, ready: ReadyEncoder, mind: Mind, text: str) -> Encoded:
        try:
            encoded = await ready.encode_query(text, mind)
        except EmbedderUnavailable as fault:
            if ready.hosted and self._access.ready is ready:
                # The next question must not wait for a service that is away, too.
                await self._access.failed(fault)
            raise
        # A query over several minds is encoded once, so it counts once.
        self._asked[mind, ready.provider] += 1
        return encoded

    @property
    def unsettled(self) -> bool:
        """Whether queries were encoded that are not written down yet."""
        return bool(self._asked)

    async def settle(self) -> list[str]:
        """Add the queries since the last time to `embedding_usage`. Returns the minds that were written to."""
        asked, self._asked = self._asked, Counter()
        written = []
        for (mind, provider), count in asked.items():
            # A mind that cannot be written to now is still one that can be searched.
            work = partial(_add, provider, count)
            with contextlib.suppress(HiveMindError):
                await mind.write(work, Priority.HOUSEKEEPING)
                written.append(mind.workspace)
        return written


def _add(provider: str, count: int, tx: MindTransaction) -> None:
    UsageStore(tx.connection, tx.now).add(provider, count)
