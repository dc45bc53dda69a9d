"""One turn, one interaction: however often a turn asks the model, the log gets one start and one end of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from hivemind.domain.calls import Call, CallOutcome, CallRecorder

Figure = TypeVar("Figure", int, float)


class TurnRecorder(CallRecorder):
    """Stands between a provider and the recorder of a mind, for one turn.

    The first call's start is written before it is made; later calls of the turn belong to it (the outbound ledger has
    a line for each). Their ends are added up and written by `close`, or at once when one of them fails.
    """

    def __init__(self, inner: CallRecorder) -> None:
        self._inner = inner
        self._started = False
        self._ended = False
        self.total: CallOutcome | None = None
        #: Calls of the model in this turn that ended.
        self.rounds = 0

    async def started(self, call: Call) -> None:
        if not self._started:
            await self._inner.started(call)
            self._started = True

    async def finished(self, outcome: CallOutcome) -> None:
        self._add(outcome)

    async def failed(self, outcome: CallOutcome) -> None:
        self._add(outcome)
        await self._end(outcome.error or "failed")

    async def close(self) -> None:
        """Write the end of the turn. Raises RecorderFault; may be called again after that."""
        if self._started and not self._ended and self.total is not None:
            await self._inner.finished(self.total)
            self._ended = True

    async def abandon(self, code: str) -> None:
        """The turn ends without its answer: `code` says why. Nothing when it has ended or never started."""
        await self._end(code)

    async def _end(self, code: str) -> None:
        if self._started and not self._ended and self.total is not None:
            await self._inner.failed(replace(self.total, error=code))
            self._ended = True

    def _add(self, outcome: CallOutcome) -> None:
        self.rounds += 1
        self.total = outcome if self.total is None else _sum(self.total, outcome)


def _sum(before: CallOutcome, after: CallOutcome) -> CallOutcome:
    """Both together. What is unknown of one is unknown of both."""
    texts = [text for text in (before.output_text, after.output_text) if text]
    return replace(
        after,
        input_tokens=plus(before.input_tokens, after.input_tokens),
        output_tokens=plus(before.output_tokens, after.output_tokens),
        cost_usd=plus(before.cost_usd, after.cost_usd),
        output_text="\n\n".join(texts) or None,
        tools=(*before.tools, *after.tools),
    )


def plus(one: Figure | None, other: Figure | None) -> Figure | None:
    """Both together; unknown (None) when one of them is."""
    return None if one is None or other is None else one + other
