"""Talking to a model: what is sent, what comes back in pieces, and which service it is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol


class Vendor(StrEnum):
    """Which language a service speaks."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A service that answers. `name`: short id (letters, digits, ._-), also the provider in the log.

    `local`: on this computer or its network, as the person says; then plain http and private addresses are allowed
    and its use costs nothing. `needs_key`: a key is kept for it in the key store.
    """

    name: str
    label: str
    base_url: str
    vendor: Vendor = Vendor.OPENAI
    local: bool = False
    needs_key: bool = True


class ChatRole(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool that the model may ask for. `parameters`: a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """The model asks for a tool. `arguments` is the text it wrote: hopefully a JSON object, to be checked."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a conversation with a model. `answers`: the id of the tool request that a TOOL message answers."""

    role: ChatRole
    text: str
    tool_requests: tuple[ToolRequest, ...] = ()
    answers: str = ""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A question to a model. `max_output_tokens` None: as the service likes. `timeout`: seconds for all of it."""

    model: str
    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    max_output_tokens: int | None = None
    temperature: float | None = None
    timeout: float = 300.0


@dataclass(frozen=True, slots=True)
class CallPlace:
    """Who asks, from where and for what: goes into the log beside the call. `logged_input`: kept erasable there."""

    uuid: str
    feature: str = "ask"
    actor: str = "owner"
    channel: str = "app"
    workspace_id: str | None = None
    session_id: str | None = None
    persona: str | None = None
    risk_context: str | None = None
    logged_input: str | None = None


@dataclass(frozen=True, slots=True)
class TextPart:
    text: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """The service asked to wait (429, 5xx); the request is sent again after `seconds`."""

    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class ChatEnd:
    """The answer is complete. Tokens and cost None = unknown. `model`: as the service names what answered."""

    model: str
    finish_reason: str
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    tool_requests: tuple[ToolRequest, ...] = field(default=())


ChatEvent = TextPart | Waiting | ChatEnd


class ChatProvider(Protocol):
    """Asks one service. The call is recorded before it is made and after; events end with exactly one ChatEnd.

    Raises RecorderFault after the last event when the end of the call could not be recorded: then what was shown
    must be withdrawn. Closing the iterator cancels the request.
    """

    def chat(self, request: ChatRequest, place: CallPlace) -> AsyncIterator[ChatEvent]: ...

    async def list_models(self, place: CallPlace) -> tuple[str, ...]: ...
