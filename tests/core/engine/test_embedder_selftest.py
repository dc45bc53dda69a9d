"""The self-test: the bundled model gives its recorded vectors through the child, and other vectors are noticed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from hivemind.domain.vectors import Encoded, ModelIdentity
from hivemind.embeddings import Embedder, UsageRecorder, read_folder
from hivemind.embeddings.golden import Golden, read_golden
from hivemind.engine.embedder_selftest import ALONE, selftest


class Altered:
    """The real embedder with each vector turned a little, more so in a batch when `by_batch`."""

    def __init__(self, inner: Embedder, golden: Golden | None, *, turn: float = 0.0, by_batch: float = 0.0) -> None:
        self.inner, self.recorded, self.turn, self.by_batch = inner, golden, turn, by_batch

    async def start(self) -> ModelIdentity:
        return await self.inner.start()

    async def encode_documents(self, texts: Sequence[str]) -> list[Encoded]:
        made = await self.inner.encode_documents(texts)
        turn = self.turn + (self.by_batch if len(texts) > 1 else 0.0)
        for one in made:
            one.pooled[0] += turn
        return made

    async def encode_query(self, text: str) -> Encoded:
        return await self.inner.encode_query(text)

    async def aclose(self) -> None:
        await self.inner.aclose()

    def golden(self) -> Golden | None:
        return self.recorded


@pytest.fixture(scope="module")
def embedder(search_model: Path) -> Iterator[Embedder]:
    one = Embedder(read_folder(search_model, "bundled"), UsageRecorder())
    asyncio.run(one.start())
    yield one
    asyncio.run(one.aclose())


def test_the_bundled_model_gives_its_recorded_vectors(embedder: Embedder) -> None:
    tested = asyncio.run(selftest(embedder))
    assert tested.ok
    assert tested.golden >= 3
    assert tested.golden_cosine >= 0.999
    assert tested.alone_cosine >= ALONE
    assert tested.seconds > 0


def test_what_differs_is_noticed(embedder: Embedder, search_model: Path) -> None:
    golden = read_golden(search_model)
    assert golden is not None
    turned = asyncio.run(selftest(Altered(embedder, golden, turn=0.2)))
    assert not turned.ok
    assert turned.golden_cosine < golden.cosine
    mixed = asyncio.run(selftest(Altered(embedder, None, by_batch=0.2)))
    assert (mixed.ok, mixed.golden, mixed.golden_cosine) == (False, 0, 1.0)
    assert mixed.alone_cosine < ALONE
