"""A call over a real server: recorded, then in the ledger, then sent; ended in both, whatever happens in between.

Covers: calls, pinning, resolving, transport.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hivemind.domain.calls import Call, CallKind, CallOutcome
from hivemind.errors import (
    AddressRefused,
    AnswerTooLarge,
    AnswerUnreadable,
    HiveMindError,
    HostUnreachable,
    RecorderFault,
    TimedOut,
)
from hivemind.net import LedgerLine, OutboundLedger, OutboundStore, Reach
from hivemind.net.client import Client
from hivemind.storage import Database, SchemaKind

CALL = Call(uuid="call-1", kind=CallKind.LLM_CALL, model="m", provider="p")
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Notebook:
    """A recorder that keeps what it is told, and can be out of ink."""

    entries: list[tuple[str, str, str]] = field(default_factory=list)
    refuses: frozenset[str] = frozenset()

    async def started(self, call: Call) -> None:
        self._note("started", call.uuid, "")

    async def finished(self, outcome: CallOutcome) -> None:
        self._note("finished", outcome.uuid, outcome.error)

    async def failed(self, outcome: CallOutcome) -> None:
        self._note("failed", outcome.uuid, outcome.error)

    def _note(self, state: str, uuid: str, error: str) -> None:
        if state in self.refuses:
            raise RecorderFault
        self.entries.append((state, uuid, error))


@pytest.fixture
def install(tmp_path: Path) -> Iterator[Database]:
    database = Database.open(tmp_path / "install.db", create=True, kind=SchemaKind.INSTALL)
    yield database
    database.close()


async def lines(install: Database) -> list[LedgerLine]:
    return await install.read(lambda connection: OutboundStore(connection).list_lines())


@asynccontextmanager
async def serving(answer: bytes | Serve) -> AsyncIterator[int]:
    """A server on this computer; yields its port."""

    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if isinstance(answer, bytes):
                await reader.readuntil(b"\r\n\r\n")
                writer.write(answer)
                await writer.drain()
            else:
                await answer(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(once, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def ask(client: Client, url: str, **how: object) -> bytes:
    async with client.during(CALL) as call:
        http = call.http("ask", Reach.LOCAL, **how)  # type: ignore[arg-type]
        answer = await http.post(url, content=b"question", headers={"authorization": "Bearer sk-canary"})
        call.outcome = CallOutcome(CALL.uuid, output_text=answer.text)
        return answer.content


def test_a_call_is_recorded_listed_sent_and_ended(install: Database) -> None:
    async def errand() -> None:
        notes = Notebook()
        seen: list[tuple[list[tuple[str, str, str]], list[LedgerLine]]] = []

        async def look_first(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            seen.append((list(notes.entries), await lines(install)))
            writer.write(OK)
            await writer.drain()

        async with serving(look_first) as port:
            assert await ask(Client(OutboundLedger(install), notes), f"http://localhost:{port}/v1/chat?x=1") == b"hello"
        entries, ledger = seen[0]
        assert entries == [("started", "call-1", "")]
        assert [(line.host, line.path, line.finished_at) for line in ledger] == [
            (f"localhost:{port}", "/v1/chat", None)
        ]
        assert notes.entries[1:] == [("finished", "call-1", "")]
        [line] = await lines(install)
        assert (line.status, line.bytes_in, line.feature, line.method) == (200, 5, "ask", "POST")
        assert line.bytes_out > len(b"question") + len("authorization: Bearer sk-canary")
        assert "canary" not in repr(line)

    asyncio.run(errand())


def test_what_cannot_be_recorded_is_not_sent(install: Database) -> None:
    async def errand() -> None:
        async with serving(OK) as port:
            with pytest.raises(RecorderFault):
                await ask(
                    Client(OutboundLedger(install), Notebook(refuses=frozenset({"started"}))),
                    f"http://localhost:{port}/",
                )
        assert await lines(install) == []

    asyncio.run(errand())


def test_what_cannot_be_listed_is_not_sent(install: Database) -> None:
    async def errand() -> None:
        served: list[int] = []

        async def count(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            served.append(1)

        notes = Notebook()
        async with serving(count) as port:
            await install.write(lambda connection: connection.execute("DROP TABLE outbound_ledger"))
            with pytest.raises(HiveMindError):
                await ask(Client(OutboundLedger(install), notes), f"http://localhost:{port}/")
        assert served == []
        assert [state for state, *_ in notes.entries] == ["started", "failed"]

    asyncio.run(errand())


def test_an_answer_whose_end_is_not_recorded_is_withheld(install: Database) -> None:
    async def errand() -> None:
        async with serving(OK) as port:
            with pytest.raises(RecorderFault):
                await ask(
                    Client(OutboundLedger(install), Notebook(refuses=frozenset({"finished"}))),
                    f"http://localhost:{port}/",
                )

    asyncio.run(errand())


async def _silence(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    await asyncio.sleep(5)


async def _hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")


async def _endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        writer.write(b"x" * 65536)
        await writer.drain()


async def _cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nhalf")
    await writer.drain()


PACKED = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\n\x1f\x8b\x08\x00"


@pytest.mark.parametrize(
    ("answer", "fault", "status"),
    [
        pytest.param(_silence, TimedOut, None, id="silence"),
        pytest.param(_hang_up, AnswerUnreadable, None, id="hangs up"),
        pytest.param(b"SSH-2.0-OpenSSH_9.2\r\n", AnswerUnreadable, None, id="another protocol"),
        pytest.param(_endless, AnswerTooLarge, 200, id="endless"),
        pytest.param(_cut, AnswerUnreadable, 200, id="cut off"),
        pytest.param(PACKED, AnswerUnreadable, 200, id="packed"),
    ],
)
def test_each_way_to_fail_has_a_name_and_an_end(
    answer: bytes | Serve, fault: type[HiveMindError], status: int | None, install: Database
) -> None:
    async def errand() -> None:
        notes = Notebook()
        async with serving(answer) as port:
            with pytest.raises(fault):
                await ask(
                    Client(OutboundLedger(install), notes), f"http://localhost:{port}/", timeout=0.3, limit=100_000
                )
        assert notes.entries == [("started", "call-1", ""), ("failed", "call-1", fault.code)]
        [line] = await lines(install)
        assert line.finished_at is not None
        assert line.status == status
        assert (line.bytes_in or 0) < 300_000

    asyncio.run(errand())


def test_nobody_there(install: Database) -> None:
    async def errand() -> None:
        async with serving(OK) as port:
            pass
        with pytest.raises(HostUnreachable):
            await ask(Client(OutboundLedger(install), Notebook()), f"http://localhost:{port}/")
        with pytest.raises(HostUnreachable):
            await ask(Client(OutboundLedger(install), Notebook(), resolver=_says()), "http://nowhere.example/")

    asyncio.run(errand())


def _says(*addresses: str) -> Callable[[str, int], Awaitable[list[str]]]:
    async def resolver(host: str, port: int) -> list[str]:
        return list(addresses)

    return resolver


def test_a_name_that_leads_home_is_refused(install: Database) -> None:
    """Also when only one of its addresses does, and the ledger keeps the attempt."""

    async def errand() -> None:
        notes = Notebook()
        async with serving(OK):
            for addresses in (("127.0.0.1",), ("8.8.8.8", "127.0.0.1"), ("169.254.169.254",)):
                with pytest.raises(AddressRefused):
                    async with Client(OutboundLedger(install), notes, resolver=_says(*addresses)).during(CALL) as call:
                        await call.http("ask").get("https://rebinding.example/")
        assert {error for state, _, error in notes.entries if state == "failed"} == {"address_refused"}
        assert [line.status for line in await lines(install)] == [None, None, None]

    asyncio.run(errand())


def test_a_redirect_is_not_followed(install: Database) -> None:
    async def errand() -> None:
        moved = b"HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n"
        async with serving(moved) as port, Client(OutboundLedger(install), Notebook()).during(CALL) as call:
            answer = await call.http("ask", Reach.LOCAL).get(f"http://localhost:{port}/")
            assert answer.status_code == 302
        assert len(await lines(install)) == 1

    asyncio.run(errand())


def test_a_cancelled_call_is_ended_in_both_books(install: Database) -> None:
    async def errand() -> None:
        notes = Notebook()
        async with serving(_endless) as port:
            client = Client(OutboundLedger(install), notes)

            async def read_on() -> None:
                async with client.during(CALL) as call:
                    http = call.http("ask", Reach.LOCAL, limit=10**9)
                    async with http.stream("POST", f"http://localhost:{port}/", content=b"q") as answer:
                        async for _ in answer.aiter_bytes():
                            await asyncio.sleep(0.01)

            reading = asyncio.create_task(read_on())
            await asyncio.sleep(0.2)
            reading.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reading
        assert notes.entries == [("started", "call-1", ""), ("failed", "call-1", "cancelled")]
        [line] = await lines(install)
        assert line.status == 200
        assert line.bytes_in

    asyncio.run(errand())


def test_a_call_without_an_outcome_has_failed(install: Database) -> None:
    async def errand() -> None:
        notes = Notebook()
        async with Client(OutboundLedger(install), notes).during(CALL):
            pass
        assert notes.entries[-1] == ("failed", "call-1", "no_outcome")

    asyncio.run(errand())
