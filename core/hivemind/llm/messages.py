"""Messages and tools in the words of OpenAI's chat interface."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hivemind.domain.chat import ChatMessage, ChatRole, ToolSpec


def as_messages(messages: Iterable[ChatMessage]) -> list[dict[str, Any]]:
    """The `messages` of a request."""
    return [_message(one) for one in messages]


def as_tools(tools: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """The `tools` of a request."""
    return [
        {
            "type": "function",
            "function": {"name": one.name, "description": one.description, "parameters": dict(one.parameters)},
        }
        for one in tools
    ]


def _message(message: ChatMessage) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message.role.value, "content": message.text}
    if message.role is ChatRole.TOOL:
        written["tool_call_id"] = message.answers
    if message.tool_requests:
        written["tool_calls"] = [
            {"id": one.id, "type": "function", "function": {"name": one.name, "arguments": one.arguments}}
            for one in message.tool_requests
        ]
    return written
