"""Calls that reach out: started before the first byte, ended after the last, whatever happens in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from hivemind.domain.calls import Call, CallOutcome, CallRecorder
from hivemind.errors import HiveMindError
from hivemind.net.client.resolving import Resolver, system_resolver
from hivemind.net.guard import Reach
from hivemind.net.ledger import OutboundLedger

if TYPE_CHECKING:
    import httpx2

#: Bytes of an answer, unless a call says otherwise.
ANSWER_LIMIT = 10_000_000


class OpenCall:
    """One call between its `started` entry and its end. Gives out the only connections there are."""

    def __init__(self, call: Call, ledger: OutboundLedger, resolver: Resolver) -> None:
        self.call = call
        self._ledger = ledger
        self._resolver = resolver
        self._clients: list[httpx2.AsyncClient] = []
        self.outcome: CallOutcome | None = None

    def http(
        self, feature: str, reach: Reach = Reach.PUBLIC, *, timeout: float = 60.0, limit: int = ANSWER_LIMIT
    ) -> httpx2.AsyncClient:
        """A client for this call alone, to use or to hand to a vendor's SDK. It is closed with the call.

        `feature`: what the request is for, as the privacy page names it. `timeout`: seconds without a byte.
        `limit`: bytes of an answer. It follows no redirect, uses no proxy of the environment, keeps no cookies.
        """
        # Loaded at the first request: the window and most commands make none.
        import httpx2

        from hivemind.net.client.transport import LedgerTransport

        transport = LedgerTransport(self._ledger, self._resolver, self.call.uuid, feature, reach, limit)
        client = httpx2.AsyncClient(transport=transport, timeout=timeout, trust_env=False, follow_redirects=False)
        self._clients.append(client)
        return client

    async def aclose(self) -> None:
        """Close every connection of the call; what is still under way is cut off."""
        for client in self._clients:
            await client.aclose()


class Client:
    """Opens calls in one mind's log. `resolver` looks names up; tests give their own."""

    def __init__(self, ledger: OutboundLedger, recorder: CallRecorder, *, resolver: Resolver = system_resolver) -> None:
        self._ledger = ledger
        self._recorder = recorder
        self._resolver = resolver

    @asynccontextmanager
    async def during(self, call: Call) -> AsyncIterator[OpenCall]:
        """Record the call, yield what it may use, record its end: `outcome` when the body set one, else a failure.

        Raises RecorderFault before the body when the call cannot be recorded (it is not made), and after the body
        when its end cannot be (its answer must be withheld).
        """
        await self._recorder.started(call)
        opened = OpenCall(call, self._ledger, self._resolver)
        fault: BaseException | None = None
        try:
            yield opened
        except BaseException as raised:
            fault = raised
            raise
        finally:
            # Its end is evidence: a reader who went away does not take it along.
            await asyncio.shield(self._end(opened, fault))

    async def _end(self, opened: OpenCall, fault: BaseException | None) -> None:
        try:
            await opened.aclose()
        finally:
            if fault is None and opened.outcome is not None:
                await self._recorder.finished(opened.outcome)
            else:
                outcome = opened.outcome or CallOutcome(opened.call.uuid)
                await self._recorder.failed(_with_error(outcome, fault))


def _with_error(outcome: CallOutcome, fault: BaseException | None) -> CallOutcome:
    """The outcome with a short stable code: what a fault says in words may quote the answer."""
    if isinstance(fault, HiveMindError):
        code = fault.code
    elif isinstance(fault, asyncio.CancelledError | GeneratorExit):
        code = "cancelled"
    else:
        code = "no_outcome" if fault is None else type(fault).__name__
    return replace(outcome, error=outcome.error or code)
