"""The last queries keep their vectors, of the model that made them and of no other."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.samples.encoders import CONTENT, WordEncoder, encoded

from hivemind.domain.frames import FrameDraft
from hivemind.engine.encoder_access import EncoderAccess
from hivemind.engine.query_encoding import KEPT, QueryEncoding
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.saving import save
from hivemind.mind.usage import UsageStore


@pytest.fixture
def mind(tmp_path: Path) -> Iterator[Mind]:
    opened = Mind.open(tmp_path / "personal.mind", "personal", create=True)

    def fill(tx: MindTransaction) -> None:
        frame = save(tx, FrameDraft("a boat")).frame
        one = encoded("a boat", "words")
        tx.vectors.put(
            frame.id, tx.vectors.register(WordEncoder().identity), one.pooled, one.tokens, one.pieces, CONTENT
        )

    opened.submit_write(fill).result(20)
    yield opened
    opened.close()


def test_a_query_is_encoded_once_while_it_is_among_the_last(mind: Mind) -> None:
    model = WordEncoder()

    async def walk() -> None:
        encoding = QueryEncoding(EncoderAccess(model.find))
        for query in ("boat", "ship", "boat", *(f"other {n}" for n in range(KEPT)), "boat"):
            encoder, reason = await encoding.of([mind])
            assert encoder is not None and reason == ""
            assert (await encoder.encode_query(query)).pieces == encoded(query, "words").pieces
        assert model.queries == 2 + KEPT + 1
        assert encoding.unsettled
        assert await encoding.settle() == ["personal"]
        assert not encoding.unsettled
        assert await encoding.settle() == []

    asyncio.run(walk())
    asked = mind.submit_read(lambda tx: UsageStore(tx.connection, tx.now).of_month("onnx")).result(20)
    assert asked == 2 + KEPT + 1


def test_vectors_of_a_model_that_was_replaced_are_not_given_out(mind: Mind) -> None:
    model = WordEncoder()

    async def walk() -> None:
        access = EncoderAccess(model.find)
        encoding = QueryEncoding(access)
        before, _ = await encoding.of([mind])
        assert before is not None
        first = await before.encode_query("boat")
        await access.renew()
        model.identity = WordEncoder("other").identity
        after, _ = await encoding.of([mind])
        assert after is not None and after.identity.name == "other"
        second = await after.encode_query("boat")
        assert float(first.pooled @ second.pooled) < 0.9

    asyncio.run(walk())
