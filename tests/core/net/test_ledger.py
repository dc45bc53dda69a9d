"""The outbound ledger: on disk before anything is sent, completed once, and never with a key or a query in it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.domain.calls import Outbound
from hivemind.errors import HiveMindError, InvalidValue, NotFound
from hivemind.net import OutboundLedger, OutboundStore
from hivemind.storage import Database, SchemaKind

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SENT = Outbound("c1", "2026-11-30T11:59:59.000Z", "ask", "POST", "api.example.org", "/v1/chat/completions", 120)


@pytest.fixture
def install(tmp_path: Path) -> Iterator[Database]:
    database = Database.open(tmp_path / "install.db", create=True, kind=SchemaKind.INSTALL)
    yield database
    database.close()


@pytest.fixture
def store() -> Iterator[OutboundStore]:
    connection = apsw.Connection(":memory:")
    connection.execute(SchemaKind.INSTALL.script)
    yield OutboundStore(connection)
    connection.close()


def test_a_line_is_on_disk_before_anything_is_sent(install: Database) -> None:
    async def errand() -> None:
        ledger = OutboundLedger(install, lambda: NOON)
        line = await ledger.opened(SENT)
        with_own_eyes = apsw.Connection(str(install.path), flags=apsw.SQLITE_OPEN_READONLY)
        [seen] = OutboundStore(with_own_eyes).list_open()
        assert (seen.id, seen.host, seen.path, seen.bytes_out) == (line, SENT.host, SENT.path, 120)
        assert (seen.status, seen.bytes_in, seen.finished_at) == (None, None, None)
        await ledger.closed(line, status=200, bytes_in=4_000, bytes_out=150)
        [done] = OutboundStore(with_own_eyes).list_lines()
        assert (done.status, done.bytes_in, done.bytes_out) == (200, 4_000, 150)
        assert done.finished_at == "2026-11-30T12:00:00.000Z"
        assert OutboundStore(with_own_eyes).list_open() == []
        with_own_eyes.close()

    asyncio.run(errand())


def test_what_was_never_answered_stays_open(store: OutboundStore) -> None:
    failed, crashed = store.open_line(SENT), store.open_line(replace(SENT, call_uuid="c2"))
    store.close_line(failed, SENT.at, status=None, bytes_in=0, bytes_out=120)
    assert [line.id for line in store.list_open()] == [crashed]
    assert store.list_lines()[0].status is None


def test_a_line_is_completed_once(store: OutboundStore) -> None:
    line = store.open_line(SENT)
    store.close_line(line, SENT.at, status=200, bytes_in=1, bytes_out=1)
    for unknown in (line, line + 1):
        with pytest.raises(NotFound):
            store.close_line(unknown, SENT.at, status=500, bytes_in=9, bytes_out=9)
    assert store.list_lines()[0].status == 200


def test_retries_of_a_call_are_lines_of_their_own(store: OutboundStore) -> None:
    lines = [store.open_line(SENT) for _ in range(3)]
    store.open_line(replace(SENT, call_uuid="c2"))
    assert [line.id for line in store.list_of_call("c1")] == lines


def test_times_bound_the_list(store: OutboundStore) -> None:
    for day in ("28", "29", "30"):
        store.open_line(replace(SENT, call_uuid=f"d{day}", at=f"2026-11-{day}T10:00:00.000Z"))
    since, until = "2026-11-28T10:00:00.001Z", "2026-11-30T10:00:00.000Z"
    assert [line.call_uuid for line in store.list_lines(since, until)] == ["d29"]
    assert len(store.list_lines()) == 3


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("path", "/v1/models?key=SECRET"),
        ("path", "/v1/models#SECRET"),
        ("path", "v1"),
        ("path", ""),
        ("path", "/with space"),
        ("path", "/" + "x" * 2001),
        ("host", "SECRET@api.example.org"),
        ("host", "api.example.org/SECRET"),
        ("host", ""),
        ("host", "a b"),
        ("method", "post"),
        ("feature", "what is SECRET?"),
        ("call_uuid", "c 1"),
        ("bytes_out", -1),
    ],
)
def test_what_may_hold_a_key_or_words_is_refused_unrepeated(field: str, value: object, store: OutboundStore) -> None:
    with pytest.raises(InvalidValue) as caught:
        store.open_line(replace(SENT, **{field: value}))
    fault = caught.value
    assert "SECRET" not in f"{fault} {fault.details}"
    assert store.list_lines() == []


@pytest.mark.parametrize("host", ["localhost:11434", "127.0.0.1:8080", "[::1]:4000", "[fe80::1]", "api.openai.com"])
def test_hosts_and_addresses_are_written_as_they_are(host: str, store: OutboundStore) -> None:
    store.open_line(replace(SENT, host=host))
    assert store.list_lines()[0].host == host


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_host_and_path_is_written_or_refused(host: str, path: str) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(SchemaKind.INSTALL.script)
    store = OutboundStore(connection)
    try:
        store.open_line(replace(SENT, host=host, path=path))
    except InvalidValue:
        assert store.list_lines() == []
    else:
        [line] = store.list_lines()
        assert (line.host, line.path) == (host, path)
        assert not set("?#@ ") & set(host) | set("?# ") & set(path)
    finally:
        connection.close()


def test_when_the_ledger_cannot_be_written_the_caller_is_told(install: Database) -> None:
    install.close()
    with pytest.raises(HiveMindError):
        asyncio.run(OutboundLedger(install).opened(SENT))
