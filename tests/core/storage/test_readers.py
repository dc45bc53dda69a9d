"""The reader threads: snapshots that cannot be written, cancelling that reaches into SQLite, closing at any time."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from hivemind.errors import Cancelled, InternalFault
from hivemind.storage import Connection, Database

ENDLESS = "WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r"


def count_forever(connection: Connection) -> object:
    return connection.execute(ENDLESS).get


def usable(database: Database) -> bool:
    """Both readers answer (each holds the other up until both are in)."""
    together = threading.Barrier(2)

    def both(connection: Connection) -> object:
        together.wait(10)
        return connection.execute("SELECT 7").get

    return [one.result(10) for one in [database.submit_read(both) for _ in range(2)]] == [7, 7]


def test_a_read_sees_one_snapshot(database: Database) -> None:
    question = "SELECT count(*) FROM meta"

    def twice(connection: Connection) -> tuple[object, object]:
        first = connection.execute(question).get
        database.submit_write(lambda c: c.execute("INSERT INTO meta VALUES ('new', 'x')")).result(10)
        return first, connection.execute(question).get

    first, second = database.submit_read(twice).result(20)
    assert first == second
    assert database.submit_read(lambda c: c.execute(question).get).result() == int(str(first)) + 1


def test_the_snapshot_is_taken_before_the_function_runs(database: Database) -> None:
    def late(connection: Connection) -> object:
        database.submit_write(lambda c: c.execute("INSERT INTO meta VALUES ('late', 'x')")).result(10)
        return connection.execute("SELECT count(*) FROM meta WHERE key = 'late'").get

    assert database.submit_read(late).result(20) == 0


def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(InternalFault):
        database.submit_read(lambda c: c.execute("INSERT INTO meta VALUES ('a', 'b')")).result()
    with pytest.raises(InternalFault):
        database.submit_read(lambda c: c.execute("INSERT INTO memory_frames_fts VALUES ('a')")).result()
    assert usable(database)


def test_two_reads_run_at_once(database: Database) -> None:
    assert usable(database)


def test_cancelling_the_task_interrupts_the_statement(database: Database) -> None:
    async def main() -> None:
        for _ in range(5):
            reading = asyncio.ensure_future(database.read(count_forever))
            await asyncio.sleep(0.03)
            reading.cancel()
            began = time.monotonic()
            with pytest.raises(asyncio.CancelledError):
                await reading
            assert await asyncio.to_thread(usable, database)
            assert time.monotonic() - began < 1.0

    asyncio.run(main())


def test_cancelling_reaches_statements_that_start_later(database: Database) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def stubborn(connection: Connection) -> None:
        begun.set()
        assert go_on.wait(10)
        count_forever(connection)

    work = database.submit_read(stubborn)
    assert begun.wait(10)
    assert work.cancel() is False  # between two statements: there is nothing to interrupt yet
    go_on.set()
    assert isinstance(work.exception(10), Cancelled)
    assert usable(database)


def test_cancelling_drops_a_waiting_read(database: Database) -> None:
    running = [database.submit_read(count_forever) for _ in range(2)]
    while not all(one.running() for one in running):
        time.sleep(0.001)
    ran: list[int] = []
    waiting = database.submit_read(lambda _: ran.append(1))
    assert waiting.cancel() is True
    for one in running:
        one.cancel()
        assert isinstance(one.exception(10), Cancelled)
    assert usable(database)
    assert ran == []


def test_cancelling_one_read_leaves_the_other_alone(database: Database) -> None:
    long = database.submit_read(
        lambda c: (
            c.execute(
                "WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 2000000) SELECT count(*) FROM r"
            ).get
        )
    )
    other = database.submit_read(count_forever)
    time.sleep(0.05)
    other.cancel()
    assert isinstance(other.exception(10), Cancelled)
    assert long.result(30) == 2_000_000


def test_closing_stops_what_runs_and_refuses_what_waits(database: Database) -> None:
    running = [database.submit_read(count_forever) for _ in range(2)]
    waiting = [database.submit_read(count_forever) for _ in range(3)]
    time.sleep(0.05)
    began = time.monotonic()
    database.close()
    assert time.monotonic() - began < 2
    assert all(isinstance(one.exception(0), Cancelled) for one in (*running, *waiting))
    with pytest.raises(Cancelled):
        database.submit_read(count_forever)


def test_an_idle_reader_does_not_hold_up_the_checkpoint(database: Database) -> None:
    database.submit_read(lambda c: c.execute("SELECT * FROM meta").fetchall()).result()
    for number in range(20):
        database.submit_write(lambda c, n=number: c.execute("INSERT INTO meta VALUES (?, 'x')", (f"n{n}",))).result()
    database.submit_unwrapped(lambda c: c.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()).result()
    assert database.path.with_name("test.mind-wal").stat().st_size == 0


def test_the_result_is_not_kept_alive(database: Database) -> None:
    import gc
    import weakref

    class Big:
        pass

    kept = database.submit_read(lambda _: Big()).result()
    seen = weakref.ref(kept)
    del kept
    database.submit_read(lambda _: None).result()
    gc.collect()
    assert seen() is None
