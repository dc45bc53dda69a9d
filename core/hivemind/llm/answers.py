"""An answer as it grows: text, tool requests, tokens, taken from chunks that may hold anything."""

from __future__ import annotations

from typing import Any

from hivemind.domain.chat import ToolRequest
from hivemind.domain.text import sanitise
from hivemind.errors import AnswerCutOff, AnswerTooLarge, AnswerUnreadable

_NAME_LIMIT = 200
_TOOLS = 32
_ARGUMENT_CHARACTERS = 64_000


class AnswerSoFar:
    """Collects the chunks of one streamed answer. `model`: as asked until the service names it; `limit`: characters."""

    def __init__(self, model: str, limit: int) -> None:
        self.model = model
        self._limit = limit
        self.finish_reason = ""
        self.input_tokens: int | None = None
        self.output_tokens: int | None = None
        self.begun = False
        self._pieces: list[str] = []
        self._length = 0
        self._tools: dict[int, list[str]] = {}

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def tool_requests(self) -> tuple[ToolRequest, ...]:
        return tuple(ToolRequest(*parts) for _, parts in sorted(self._tools.items()))

    def add(self, chunk: Any) -> str:
        """Take one chunk of the SDK; returns the text it brought. Raises AnswerUnreadable when it is none."""
        try:
            return self._add(chunk)
        except (AttributeError, TypeError, IndexError) as fault:
            raise AnswerUnreadable(details=type(fault).__name__) from fault

    def check_complete(self) -> None:
        """Raises AnswerUnreadable when nothing came, AnswerCutOff when the service did not say that it was done."""
        if not self.begun:
            raise AnswerUnreadable("The service sent no answer")
        if not self.finish_reason:
            raise AnswerCutOff

    def _add(self, chunk: Any) -> str:
        self._take_figures(chunk)
        text = ""
        for choice in chunk.choices or ():
            if choice.index:
                continue  # One answer was asked for.
            self.begun = True
            self.finish_reason = str(choice.finish_reason or self.finish_reason)[:_NAME_LIMIT]
            delta = choice.delta
            if delta is None:
                continue
            text += sanitise(delta.content or "")[0]
            for request in delta.tool_calls or ():
                self._take_tool(request)
        self._pieces.append(text)
        self._length += len(text)
        if self._length > self._limit:
            raise AnswerTooLarge
        return text

    def _take_figures(self, chunk: Any) -> None:
        if isinstance(chunk.model, str) and chunk.model.isprintable() and chunk.model:
            self.model = chunk.model[:_NAME_LIMIT]
        usage = chunk.usage
        if usage is not None:
            self.input_tokens = _count(usage.prompt_tokens)
            self.output_tokens = _count(usage.completion_tokens)

    def _take_tool(self, request: Any) -> None:
        parts = self._tools.setdefault(int(request.index or 0), ["", "", ""])
        if len(self._tools) > _TOOLS:
            raise AnswerUnreadable("The model asked for too many tools at once")
        parts[0] = str(request.id or parts[0])[:_NAME_LIMIT]
        if request.function is not None:
            parts[1] = str(request.function.name or parts[1])[:_NAME_LIMIT]
            parts[2] += sanitise(request.function.arguments or "")[0]
        if len(parts[2]) > _ARGUMENT_CHARACTERS:
            raise AnswerUnreadable("The model asked for a tool with too much text")


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
