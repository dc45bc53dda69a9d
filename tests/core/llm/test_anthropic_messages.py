"""Claude's own interface over a real connection and a real log, with a server that speaks its events."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.core.llm.provider_desk import ProviderDesk, heard
from tests.core.llm.scripted_service import STREAM_HEAD, Answer, scripted, status

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
    Vendor,
    Waiting,
)
from hivemind.errors import (
    AnswerCutOff,
    AnswerUnreadable,
    HiveMindError,
    HostUnreachable,
    KeyRefused,
    ModelFault,
    ModelMissing,
    RateLimited,
    RequestRefused,
    ServiceFailed,
    TimedOut,
)
from hivemind.llm import AnthropicProvider, Price, PriceTable
from hivemind.llm.anthropic_messages import OUTPUT_TOKENS, body_of

CANARY = "sk-ant-canary-3f7712aa"
REQUEST = ChatRequest("claude-small", (ChatMessage(ChatRole.USER, "What did I plant?"),))
TOOL = ToolSpec("search", "Looks memories up.", {"type": "object", "properties": {"query": {"type": "string"}}})


def event(kind: str, **more: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n".encode()


def text(words: str) -> bytes:
    return event("content_block_delta", index=0, delta={"type": "text_delta", "text": words})


def ended(reason: str = "end_turn", tokens: int = 3) -> bytes:
    delta = {"stop_reason": reason, "stop_sequence": None}
    return event("message_delta", delta=delta, usage={"output_tokens": tokens}) + event("message_stop")


BEGUN = STREAM_HEAD + event(
    "message_start",
    message={
        "id": "m", "type": "message", "role": "assistant", "model": "claude-small-1", "content": [],
        "stop_reason": None, "stop_sequence": None,
        "usage": {
            "input_tokens": 10, "cache_creation_input_tokens": 1, "cache_read_input_tokens": 4, "output_tokens": 1,
        },
    },
)  # fmt: skip
BLOCK = event("content_block_start", index=0, content_block={"type": "text", "text": ""})
GOOD = (
    BEGUN + BLOCK + event("ping") + text("The lemon ") + text("tree.") + event("content_block_stop", index=0) + ended()
)


class Desk(ProviderDesk):
    """With a provider for whatever service a test runs."""

    def provider(self, url: str, *, local: bool = True) -> AnthropicProvider:
        return AnthropicProvider(
            Endpoint("claude", "Claude", url.removesuffix("/v1"), Vendor.ANTHROPIC, local=local),
            self.ledger,
            self.recorder,
            lambda: CANARY,
            PriceTable("2026-11-30", (Price("claude", "claude-*", 1.0, 2.0),)),
        )


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    one = Desk(tmp_path)
    yield one
    one.close()


def test_an_answer_in_pieces(desk: Desk) -> None:
    async def errand() -> None:
        async with scripted(GOOD) as service:
            events = await heard(desk.provider(service.url).chat(REQUEST, CallPlace("c1")))
        assert events == [TextPart("The lemon "), TextPart("tree."), ChatEnd("claude-small-1", "stop", 15, 3, 0.0)]
        [one] = await desk.interactions()
        assert (one.state, one.model, one.provider, one.input_tokens, one.output_tokens) == (
            "finished",
            "claude-small-1",
            "claude",
            15,
            3,
        )
        head = service.heads[0].lower()
        assert head.startswith(b"post /v1/messages") and CANARY.encode() in head
        assert b"stainless" not in head and b"user-agent: hive-mind" in head
        lines = await desk.lines()
        assert [(line.feature, line.path) for line in lines] == [("ask", "/v1/messages")]
        await desk.check_log()

    asyncio.run(errand())


def test_a_tool_request_arrives_in_pieces_after_some_words(desk: Desk) -> None:
    def part(words: str) -> bytes:
        return event("content_block_delta", index=1, delta={"type": "input_json_delta", "partial_json": words})

    block = {"type": "tool_use", "id": "t1", "name": "search", "input": {}}

    async def errand() -> None:
        stream = BEGUN + BLOCK + text("I look.") + event("content_block_start", index=1, content_block=block)
        async with scripted(stream + part('{"que') + part('ry": "lemon"}') + ended("tool_use")) as service:
            request = ChatRequest("claude-small", REQUEST.messages, tools=(TOOL,), temperature=1.4)
            *said, end = await heard(desk.provider(service.url).chat(request, CallPlace("c1")))
        assert said == [TextPart("I look.")]
        assert isinstance(end, ChatEnd)
        assert end.tool_requests == (ToolRequest("t1", "search", '{"query": "lemon"}'),)
        assert end.finish_reason == "tool_calls"
        [offered] = service.bodies[0]["tools"]
        assert (offered["name"], offered["input_schema"]["type"]) == ("search", "object")
        assert "temperature" not in service.bodies[0] and service.bodies[0]["max_tokens"] == OUTPUT_TOKENS

    asyncio.run(errand())


def test_two_sides_take_turns_and_system_words_stand_apart() -> None:
    asked = (ToolRequest("t1", "search", '{"a": 1}'), ToolRequest("t2", "get", "[oops"))
    body = body_of(
        ChatRequest(
            "m",
            (
                ChatMessage(ChatRole.SYSTEM, "Be brief."),
                ChatMessage(ChatRole.USER, "one"),
                ChatMessage(ChatRole.USER, "two"),
                ChatMessage(ChatRole.ASSISTANT, "", asked),
                ChatMessage(ChatRole.TOOL, "3 memories", answers="t1"),
                ChatMessage(ChatRole.TOOL, "none", answers="t2"),
                ChatMessage(ChatRole.USER, " "),
            ),
            max_output_tokens=9,
        )
    )
    assert (body["system"], body["max_tokens"]) == ("Be brief.", 9)
    first, assistant, tools = body["messages"]
    assert (first["role"], [block["text"] for block in first["content"]]) == ("user", ["one", "two"])
    assert [(block["id"], block["input"]) for block in assistant["content"]] == [("t1", {"a": 1}), ("t2", {})]
    assert tools["role"] == "user"
    assert [(block["type"], block["tool_use_id"]) for block in tools["content"]] == [
        ("tool_result", "t1"),
        ("tool_result", "t2"),
    ]


async def _silent(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(3)


OVERLOADED = event("error", error={"type": "overloaded_error", "message": "Overloaded"})
FAULTS: dict[str, tuple[bytes | Answer, type[HiveMindError]]] = {
    "wrong key": (status(401), KeyRefused),
    "no such model": (status(404), ModelMissing),
    "too long": (status(413), RequestRefused),
    "come back tomorrow": (status(429, b"{}", b"retry-after: 86400"), RateLimited),
    "redirect": (status(302, b"", b"location: http://127.0.0.1:1/"), AnswerUnreadable),
    "a page": (status(200, b"<html><body>502 Bad Gateway</body></html>"), AnswerUnreadable),
    "nothing": (STREAM_HEAD, AnswerUnreadable),
    "only a start": (BEGUN, AnswerUnreadable),
    "not JSON": (STREAM_HEAD + b"event: message_start\ndata: {oops\n\n", AnswerUnreadable),
    "another JSON": (STREAM_HEAD + b"event: message_start\ndata: [1]\n\n", AnswerUnreadable),
    "no message": (STREAM_HEAD + event("message_start"), AnswerUnreadable),
    "a number for words": (BEGUN + BLOCK + text(7) + ended(), AnswerUnreadable),  # type: ignore[arg-type]
    "stops in the middle": (BEGUN + BLOCK + text("The lem"), AnswerCutOff),
    "overloaded": (BEGUN + BLOCK + text("The") + OVERLOADED, ServiceFailed),
    "not HTTP": (b"220 mail ready\r\n", AnswerUnreadable),
    "silence": (_silent, TimedOut),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_way_to_fail_is_one_named_and_recorded_failure(name: str, desk: Desk) -> None:
    async def errand() -> None:
        answer, kind = FAULTS[name]
        async with scripted(answer) as service:
            request = ChatRequest("claude-small", REQUEST.messages, timeout=1.5 if kind is TimedOut else 20.0)
            with pytest.raises(kind) as raised:
                await heard(desk.provider(service.url).chat(request, CallPlace("c1")))
        assert type(raised.value) is kind
        assert CANARY not in f"{raised.value} {raised.value.details}"
        assert [one.state for one in await desk.interactions()] == ["failed"]
        await desk.check_log()

    asyncio.run(errand())


def test_a_busy_service_is_asked_again_and_nobody_there_is_said(desk: Desk) -> None:
    async def errand() -> None:
        async with scripted(status(529, b"{}", b"retry-after: 0.02"), GOOD) as service:
            events = await heard(desk.provider(service.url).chat(REQUEST, CallPlace("c1")))
            url = service.url
        assert [one.seconds for one in events if isinstance(one, Waiting)] == [0.02]
        assert isinstance(events[-1], ChatEnd)
        with pytest.raises(HostUnreachable):
            await heard(desk.provider(url).chat(REQUEST, CallPlace("c2")))
        assert [one.state for one in await desk.interactions()] == ["finished", "failed"]

    asyncio.run(errand())


def test_without_the_extra_the_next_step_is_said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def errand() -> None:
        async with scripted(GOOD) as service:
            monkeypatch.setitem(sys.modules, "anthropic", None)
            with pytest.raises(ModelFault, match=r"pip install hive-mind\[anthropic\]"):
                await heard(desk.provider(service.url).chat(REQUEST, CallPlace("c1")))
            assert service.heads == []
        assert [one.state for one in await desk.interactions()] == ["failed"]

    asyncio.run(errand())


def test_the_models_of_the_service(desk: Desk) -> None:
    model = {"type": "model", "display_name": "x", "created_at": "2026-01-01T00:00:00Z"}
    listed = {"data": [{"id": "b", **model}, {"id": "a", **model}], "has_more": False, "first_id": "b", "last_id": "a"}

    async def errand() -> None:
        async with scripted(status(200, json.dumps(listed).encode())) as service:
            assert await desk.provider(service.url).list_models(CallPlace("c1")) == ("a", "b")
            assert service.heads[0].startswith(b"GET /v1/models")

    asyncio.run(errand())


def test_cost_and_the_key_which_is_nowhere_but_in_the_request(
    desk: Desk, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "somebody-elses")
    assert desk.provider("https://api.example.org", local=False)._prices.cost("claude", "claude-x", 10**6, 10**6) == 3.0

    async def errand() -> None:
        echo = status(400, b'{"error": {"message": "bad key %s"}}' % CANARY.encode())
        async with scripted(GOOD, echo) as service:
            provider = desk.provider(service.url)
            await heard(provider.chat(REQUEST, CallPlace("c1")))
            with pytest.raises(RequestRefused):
                await heard(provider.chat(REQUEST, CallPlace("c2")))
            assert not [head for head in service.heads if b"somebody-elses" in head]

    asyncio.run(errand())
    desk.close()
    assert CANARY not in caplog.text and "plant" not in caplog.text
    assert [file.name for file in tmp_path.rglob("*") if CANARY.encode() in file.read_bytes()] == []
