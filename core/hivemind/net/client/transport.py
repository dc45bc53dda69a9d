"""One request on its way: a ledger line on disk before it is sent, completed with what really went and came."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator

import httpcore2
import httpx2

from hivemind.clock import stamp, system_clock
from hivemind.domain.calls import Outbound
from hivemind.errors import AnswerTooLarge, AnswerUnreadable, HiveMindError, HostUnreachable, TimedOut
from hivemind.net.client.pinning import PinnedBackend
from hivemind.net.client.resolving import Resolver
from hivemind.net.guard import Reach, Target, check_target
from hivemind.net.ledger import OutboundLedger


class LedgerTransport(httpx2.AsyncBaseTransport):
    """Sends requests of one call. Raises errors of `hivemind.errors` only."""

    def __init__(
        self, ledger: OutboundLedger, resolver: Resolver, call_uuid: str, feature: str, reach: Reach, limit: int
    ) -> None:
        self._ledger = ledger
        self._resolver = resolver
        self._call_uuid = call_uuid
        self._feature = feature
        self._reach = reach
        self._limit = limit
        self._pools: dict[Target, httpcore2.AsyncConnectionPool] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        target = check_target(str(request.url), self._reach)
        # A compressed answer of a few kilobytes can unpack to gigabytes, past every limit on what is read.
        request.headers["accept-encoding"] = "identity"
        _say_no_more_than_needed(request)
        sent = _Counted(request)
        line = await self._ledger.opened(
            Outbound(
                call_uuid=self._call_uuid,
                at=stamp(system_clock()),
                feature=self._feature,
                method=request.method,
                host=request.url.netloc.decode("ascii"),
                path=request.url.path or "/",
                bytes_out=0,
            )
        )
        end = _LineEnd(self._ledger, line, sent)
        try:
            answer = await self._pool(target).handle_async_request(sent.as_sent())
        except BaseException as fault:
            await end.written(status=None, bytes_in=0)
            named = _named(fault, target)
            if named is fault:  # `from` itself would make a ring of causes.
                raise
            raise named from fault
        return _Answer(answer, end, target, self._limit).as_response()

    async def aclose(self) -> None:
        for pool in self._pools.values():
            await pool.aclose()

    def _pool(self, target: Target) -> httpcore2.AsyncConnectionPool:
        if target not in self._pools:
            self._pools[target] = httpcore2.AsyncConnectionPool(
                ssl_context=httpx2.create_ssl_context(trust_env=False) if target.encrypted else None,
                max_connections=4,
                network_backend=PinnedBackend(target, self._reach, self._resolver),
            )
        return self._pools[target]


class _Counted:
    """A request whose body is counted as it leaves, its head as it is written in HTTP/1.1."""

    def __init__(self, request: httpx2.Request) -> None:
        self._request = request
        target = request.url.raw_path
        self.bytes_out = len(request.method) + len(target) + 12 + sum(len(k) + len(v) + 4 for k, v in _head(request))

    def as_sent(self) -> httpcore2.Request:
        url = self._request.url
        return httpcore2.Request(
            method=self._request.method,
            url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=_head(self._request),
            content=self._body(),
            extensions=self._request.extensions,
        )

    async def _body(self) -> AsyncIterator[bytes]:
        stream = self._request.stream
        if not isinstance(stream, httpx2.AsyncByteStream):
            raise TypeError("A request of an asynchronous client has an asynchronous body")
        async for piece in stream:
            self.bytes_out += len(piece)
            yield piece


class _LineEnd:
    """Completes a ledger line once, also when the caller is cancelled."""

    def __init__(self, ledger: OutboundLedger, line: int, sent: _Counted) -> None:
        self._ledger = ledger
        self._line = line
        self._sent = sent
        self._done = False

    async def written(self, *, status: int | None, bytes_in: int) -> None:
        if not self._done:
            self._done = True
            await asyncio.shield(
                self._ledger.closed(self._line, status=status, bytes_in=bytes_in, bytes_out=self._sent.bytes_out)
            )


class _Answer(httpx2.AsyncByteStream):
    """An answer's body, counted and cut off at the limit."""

    def __init__(self, answer: httpcore2.Response, end: _LineEnd, target: Target, limit: int) -> None:
        self._answer = answer
        self._end = end
        self._target = target
        self._limit = limit
        self._bytes_in = 0

    def as_response(self) -> httpx2.Response:
        return httpx2.Response(
            status_code=self._answer.status,
            headers=self._answer.headers,
            stream=self,
            extensions=self._answer.extensions,
        )

    async def __aiter__(self) -> AsyncIterator[bytes]:
        packed = {value.lower() for name, value in self._answer.headers if name.lower() == b"content-encoding"}
        if packed - {b"identity"}:
            raise AnswerUnreadable(hint=f"{self._target.host} sent it packed although it was asked not to.")
        try:
            async for piece in _pieces(self._answer):
                self._bytes_in += len(piece)
                if self._bytes_in > self._limit:
                    raise AnswerTooLarge(hint=f"It was cut off after {self._limit} bytes.")
                yield piece
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as fault:
            raise _named(fault, self._target) from fault

    async def aclose(self) -> None:
        try:
            await self._answer.aclose()
        finally:
            await self._end.written(status=self._answer.status, bytes_in=self._bytes_in)


def _pieces(answer: httpcore2.Response) -> AsyncIterable[bytes]:
    # Not `aiter_stream`: SDKs read a finished answer once more, to be sure, and that refuses.
    if not isinstance(answer.stream, AsyncIterable):
        raise TypeError("An answer to an asynchronous client has an asynchronous body")
    return answer.stream


def _say_no_more_than_needed(request: httpx2.Request) -> None:
    """SDKs tell the operating system, its version and the interpreter with each request: nobody needs to know."""
    for name in [name for name in request.headers if name.startswith("x-stainless-")]:
        del request.headers[name]
    request.headers["user-agent"] = "Hive-Mind"


def _head(request: httpx2.Request) -> list[tuple[bytes, bytes]]:
    return list(request.headers.raw)


def _named(fault: BaseException, target: Target) -> BaseException:
    """A fault of the connection as one of ours. The rest stays what it is (a cancelled task, a bug)."""
    if isinstance(fault, HiveMindError) or not isinstance(fault, Exception):
        return fault
    if isinstance(fault, httpcore2.TimeoutException):
        return TimedOut(f"{target.host} did not answer in time", details=type(fault).__name__)
    if isinstance(fault, httpcore2.NetworkError | OSError):
        return HostUnreachable(f"{target.host} cannot be reached", details=type(fault).__name__)
    if isinstance(fault, httpcore2.ProtocolError):
        return AnswerUnreadable(details=type(fault).__name__)
    return fault
