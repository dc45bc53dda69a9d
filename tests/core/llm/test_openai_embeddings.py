"""Vectors of a service over a real connection and a real log: right ones, or one named and recorded failure.

Covers: connection.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.core.embedding_server import EmbeddingServer, Misdeed, answer_of, vector_of
from tests.core.llm.provider_desk import ProviderDesk
from tests.core.llm.scripted_service import status

from hivemind.domain.chat import Endpoint
from hivemind.domain.vectors import EmbeddingPlace
from hivemind.errors import (
    AddressRefused,
    AnswerUnreadable,
    HiveMindError,
    HostUnreachable,
    KeyRefused,
    ModelMissing,
    RateLimited,
    RequestRefused,
    ServiceFailed,
    TimedOut,
)
from hivemind.llm import OpenAIEmbeddings, Price, PriceTable

CANARY = "sk-canary-77ab01e9d3"
TEXTS = ["The ferry leaves at noon.", "My doctor is happy."]


class Desk(ProviderDesk):
    """With a service as a test sets it up."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "garden")

    def service(self, url: str, *, local: bool = True) -> OpenAIEmbeddings:
        endpoint = Endpoint("scripted", "Scripted", url, local=local)
        prices = PriceTable("2026-11-30", (Price("scripted", "small", 2.0, 0.0),))
        return OpenAIEmbeddings(endpoint, "small", self.ledger, lambda: CANARY, prices)

    async def ask(self, url: str, *, local: bool = True, seconds: float = 20.0, retries: int = 0) -> Any:
        place = EmbeddingPlace(self.recorder, "garden")
        service = self.service(url, local=local)
        return await service.embed(TEXTS, place, dimensions=None, seconds=seconds, retries=retries)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    one = Desk(tmp_path)
    yield one
    one.close()


def test_vectors_in_the_order_of_the_texts_and_one_interaction(desk: Desk) -> None:
    def turned_round(body: Any) -> bytes:
        told = json.loads(answer_of(body, 8).split(b"\r\n\r\n", 1)[1])
        return status(200, json.dumps(told | {"data": told["data"][::-1]}).encode())

    async def errand() -> None:
        server = await EmbeddingServer(misdeed=turned_round).start()
        rows = await desk.ask(server.url)
        await server.stop()
        assert rows.dtype == np.float32
        assert np.allclose(rows, [vector_of(text, 8) for text in TEXTS])
        assert server.bodies == [{"model": "small", "input": TEXTS}]
        assert f"Bearer {CANARY}".encode() in server.heads[0]
        [one] = await desk.interactions()
        assert (one.kind, one.state, one.model, one.provider) == ("embedding", "finished", "small", "scripted")
        assert (one.input_tokens, one.cost_usd, one.workspace_id) == (sum(map(len, TEXTS)), 0.0, "garden")
        [line] = await desk.lines()
        assert (line.feature, line.path, line.status, line.call_uuid) == (
            "embedding",
            "/v1/embeddings",
            200,
            one.call_uuid,
        )
        assert line.bytes_out > sum(map(len, TEXTS))
        await desk.check_log()

    asyncio.run(errand())


def test_cost_comes_from_the_table_and_unknown_stays_unknown(desk: Desk) -> None:
    service = desk.service("https://api.example.org/v1", local=False)
    call: Any = type("C", (), {"uuid": "u"})()
    assert service._outcome(call, {"usage": {"total_tokens": 500_000}}).cost_usd == 1.0
    for usage in (None, {}, {"prompt_tokens": -1}, {"prompt_tokens": True}, {"prompt_tokens": "9"}):
        told = service._outcome(call, {"usage": usage})
        assert (told.input_tokens, told.cost_usd) == (None, None)


def changed(**entry: Any) -> Misdeed:
    """The right answer with the first vector's entry changed."""

    def misdeed(body: Any) -> bytes:
        told = json.loads(answer_of(body, 4).split(b"\r\n\r\n", 1)[1])
        told["data"][0] |= entry
        return status(200, json.dumps(told).encode())

    return misdeed


def sent(code: int, body: bytes = b"{}", *headers: bytes) -> Misdeed:
    return lambda _: status(code, body, *headers)


