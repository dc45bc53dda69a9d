"""A service as embedder, over a real connection: tried first, turned into 1024 numbers, masked, in small requests."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.embedding_server import EmbeddingServer, vector_of
from tests.core.llm.scripted_service import status

from hivemind.domain.chat import Endpoint
from hivemind.domain.vectors import EmbeddingPlace, ModelIdentity
from hivemind.embeddings import HostedEmbedder
from hivemind.embeddings.hosted import PART, PROBE, REQUEST_CHARACTERS, REQUEST_PARTS, parts_of, requests_of
from hivemind.errors import EmbedderUnavailable, RequestRefused
from hivemind.gateway import Recorder, genesis, list_interactions
from hivemind.llm import OpenAIEmbeddings, PriceTable
from hivemind.mind import Mind
from hivemind.net import OutboundLedger
from hivemind.storage import Database, SchemaKind


class Desk:
    """Two minds, the ledger, and an embedder of whatever server a test runs."""

    def __init__(self, folder: Path) -> None:
        self.minds = [Mind.open(folder / f"{n}.mind", n, create=True, seeders=(genesis(),)) for n in ("one", "two")]
        self.install = Database.open(folder / "install.db", create=True, kind=SchemaKind.INSTALL)

    def place(self, number: int) -> EmbeddingPlace:
        return EmbeddingPlace(Recorder(self.minds[number]), self.minds[number].workspace)

    def embedder(self, server: EmbeddingServer, model: str = "small", name: str = "scripted") -> HostedEmbedder:
        endpoint = Endpoint(name, "Scripted", server.url, local=True, needs_key=False)
        ledger, prices = OutboundLedger(self.install), PriceTable("2026-11-30", ())
        return HostedEmbedder(OpenAIEmbeddings(endpoint, model, ledger, lambda: None, prices), self.place(0))

    async def states(self, number: int) -> list[str]:
        found = await self.minds[number].read(lambda tx: list_interactions(tx.connection))
        return [one.state for one in found]

    def close(self) -> None:
        for mind in self.minds:
            mind.close()
        self.install.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    one = Desk(tmp_path)
    yield one
    one.close()


def unit(text: str, width: int) -> np.ndarray:
    vector = np.array(vector_of(text, width))
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize("width", [16, 384, 1024])
def test_vectors_keep_their_cosines_in_1024_unit_numbers(width: int, desk: Desk) -> None:
    async def errand() -> None:
        server = await EmbeddingServer(width=width).start()
        embedder = desk.embedder(server)
        identity = await embedder.start()
        one, other = await embedder.encode_documents(["the ferry", "a doctor"])
        query = await embedder.encode_query("ship")
        await server.stop()
        assert (identity.name, identity.dim, identity.model_dim, identity.token_dim) == (
            "scripted/small",
            1024,
            width,
            0,
        )
        for made in (one, other, query):
            assert made.pooled.shape == (1024,) and made.pooled.dtype == np.float32
            assert float(made.pooled @ made.pooled) == pytest.approx(1.0, abs=1e-5)
            assert (made.tokens.shape, made.pieces, made.passes) == ((0, 64), (), 1)
            assert np.count_nonzero(made.pooled) > 1000, "spread over all numbers, not padded"
        assert float(one.pooled @ other.pooled) == pytest.approx(
            unit("the ferry", width) @ unit("a doctor", width), abs=1e-4
        )
        assert server.texts == [PROBE, "the ferry", "a doctor", "ship"]
        assert embedder.golden() is None

    asyncio.run(errand())


def test_a_wide_model_is_asked_to_shorten_and_refused_if_it_cannot(desk: Desk) -> None:
    async def errand() -> None:
        server = await EmbeddingServer(width=3072, shortens=True).start()
        embedder = desk.embedder(server)
        assert (await embedder.start()).model_dim == 3072
        assert (await embedder.encode_query("ship")).pooled.shape == (1024,)
        assert [body.get("dimensions") for body in server.bodies] == [None, 1024, 1024]
        server.shortens = False
        with pytest.raises(EmbedderUnavailable, match=r"3,072 numbers and a mind keeps 1,024.*Choose a model"):
            await embedder.start()
        server.misdeed = lambda _: status(404)
        with pytest.raises(EmbedderUnavailable, match=r"does not have this model.*keyword"):
            await embedder.start()
        server.misdeed = lambda _: status(400)
        with pytest.raises(EmbedderUnavailable, match="made for embeddings"):
            await embedder.start()
        await server.stop()

    asyncio.run(errand())


def test_who_it_is_depends_on_service_address_model_and_width(desk: Desk) -> None:
    async def errand() -> None:
        server, elsewhere = await EmbeddingServer(width=8).start(), await EmbeddingServer(width=8).start()

        async def identity(at: EmbeddingServer, model: str = "small", name: str = "scripted") -> ModelIdentity:
            return await desk.embedder(at, model, name).start()

        first = await identity(server)
        assert first == await identity(server)
        others = [await identity(server, "big"), await identity(server, name="another"), await identity(elsewhere)]
        server.width = 16
        others.append(await identity(server))
        assert len({first.sha, *(one.sha for one in others)}) == 5
        for one in (server, elsewhere):
            await one.stop()

    asyncio.run(errand())


def test_what_leaves_is_masked_and_in_the_log_of_its_mind(desk: Desk) -> None:
    async def errand() -> None:
        server = await EmbeddingServer(width=8).start()
        embedder = desk.embedder(server)
        await embedder.start()
        secret = "sk-proj-" + "aB3dE6gH9jK2mN5pQ8sT" * 2
        await embedder.recorded_in(desk.place(1)).encode_documents([f"My key is {secret}, keep it. \ud800"])
        await embedder.recorded_in(desk.place(1)).encode_query(f"what is {secret}")
        await server.stop()
        assert "⟨masked: " in server.texts[1] and "⟨masked: " in server.texts[2]
        assert not [text for text in server.texts if secret in text]
        assert (await desk.states(0), await desk.states(1)) == (["finished"], ["finished", "finished"])

    asyncio.run(errand())


def test_long_texts_go_in_parts_and_many_in_several_requests(desk: Desk) -> None:
    async def errand() -> None:
        server = await EmbeddingServer(width=8).start()
        embedder = desk.embedder(server)
        await embedder.start()
        long = "The ferry leaves at noon. " * 300
        made = await embedder.encode_documents(["short", long, *(f"note {n}" for n in range(70)), " "])
        await server.stop()
        assert [one.passes for one in made[:3]] == [1, 4, 1] and len(made) == 73
        requests = [body["input"] for body in server.bodies[1:]]
        assert [len(one) for one in requests] == [64, 12]
        assert "".join(requests[0][1:5]) == long
        assert requests[1][-1] == "."
        alone = unit("note 69", 8)
        assert float(made[71].pooled @ made[71].pooled) == pytest.approx(1.0, abs=1e-5)
        assert np.linalg.norm(embedder._turned(np.array([alone], np.float32))[0] - made[71].pooled) < 1e-4

    asyncio.run(errand())


def test_another_width_than_at_the_start_is_refused(desk: Desk) -> None:
    async def errand() -> None:
        server = await EmbeddingServer(width=8).start()
        embedder = desk.embedder(server)
        await embedder.start()
        server.width = 16
        with pytest.raises(EmbedderUnavailable, match="vectors of 16 numbers, not 8"):
            await embedder.encode_documents(["a"])
        server.misdeed = lambda _: status(400)
        with pytest.raises(RequestRefused):
            await embedder.encode_documents(["a"])
        with pytest.raises(EmbedderUnavailable):
            await embedder.encode_query("a")
        await server.stop()
        with pytest.raises(EmbedderUnavailable, match=r"cannot be reached.*search works by keyword"):
            await embedder.encode_query("a")

    asyncio.run(errand())


@given(st.text(max_size=3 * PART + 5))
def test_parts_are_the_text(text: str) -> None:
    parts = parts_of(text)
    assert all(0 < len(part) <= PART for part in parts)
    if not text.strip():
        assert set(parts) == {"."}
    elif "." not in parts:
        assert "".join(parts) == text


@given(st.lists(st.integers(1, PART).map("x".__mul__), max_size=200))
def test_requests_carry_every_part_once_within_the_limits(parts: list[str]) -> None:
    made = list(requests_of(parts))
    assert [part for request in made for part in request] == parts
    assert all(0 < len(one) <= REQUEST_PARTS and sum(map(len, one)) <= REQUEST_CHARACTERS for one in made)
