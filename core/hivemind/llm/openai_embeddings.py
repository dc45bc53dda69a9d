"""Any service with OpenAI's interface for embeddings: Ollama, Voyage, LiteLLM, LM Studio, OpenAI itself."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hivemind.domain.calls import Call, CallKind, CallOutcome
from hivemind.domain.chat import Endpoint
from hivemind.domain.vectors import EmbeddingPlace
from hivemind.errors import AnswerUnreadable
from hivemind.llm.connection import KeyFinder, openai_client
from hivemind.llm.faults import named_fault, seconds_to_wait
from hivemind.llm.prices import PriceTable
from hivemind.net import OutboundLedger
from hivemind.net.client import Client

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: As the ledger names what these requests are for.
FEATURE = "embedding"
#: Bytes of an answer: 64 vectors of 4,096 numbers, each written with 20 characters, and as much again.
ANSWER_BYTES = 12_000_000


class OpenAIEmbeddings:
    """Asks one model of one service. `find_key` may block: it is called in a thread."""

    def __init__(
        self, endpoint: Endpoint, model: str, ledger: OutboundLedger, find_key: KeyFinder, prices: PriceTable
    ) -> None:
        self.endpoint = endpoint
        self.model = model
        self._ledger = ledger
        self._find_key = find_key
        self._prices = prices

    async def embed(
        self, texts: Sequence[str], place: EmbeddingPlace, *, dimensions: int | None, seconds: float, retries: int
    ) -> NDArray[np.float32]:
        """float32[len(texts), d] as the service gives them, finite, no row all zeros. One call, one interaction.

        `dimensions`: ask for so many numbers; `seconds`: for all tries together; `retries`: after 429 and 5xx.
        Raises NetFault, ModelFault, RecorderFault.
        """
        call = Call(
            uuid=str(uuid.uuid4()),
            kind=CallKind.EMBEDDING,
            model=self.model,
            provider=self.endpoint.name,
            workspace_id=place.workspace_id,
            actor="app",
        )
        body: dict[str, Any] = {"model": self.model, "input": list(texts)}
        if dimensions is not None:
            body["dimensions"] = dimensions
        async with Client(self._ledger, place.recorder).during(call) as opened:
            try:
                # Loading the SDK and asking for the key is not the service's time.
                sdk = await openai_client(
                    self.endpoint, opened, self._find_key, feature=FEATURE, silence=seconds, limit=ANSWER_BYTES
                )
                async with asyncio.timeout(seconds):
                    answer = await self._answer(sdk, body, retries)
                    rows = await asyncio.to_thread(_rows, answer, len(texts))
            except Exception as fault:
                raise named_fault(fault) from fault
            opened.outcome = self._outcome(call, answer)
        return rows

    @staticmethod
    async def _answer(sdk: Any, body: dict[str, Any], retries: int) -> Any:
        for left in range(retries, -1, -1):
            try:
                # Not `sdk.embeddings`: it asks for base64, which not every service with this interface knows.
                return await sdk.post("/embeddings", cast_to=object, body=body)
            except Exception as fault:
                wait = seconds_to_wait(fault, retries - left) if left else None
                if wait is None:
                    raise
            await asyncio.sleep(wait)
        raise AssertionError("unreachable")

    def _outcome(self, call: Call, answer: dict[str, Any]) -> CallOutcome:
        usage = answer.get("usage")
        told = usage.get("prompt_tokens", usage.get("total_tokens")) if isinstance(usage, dict) else None
        tokens = told if isinstance(told, int) and not isinstance(told, bool) and told >= 0 else None
        cost = 0.0 if self.endpoint.local else self._prices.cost(self.endpoint.name, self.model, tokens, 0)
        return CallOutcome(call.uuid, input_tokens=tokens, cost_usd=cost, model=self.model)


def _rows(answer: Any, count: int) -> NDArray[np.float32]:
    """The vectors in the order of the texts. Raises AnswerUnreadable for anything else."""
    import numpy as np

    try:
        entries = answer["data"]
        order = [entry.get("index", at) for at, entry in enumerate(entries)]
        if sorted(order) != list(range(count)):
            raise AnswerUnreadable(f"The service sent {len(entries):,} vectors for {count:,} texts")
        placed = dict(zip(order, (entry["embedding"] for entry in entries), strict=True))
        # Written in numbers, all of one length: numpy would also take digits in quotes.
        wide = np.asarray([placed[at] for at in range(count)])
    except (KeyError, TypeError, AttributeError, ValueError) as fault:
        raise AnswerUnreadable(details=type(fault).__name__) from fault
    if wide.ndim != 2 or wide.dtype.kind not in "iuf" or not wide.shape[1]:
        raise AnswerUnreadable("The service sent something that is no vector")
    with np.errstate(over="ignore"):
        rows = wide.astype(np.float32)
    if not np.isfinite(rows).all() or not rows.any(axis=1).all():
        raise AnswerUnreadable("The service sent a vector of no use", "One is all zeros, or has a number that is none.")
    return rows
