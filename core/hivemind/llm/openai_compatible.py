"""Any service with OpenAI's chat interface: Ollama, LiteLLM, LM Studio, vLLM, OpenAI itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from hivemind.domain.calls import Call, CallKind, CallOutcome, CallRecorder
from hivemind.domain.chat import CallPlace, ChatEnd, ChatEvent, ChatRequest, Endpoint, TextPart, Waiting
from hivemind.llm.answers import AnswerSoFar
from hivemind.llm.connection import KeyFinder, openai_client
from hivemind.llm.faults import named_fault, seconds_to_wait
from hivemind.llm.messages import as_messages, as_tools
from hivemind.llm.prices import PriceTable
from hivemind.net import OutboundLedger
from hivemind.net.client import Client, OpenCall

#: Times a request is sent again after 429 or 5xx, as long as nothing of an answer was there.
RETRIES = 2
#: Characters of an answer; at a thousand a second this is more than anybody reads.
ANSWER_CHARACTERS = 400_000
#: Bytes on the line for it: each character of a stream comes wrapped in about 200 bytes of JSON.
STREAM_BYTES = 120_000_000
#: Seconds without a byte.
SILENCE = 60.0
MODELS_LISTED = 500


class OpenAICompatibleProvider:
    """Asks one service. `find_key` may block: it is called in a thread. Keys go nowhere but into the request."""

    def __init__(
        self,
        endpoint: Endpoint,
        ledger: OutboundLedger,
        recorder: CallRecorder,
        find_key: KeyFinder,
        prices: PriceTable,
    ) -> None:
        self._endpoint = endpoint
        self._client = Client(ledger, recorder)
        self._find_key = find_key
        self._prices = prices

    async def chat(self, request: ChatRequest, place: CallPlace) -> AsyncIterator[ChatEvent]:
        """See `ChatProvider`. Raises NetFault, ModelFault or RecorderFault."""
        call = self._call(CallKind.LLM_CALL, request.model, place)
        answer = AnswerSoFar(request.model, ANSWER_CHARACTERS)
        async with self._client.during(call) as opened:
            try:
                async for event in self._events(opened, request, place, answer):
                    yield event
                answer.check_complete()
            finally:
                opened.outcome = self._outcome(call, answer)
        yield self._end(answer)

    async def list_models(self, place: CallPlace) -> tuple[str, ...]:
        """The names of the service's models, sorted. Raises as `chat` does."""
        call = self._call(CallKind.MODEL_LIST, "-", place)
        async with self._client.during(call) as opened:
            try:
                async with asyncio.timeout(SILENCE):
                    sdk = await self._sdk(opened, place)
                    page = await sdk.models.list()
                    names = {str(one.id) for one in page.data}
            except Exception as fault:
                raise named_fault(fault) from fault
            opened.outcome = CallOutcome(call.uuid)
        return tuple(sorted(names)[:MODELS_LISTED])

    async def _events(
        self, opened: OpenCall, request: ChatRequest, place: CallPlace, answer: AnswerSoFar
    ) -> AsyncIterator[ChatEvent]:
        sdk = await self._sdk(opened, place)
        deadline = asyncio.get_running_loop().time() + request.timeout
        read = self._reader()
        for left in range(RETRIES, -1, -1):
            try:
                async with asyncio.timeout_at(deadline):
                    stream = await self._stream(sdk, request)
                async with stream:
                    async for chunk in _until(stream, deadline):
                        if text := answer.add(read(chunk)):
                            yield TextPart(text)
            except Exception as fault:
                wait = None if answer.begun or not left else seconds_to_wait(fault, RETRIES - left)
                if wait is None:
                    raise named_fault(fault) from fault
                yield Waiting(wait, named_fault(fault).title)
                await asyncio.sleep(wait)
            else:
                return

    async def _sdk(self, opened: OpenCall, place: CallPlace) -> Any:
        return await openai_client(
            self._endpoint, opened, self._find_key, feature=place.feature, silence=SILENCE, limit=STREAM_BYTES
        )

    async def _stream(self, sdk: Any, request: ChatRequest) -> Any:
        """The answer's chunks as the SDK gives them."""
        return await sdk.chat.completions.create(**_body(request))

    def _reader(self) -> Callable[[Any], Any]:
        """For one answer: from a chunk to one in the words of OpenAI's chat interface."""
        return _as_it_is

    def _call(self, kind: CallKind, model: str, place: CallPlace) -> Call:
        return Call(
            uuid=place.uuid,
            kind=kind,
            model=model,
            provider=self._endpoint.name,
            workspace_id=place.workspace_id,
            session_id=place.session_id,
            persona=place.persona,
            actor=place.actor,
            channel=place.channel,
            risk_context=place.risk_context,
            input_text=place.logged_input,
        )

    def _cost(self, answer: AnswerSoFar) -> float | None:
        if self._endpoint.local:
            return 0.0
        return self._prices.cost(self._endpoint.name, answer.model, answer.input_tokens, answer.output_tokens)

    def _outcome(self, call: Call, answer: AnswerSoFar) -> CallOutcome:
        return CallOutcome(
            uuid=call.uuid,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            cost_usd=self._cost(answer),
            model=answer.model,
            output_text=answer.text or None,
            tools=tuple(one.name for one in answer.tool_requests),
        )

    def _end(self, answer: AnswerSoFar) -> ChatEnd:
        return ChatEnd(
            model=answer.model,
            finish_reason=answer.finish_reason,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            cost_usd=self._cost(answer),
            tool_requests=answer.tool_requests,
        )


async def _until(stream: Any, deadline: float) -> AsyncIterator[Any]:
    """The chunks of a stream. The clock runs while waiting for one, and never interrupts whoever reads them."""
    while True:
        async with asyncio.timeout_at(deadline):
            try:
                chunk = await anext(stream)
            except StopAsyncIteration:
                return
        yield chunk


def _as_it_is(chunk: Any) -> Any:
    return chunk


def _body(request: ChatRequest) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": request.model,
        "messages": as_messages(request.messages),
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.tools:
        body["tools"] = as_tools(request.tools)
    if request.max_output_tokens is not None:
        body["max_tokens"] = request.max_output_tokens
    if request.temperature is not None:
        body["temperature"] = request.temperature
    return body
