"""Claude through Anthropic's own interface. Its SDK is an extra of the program and loaded at the first call."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from hivemind.domain.chat import CallPlace, ChatMessage, ChatRequest, ChatRole, ToolSpec
from hivemind.errors import ModelFault
from hivemind.llm.connection import reach_of
from hivemind.llm.openai_compatible import SILENCE, STREAM_BYTES, OpenAICompatibleProvider
from hivemind.net.client import OpenCall

#: This interface wants a limit; every model takes this one.
OUTPUT_TOKENS = 4096
#: Why an answer ended, in the words that the rest of the program knows.
_REASONS = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "tool_use": "tool_calls"}


class AnthropicProvider(OpenAICompatibleProvider):
    """A call's life is the same as with any service; only the words on the line are others."""

    async def _sdk(self, opened: OpenCall, place: CallPlace) -> Any:
        try:
            anthropic = await asyncio.to_thread(import_module, "anthropic")
        except ImportError as fault:
            raise ModelFault(
                "The part that speaks with Anthropic is not installed",
                "Run `pip install hive-mind[anthropic]`, or choose another service in Settings, Models.",
                details=type(fault).__name__,
            ) from fault
        # At its most talkative it writes whole questions and their headers into the log.
        logging.getLogger("anthropic").setLevel(logging.CRITICAL)
        key = await asyncio.to_thread(self._find_key)
        http = opened.http(place.feature, reach_of(self._endpoint), timeout=SILENCE, limit=STREAM_BYTES)
        return anthropic.AsyncAnthropic(
            api_key=key or "none", base_url=self._endpoint.base_url, http_client=http, max_retries=0, timeout=SILENCE
        )

    async def _stream(self, sdk: Any, request: ChatRequest) -> Any:
        return await sdk.messages.create(**body_of(request), stream=True)

    def _reader(self) -> Callable[[Any], Any]:
        return EventReader().read


class EventReader:
    """The events of one answer as chunks of OpenAI's chat interface. Input tokens are told at the start only."""

    def __init__(self) -> None:
        self._input: int | None = None

    def read(self, event: Any) -> Any:
        """One event as a chunk; raises AttributeError or TypeError for what is none."""
        kind = event.type
        if kind == "message_start":
            self._input = _input_tokens(event.message.usage)
            return _chunk(model=event.message.model, usage=self._usage(event.message.usage))
        if kind == "message_delta":
            reason = event.delta.stop_reason
            told = _REASONS.get(reason, reason) if reason else None
            return _chunk(_choice(_delta(), told), usage=self._usage(event.usage))
        if kind == "content_block_start" and event.content_block.type == "tool_use":
            block = event.content_block
            return _chunk(_choice(_delta(tool=_tool(event.index, block.id, block.name))))
        if kind == "content_block_delta" and event.delta.type == "text_delta":
            return _chunk(_choice(_delta(text=event.delta.text)))
        if kind == "content_block_delta" and event.delta.type == "input_json_delta":
            return _chunk(_choice(_delta(tool=_tool(event.index, arguments=event.delta.partial_json))))
        return _chunk()

    def _usage(self, usage: Any) -> Any:
        return SimpleNamespace(prompt_tokens=self._input, completion_tokens=usage.output_tokens)


def body_of(request: ChatRequest) -> dict[str, Any]:
    """A request in the words of the messages interface, which knows no temperature."""
    system = "\n\n".join(one.text for one in request.messages if one.role is ChatRole.SYSTEM)
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_output_tokens or OUTPUT_TOKENS,
        "messages": _turns(one for one in request.messages if one.role is not ChatRole.SYSTEM),
    }
    if system:
        body["system"] = system
    if request.tools:
        body["tools"] = [_offered(one) for one in request.tools]
    return body


def _turns(messages: Iterable[ChatMessage]) -> list[dict[str, Any]]:
    """Two sides in turn: what a tool answered is said by the user, and all answers to one request in one turn."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message.role is ChatRole.ASSISTANT else "user"
        blocks = _blocks(message)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        elif blocks:
            turns.append({"role": role, "content": blocks})
    return turns


def _blocks(message: ChatMessage) -> list[dict[str, Any]]:
    if message.role is ChatRole.TOOL:
        return [{"type": "tool_result", "tool_use_id": message.answers, "content": message.text}]
    # An empty text is refused.
    said = [{"type": "text", "text": message.text}] if message.text.strip() else []
    asked = [
        {"type": "tool_use", "id": one.id, "name": one.name, "input": _object(one.arguments)}
        for one in message.tool_requests
    ]
    return [*said, *asked]


def _object(arguments: str) -> dict[str, Any]:
    """The arguments that the model wrote, {} when they were no object: the tool's answer has told it so."""
    try:
        value = json.loads(arguments)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _offered(tool: ToolSpec) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)}


def _input_tokens(usage: Any) -> int | None:
    """Everything that was read, from the service's cache or not."""
    parts = [usage.input_tokens, usage.cache_creation_input_tokens or 0, usage.cache_read_input_tokens or 0]
    return sum(parts) if all(isinstance(one, int) and one >= 0 for one in parts) else None


def _chunk(*choices: Any, model: Any = None, usage: Any = None) -> Any:
    return SimpleNamespace(choices=choices, model=model, usage=usage)


def _choice(delta: Any, finish_reason: str | None = None) -> Any:
    return SimpleNamespace(index=0, delta=delta, finish_reason=finish_reason)


def _delta(text: str | None = None, tool: Any = None) -> Any:
    return SimpleNamespace(content=text, tool_calls=[] if tool is None else [tool])


def _tool(index: int, id_: str | None = None, name: str | None = None, arguments: str = "") -> Any:
    return SimpleNamespace(index=index, id=id_, function=SimpleNamespace(name=name, arguments=arguments))