FAULTS: dict[str, tuple[Misdeed, type[HiveMindError]]] = {
    "wrong key": (sent(401), KeyRefused),
    "no such model": (sent(404), ModelMissing),
    "too long": (sent(400), RequestRefused),
    "come back tomorrow": (sent(429, b"{}", b"retry-after: 86400"), RateLimited),
    "broken": (sent(500), ServiceFailed),
    "elsewhere": (sent(302, b"", b"location: http://127.0.0.1:1/"), AnswerUnreadable),
    "a page": (
        lambda _: b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>",
        AnswerUnreadable,
    ),
    "nothing": (sent(200, b""), AnswerUnreadable),
    "not JSON": (sent(200, b'{"data": ['), AnswerUnreadable),
    "a list": (sent(200, b"[1]"), AnswerUnreadable),
    "no data": (sent(200, b'{"error": "x"}'), AnswerUnreadable),
    "one too few": (lambda body: answer_of({**body, "input": body["input"][:1]}, 4), AnswerUnreadable),
    "one too many": (lambda body: answer_of({**body, "input": [*body["input"], "more"]}, 4), AnswerUnreadable),
    "twice the same": (changed(index=1), AnswerUnreadable),
    "a number for nothing": (changed(index=None), AnswerUnreadable),
    "not a number": (changed(embedding=[1.0, float("nan"), 0.0, 0.0]), AnswerUnreadable),
    "endless": (changed(embedding=[1.0, float("inf"), 0.0, 0.0]), AnswerUnreadable),
    "over float32": (changed(embedding=[1e300, 0.0, 0.0, 0.0]), AnswerUnreadable),
    "all zeros": (changed(embedding=[0.0, 0.0, 0.0, 0.0]), AnswerUnreadable),
    "another length": (changed(embedding=[1.0, 2.0]), AnswerUnreadable),
    "words": (changed(embedding=["1", "2", "3", "4"]), AnswerUnreadable),
    "truths": (changed(embedding=[True, "x", None, []]), AnswerUnreadable),
    "base64": (changed(embedding="AACAPwAAgD8AAIA/AACAPw=="), AnswerUnreadable),
    "null": (changed(embedding=None), AnswerUnreadable),
    "empty": (lambda body: answer_of(body, 0), AnswerUnreadable),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_way_to_fail_is_one_named_and_recorded_failure(name: str, desk: Desk) -> None:
    async def errand() -> None:
        misdeed, kind = FAULTS[name]
        server = await EmbeddingServer(misdeed=misdeed).start()
        with pytest.raises(kind) as raised:
            await desk.ask(server.url)
        await server.stop()
        assert type(raised.value) is kind
        [one] = await desk.interactions()
        assert one.state == "failed"
        assert len(await desk.lines()) == 1
        await desk.check_log()

    asyncio.run(errand())


def test_a_busy_service_is_asked_again_within_the_same_call(desk: Desk) -> None:
    async def errand() -> None:
        answers = [status(429, b"{}", b"retry-after: 0.02"), status(503, b"{}", b"retry-after: 0")]
        server = await EmbeddingServer(width=8, misdeed=lambda _: answers.pop(0) if answers else None).start()
        assert (await desk.ask(server.url, retries=2)).shape == (2, 8)
        await server.stop()
        assert len(await desk.lines()) == 3
        assert [one.state for one in await desk.interactions()] == ["finished"]

    asyncio.run(errand())


def test_time_runs_out_over_all_tries_and_a_cancelled_one_is_recorded(desk: Desk) -> None:
    async def errand() -> None:
        server = await EmbeddingServer(delay=5.0).start()
        began = time.monotonic()
        with pytest.raises(TimedOut):
            await desk.ask(server.url, seconds=0.5)
        assert time.monotonic() - began < 4
        task = asyncio.create_task(desk.ask(server.url))
        while len(server.bodies) < 2:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.stop()
        assert [one.state for one in await desk.interactions()] == ["failed", "failed"]
        assert [line.finished_at is not None for line in await desk.lines()] == [True, True]
        await desk.check_log()

    asyncio.run(errand())


def test_nobody_there_and_a_public_service_is_not_looked_for_at_home(desk: Desk) -> None:
    async def errand() -> None:
        server = await EmbeddingServer().start()
        with pytest.raises(AddressRefused):
            await desk.ask(server.url.replace("http:", "https:"), local=False)
        await server.stop()
        assert server.heads == []
        with pytest.raises(HostUnreachable):
            await desk.ask(server.url)

    asyncio.run(errand())


def test_the_key_is_nowhere_but_in_the_request(desk: Desk, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def errand() -> None:
        caplog.set_level(logging.DEBUG)
        answers = [None, status(400, b'{"error": {"message": "bad key %s"}}' % CANARY.encode())]
        server = await EmbeddingServer(width=8, misdeed=lambda _: answers.pop(0)).start()
        await desk.ask(server.url)
        with pytest.raises(RequestRefused) as raised:
            await desk.ask(server.url)
        await server.stop()
        assert CANARY not in f"{raised.value} {raised.value.details}"

    asyncio.run(errand())
    desk.close()
    assert CANARY not in caplog.text
    assert [file.name for file in tmp_path.rglob("*") if CANARY.encode() in file.read_bytes()] == []
