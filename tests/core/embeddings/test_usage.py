"""Calls of the built-in embedder are added up when they end."""

from __future__ import annotations

import asyncio

from hivemind.domain.calls import Call, CallKind, CallOutcome
from hivemind.embeddings import UsageRecorder


def test_calls_are_counted_when_they_end() -> None:
    recorder = UsageRecorder()

    async def three_calls() -> None:
        for number in range(3):
            await recorder.started(Call(str(number), CallKind.EMBEDDING))
        assert (recorder.calls, recorder.failures) == (0, 0)
        await recorder.finished(CallOutcome("0"))
        await recorder.finished(CallOutcome("1"))
        await recorder.failed(CallOutcome("2", error="KeyError"))

    asyncio.run(three_calls())
    assert (recorder.calls, recorder.failures) == (2, 1)
