"""A provider over a real connection and a real log: every way a service can behave ends in an answer or a named fault.

Covers: answers, faults, messages.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.core.llm.provider_desk import ProviderDesk, heard
from tests.core.llm.scripted_service import DONE, GOOD, STREAM_HEAD, USAGE, Answer, chunk, scripted, status

from hivemind.domain.chat import (
    CallPlace,
    ChatEnd,
    ChatMessage,
    ChatRequest,
    ChatRole,
    Endpoint,
    TextPart,
    ToolRequest,
    ToolSpec,
    Waiting,
)
from hivemind.errors import (
    AddressRefused,
    AnswerCutOff,
    AnswerTooLarge,
    AnswerUnreadable,
    HiveMindError,
    HostUnreachable,
    KeyRefused,
    ModelMissing,
    RateLimited,
    RecorderFault,
    RequestRefused,
    ServiceFailed,
    TimedOut,
)
from hivemind.llm import OpenAICompatibleProvider, Price, PriceTable
from hivemind.llm import openai_compatible as module

CANARY = "sk-canary-4f1d90b2c7"
REQUEST = ChatRequest("small", (ChatMessage(ChatRole.USER, "What did I plant?"),))
TOOL = ToolSpec("search", "Looks memories up.", {"type": "object", "properties": {"query": {"type": "string"}}})


class Desk(ProviderDesk):
    """With a provider for whatever service a test runs."""

    def provider(self, url: str, *, local: bool = True) -> OpenAICompatibleProvider:
        return OpenAICompatibleProvider(
            Endpoint("scripted", "Scripted", url, local=local),
            self.ledger,
            self.recorder,
            lambda: CANARY,
            PriceTable("2026-11-30", (Price("scripted", "small-1", 1.0, 2.0),)),
        )


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    one = Desk(tmp_path)
    yield one
    one.close()


def test_an_answer_in_pieces(desk: Desk) -> None:
    async def errand() -> None:
        async with scripted(GOOD) as service:
            place = CallPlace("c1", persona="writer", logged_input="What did I plant?")
            events = await heard(desk.provider(service.url).chat(REQUEST, place))
        assert events == [TextPart("The lemon "), TextPart("tree."), ChatEnd("small-1", "stop", 12, 3, 0.0)]
        [one] = await desk.interactions()
        assert (one.state, one.model, one.provider, one.input_tokens, one.output_tokens) == (
            "finished",
            "small-1",
            "scripted",
            12,
            3,
        )
        assert service.bodies[0]["messages"] == [{"role": "user", "content": "What did I plant?"}]
        assert f"Bearer {CANARY}".encode() in service.heads[0]
        assert b"stainless" not in service.heads[0].lower()
        assert len(await desk.lines()) == 1
        await desk.check_log()

    asyncio.run(errand())


def test_cost_comes_from_the_table_and_unknown_stays_unknown(desk: Desk) -> None:
    provider = desk.provider("https://api.example.org/v1", local=False)
    answer = module.AnswerSoFar("small-1", 10)
    assert provider._cost(answer) is None
    answer.input_tokens, answer.output_tokens = 1_000_000, 500_000
    assert provider._cost(answer) == 2.0
    answer.model = "another"
    assert provider._cost(answer) is None


def test_a_tool_request_arrives_in_pieces(desk: Desk) -> None:
    def part(**function: str) -> bytes:
        return chunk(delta={"tool_calls": [{"index": 0, "id": "t1", "function": function}]})

    async def errand() -> None:
        stream = STREAM_HEAD + part(name="search", arguments='{"que') + part(arguments='ry": "lemon"}')
        async with scripted(stream + chunk(finish="tool_calls") + DONE) as service:
            request = ChatRequest("small", REQUEST.messages, tools=(TOOL,))
            [end] = await heard(desk.provider(service.url).chat(request, CallPlace("c1")))
        assert isinstance(end, ChatEnd)
        assert end.tool_requests == (ToolRequest("t1", "search", '{"query": "lemon"}'),)
        assert (end.input_tokens, end.cost_usd) == (None, 0.0)
        assert service.bodies[0]["tools"][0]["function"]["name"] == "search"

    asyncio.run(errand())


def test_the_answers_of_tools_are_sent_back(desk: Desk) -> None:
    async def errand() -> None:
        asked = ToolRequest("t1", "search", "{}")
        messages = (
            ChatMessage(ChatRole.SYSTEM, "Be brief."),
            ChatMessage(ChatRole.ASSISTANT, "", (asked,)),
            ChatMessage(ChatRole.TOOL, "3 memories", answers="t1"),
        )
        async with scripted(GOOD) as service:
            await heard(desk.provider(service.url).chat(ChatRequest("small", messages), CallPlace("c1")))
        _, assistant, tool = service.bodies[0]["messages"]
        assert assistant["tool_calls"][0]["function"] == {"name": "search", "arguments": "{}"}
        assert tool == {"role": "tool", "content": "3 memories", "tool_call_id": "t1"}

    asyncio.run(errand())


async def _silent(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(3)


async def _dripping(writer: asyncio.StreamWriter) -> None:
    writer.write(STREAM_HEAD)
    while True:
        writer.write(chunk("a "))
        await writer.drain()
        await asyncio.sleep(0.02)


async def _flooding(writer: asyncio.StreamWriter) -> None:
    writer.write(STREAM_HEAD)
    while True:
        writer.write(chunk("x" * 10_000))
        await writer.drain()


HTML = b"<html><body>502 Bad Gateway</body></html>"
FAULTS: dict[str, tuple[bytes | Answer, type[HiveMindError]]] = {
    "wrong key": (status(401), KeyRefused),
    "forbidden": (status(403), KeyRefused),
    "no such model": (status(404), ModelMissing),
    "too long": (status(400, b'{"error": {"code": "context_length_exceeded"}}'), RequestRefused),
    "come back tomorrow": (status(429, b"{}", b"retry-after: 86400"), RateLimited),
    "redirect": (status(302, b"", b"location: http://127.0.0.1:1/"), AnswerUnreadable),
    "a page": (status(200, HTML), AnswerUnreadable),
    "nothing": (STREAM_HEAD, AnswerUnreadable),
    "done at once": (STREAM_HEAD + DONE, AnswerUnreadable),
    "not JSON": (STREAM_HEAD + b"data: {oops\n\n", AnswerUnreadable),
    "another JSON": (STREAM_HEAD + b'data: {"choices": 7}\n\n', AnswerUnreadable),
    "choices of nothing": (STREAM_HEAD + b'data: {"choices": [null]}\n\n', AnswerUnreadable),
    "an array": (STREAM_HEAD + b"data: [1, 2]\n\n", AnswerUnreadable),
    "bad bytes": (STREAM_HEAD + b"data: \xff\xfe\n\n", AnswerUnreadable),
    "stops in the middle": (STREAM_HEAD + chunk("The lem"), AnswerCutOff),
    "a fault in the stream": (STREAM_HEAD + chunk("The") + b'data: {"error": {"message": "x"}}\n\n', AnswerUnreadable),
    "not HTTP": (b"220 mail ready\r\n", AnswerUnreadable),
    "hangs up": (b"", AnswerUnreadable),
    "silence": (_silent, TimedOut),
    "never ends": (_dripping, TimedOut),
    "a gigabyte": (_flooding, AnswerTooLarge),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_way_to_fail_is_one_named_and_recorded_failure(name: str, desk: Desk) -> None:
    async def errand() -> None:
        answer, kind = FAULTS[name]
        async with scripted(answer) as service:
            request = ChatRequest("small", REQUEST.messages, timeout=1.5 if kind is TimedOut else 20.0)
            with pytest.raises(kind) as raised:
                await heard(desk.provider(service.url).chat(request, CallPlace("c1")))
        assert type(raised.value) is kind
        assert CANARY not in f"{raised.value} {raised.value.details}"
        [one] = await desk.interactions()
        assert one.state == "failed"
        await desk.check_log()

    asyncio.run(errand())


def test_a_busy_service_is_asked_again_within_the_same_call(desk: Desk) -> None:
    async def errand() -> None:
        busy = status(429, b"{}", b"retry-after: 0.05")
        async with scripted(busy, status(503), GOOD) as service:
            events = await heard(desk.provider(service.url).chat(REQUEST, CallPlace("c1")))
        assert [event.seconds for event in events if isinstance(event, Waiting)] == [0.05, 1.0]
        assert [event.text for event in events if isinstance(event, TextPart)] == ["The lemon ", "tree."]
        assert len(await desk.lines()) == 3
        assert len(await desk.interactions()) == 1

    asyncio.run(errand())


def test_it_gives_up_and_never_repeats_what_had_begun(desk: Desk) -> None:
    async def errand() -> None:
        async with scripted(status(500, b"{}", b"retry-after: 0")) as service:
            with pytest.raises(ServiceFailed):
                await heard(desk.provider(service.url).chat(REQUEST, CallPlace("c1")))
            assert len(service.heads) == 1 + module.RETRIES
        async with scripted(STREAM_HEAD + chunk("The lem")) as service:
            with pytest.raises(AnswerCutOff):
                await heard(desk.provider(service.url).chat(REQUEST, CallPlace("c2")))
            assert len(service.heads) == 1

    asyncio.run(errand())


def test_stopping_in_the_middle_is_recorded_with_what_had_come(desk: Desk) -> None:
    async def errand() -> None:
        async with scripted(_dripping) as service:
            events = desk.provider(service.url).chat(REQUEST, CallPlace("c1"))
            assert await anext(events) == TextPart("a ")
            await events.aclose()  # type: ignore[attr-defined]
        [one] = await desk.interactions()
        assert one.state == "failed"
        query = "SELECT field, body FROM ai_log_payload ORDER BY field"
        texts = dict(await desk.mind.read(lambda tx: tx.connection.execute(query).fetchall()))
        assert texts["error"] == "cancelled"
        assert texts["output"].startswith("a ")

    asyncio.run(errand())


def test_without_a_row_there_is_no_request(desk: Desk) -> None:
    async def errand() -> None:
        async with scripted(GOOD) as service:
            provider = desk.provider(service.url)
            await heard(provider.chat(REQUEST, CallPlace("c1")))
            with pytest.raises(RecorderFault):  # The id was used before.
                await heard(provider.chat(REQUEST, CallPlace("c1")))
            assert len(service.heads) == 1

    asyncio.run(errand())


def test_a_public_service_is_not_looked_for_at_home(desk: Desk) -> None:
    async def errand() -> None:
        async with scripted(GOOD) as service:
            for url in (service.url, f"https://localhost:{service.port}/v1"):
                with pytest.raises(AddressRefused):
                    await heard(desk.provider(url, local=False).chat(REQUEST, CallPlace(url[:5] + "-call")))
            assert service.heads == []

    asyncio.run(errand())


def test_nobody_there(desk: Desk) -> None:
    async def errand() -> None:
        async with scripted(GOOD) as service:
            url = service.url
        with pytest.raises(HostUnreachable):
            await heard(desk.provider(url).chat(REQUEST, CallPlace("c1")))

    asyncio.run(errand())


def test_the_models_of_a_service(desk: Desk) -> None:
    async def errand() -> None:
        listed = b'{"object": "list", "data": [{"id": "small", "object": "model"}, {"id": "big", "object": "model"}]}'
        async with scripted(status(200, listed), status(401), status(200, b"[]")) as service:
            provider = desk.provider(service.url)
            assert await provider.list_models(CallPlace("c1", feature="models")) == ("big", "small")
            with pytest.raises(KeyRefused):
                await provider.list_models(CallPlace("c2"))
            with pytest.raises(AnswerUnreadable):
                await provider.list_models(CallPlace("c3"))
        assert [one.kind for one in await desk.interactions()] == ["model_list"] * 3

    asyncio.run(errand())


def test_the_key_is_nowhere_but_in_the_request(desk: Desk, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def errand() -> None:
        caplog.set_level(logging.DEBUG)
        echo = status(400, b'{"error": {"message": "bad key %s"}}' % CANARY.encode())
        async with scripted(GOOD, echo) as service:
            provider = desk.provider(service.url)
            await heard(provider.chat(REQUEST, CallPlace("c1")))
            with pytest.raises(RequestRefused):
                await heard(provider.chat(REQUEST, CallPlace("c2")))

    asyncio.run(errand())
    desk.close()
    assert CANARY not in caplog.text
    assert [file.name for file in tmp_path.rglob("*") if CANARY.encode() in file.read_bytes()] == []


def test_usage_before_the_text_counts_too(desk: Desk) -> None:
    async def errand() -> None:
        async with scripted(STREAM_HEAD + USAGE + chunk("yes") + chunk(finish="stop") + DONE) as service:
            *_, end = await heard(desk.provider(service.url).chat(REQUEST, CallPlace("c1")))
        assert isinstance(end, ChatEnd)
        assert (end.input_tokens, end.output_tokens) == (12, 3)

    asyncio.run(errand())
