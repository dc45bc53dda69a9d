"""One turn: the model is asked, uses tools, is asked again, until it has answered; the log gets one entry of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Protocol

from hivemind.agent.turn_recorder import TurnRecorder, plus
from hivemind.domain.ask import AnswerText, AnswerWaiting, AskEvent, ToolUsed
from hivemind.domain.chat import (
    CallPlace,
    ChatEnd,
    ChatMessage,
    ChatProvider,
    ChatRequest,
    ChatRole,
    TextPart,
    ToolRequest,
    Waiting,
)
from hivemind.errors import HiveMindError, RequestRefused

#: Times the model may ask for tools, and tools it may ask for at once.
ROUNDS, TOOLS_AT_ONCE = 8, 8


@dataclass(slots=True)
class TurnState:
    """What a turn has come to so far."""

    text: str = ""
    model: str = ""
    tools: list[str] = field(default_factory=list)
    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cost_usd: float | None = 0.0

    def add(self, end: ChatEnd) -> None:
        self.model = end.model
        self.input_tokens = plus(self.input_tokens, end.input_tokens)
        self.output_tokens = plus(self.output_tokens, end.output_tokens)
        self.cost_usd = plus(self.cost_usd, end.cost_usd)


class Toolbox(Protocol):
    """Carries tools out. Events on the way (an approval that is wanted) come first, then exactly one ToolOutcome."""

    def use(self, request: ToolRequest) -> AsyncIterator[AskEvent | ToolOutcome]: ...


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What the model is told, and what the person sees of it."""

    answer: str
    seen: ToolUsed


async def run_turn(
    provider: ChatProvider,
    request: ChatRequest,
    place: CallPlace,
    toolbox: Toolbox,
    recorder: TurnRecorder,
    state: TurnState,
) -> AsyncGenerator[AskEvent, None]:
    """Ask until there is an answer; `state` holds it then. The caller closes the recorder.

    Raises NetFault, ModelFault or RecorderFault; then, or when the reader goes away, the turn is recorded as failed.
    """
    try:
        for left in range(ROUNDS, -1, -1):
            asked = request if left else replace(request, tools=())
            before = len(state.text)
            end: ChatEnd | None = None
            async with aclosing(_events(provider, asked, place)) as events:
                async for event in events:
                    if isinstance(event, ChatEnd):
                        end = event
                        continue
                    if isinstance(event, AnswerText):
                        state.text += event.text
                    yield event
            state.add(_found(end))
            said = state.text[before:]
            if end is None or not end.tool_requests or not left:
                return
            if state.text and not state.text.endswith("\n"):
                state.text += "\n\n"
                yield AnswerText("\n\n")
            answers: list[ChatMessage] = []
            for wanted in end.tool_requests[:TOOLS_AT_ONCE]:
                state.tools.append(wanted.name)
                async for step in toolbox.use(wanted):
                    if isinstance(step, ToolOutcome):
                        answers.append(ChatMessage(ChatRole.TOOL, step.answer, answers=wanted.id))
                        yield step.seen
                    else:
                        yield step
            request = _continued(request, said, end.tool_requests[:TOOLS_AT_ONCE], answers)
    except BaseException as fault:
        code = fault.code if isinstance(fault, HiveMindError) else "cancelled"
        await asyncio.shield(recorder.abandon(code))
        raise


async def _events(
    provider: ChatProvider, request: ChatRequest, place: CallPlace
) -> AsyncGenerator[AskEvent | ChatEnd, None]:
    chat = provider.chat(request, place)
    try:
        async for event in chat:
            if isinstance(event, TextPart):
                yield AnswerText(event.text)
            elif isinstance(event, Waiting):
                yield AnswerWaiting(event.seconds, event.reason)
            else:
                yield event
    finally:
        # A reader who goes away cancels the request now, not when the garbage is collected.
        if isinstance(chat, AsyncGenerator):
            await chat.aclose()


def _continued(
    request: ChatRequest, said: str, wanted: Sequence[ToolRequest], answers: Sequence[ChatMessage]
) -> ChatRequest:
    asked = ChatMessage(ChatRole.ASSISTANT, said, tool_requests=tuple(wanted))
    return replace(request, messages=(*request.messages, asked, *answers))


def _found(end: ChatEnd | None) -> ChatEnd:
    if end is None:
        raise RequestRefused("The service ended without an answer", "Try again, or choose another model.")
    return end
