"""The writer thread: one transaction per function, priorities, other processes' locks, closing with work queued."""

from __future__ import annotations

import asyncio
import json
import threading
import time

import pytest
from tests.core.storage.conftest import Start, fill

from hivemind.errors import Cancelled, InternalFault, InvalidFrame, MindBusy
from hivemind.storage import Connection, Database, Priority
from hivemind.storage import writer as writer_module


def put(connection: Connection, key: str) -> None:
    connection.execute("INSERT INTO meta VALUES (?, 'x')", (key,))


def keys(database: Database, like: str = "k%") -> list[str]:
    question = "SELECT key FROM meta WHERE key LIKE ? ORDER BY key"
    return [row[0] for row in database.submit_read(lambda c: c.execute(question, (like,)).fetchall()).result()]


class Gate:
    """Holds the writer thread inside a write until it is opened."""

    def __init__(self, database: Database) -> None:
        self.entered, self.opened = threading.Event(), threading.Event()
        self.work = database.submit_write(self._wait)
        assert self.entered.wait(10)

    def _wait(self, connection: Connection) -> None:
        put(connection, "k gate")
        self.entered.set()
        assert self.opened.wait(30)


def test_a_write_commits_and_returns(database: Database) -> None:
    assert database.submit_write(lambda c: (put(c, "k1"), 42)[1]).result() == 42
    assert keys(database) == ["k1"]


def test_an_exception_rolls_back_and_arrives_as_it_is(database: Database) -> None:
    def half(connection: Connection) -> None:
        put(connection, "k half")
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        database.submit_write(half).result()
    assert keys(database) == []
    database.submit_write(lambda c: put(c, "k1")).result()
    assert keys(database) == ["k1"]


def test_a_shape_that_is_not_allowed(database: Database) -> None:
    database.submit_write(lambda c: fill(c, 2)).result()
    with pytest.raises(InvalidFrame) as caught:
        database.submit_write(lambda c: c.execute("UPDATE memory_frames SET frame_type = 'I'")).result()
    assert "I-frame" in caught.value.details


def test_a_write_may_not_end_its_own_transaction(database: Database) -> None:
    with pytest.raises(InternalFault):
        database.submit_write(lambda c: c.execute("COMMIT")).result()
    with pytest.raises(InternalFault):
        database.submit_write(lambda c: c.execute("SELEC")).result()
    database.submit_write(lambda c: put(c, "k1")).result()


def test_one_fn_is_one_transaction_on_one_thread(database: Database) -> None:
    seen = [
        database.submit_write(lambda c: (threading.get_ident(), c.in_transaction, c.txn_state("main"))).result()
        for _ in range(5)
    ]
    assert len(set(seen)) == 1
    assert seen[0][1] is True
    assert seen[0][2] == 2  # SQLITE_TXN_WRITE: begun as a writer, not upgraded
    assert seen[0][0] != threading.get_ident()


def test_interactive_overtakes_import_overtakes_housekeeping(database: Database) -> None:
    gate, order = Gate(database), []
    waiting = []
    for number in range(4):
        for priority in (Priority.HOUSEKEEPING, Priority.IMPORT, Priority.INTERACTIVE):
            label = (priority, number)
            waiting.append(database.submit_write(lambda _, label=label: order.append(label), priority))
    gate.opened.set()
    for one in waiting:
        one.result(10)
    assert order == [(priority, number) for priority in Priority for number in range(4)]


def test_an_interactive_write_does_not_wait_for_a_long_import(database: Database) -> None:
    """200 import batches are queued; a save in the middle of them is done after at most two."""
    done: list[str] = []

    def batch(connection: Connection) -> None:
        fill(connection, 20)
        done.append("import")

    imports = [database.submit_write(batch, Priority.IMPORT) for _ in range(200)]
    imports[20].result(30)
    at = len(done)
    database.submit_write(lambda _: done.append("save")).result(10)
    assert done.index("save") - at <= 2
    assert not imports[-1].done()
    for one in imports:
        one.cancel()


def test_async_write_and_read(database: Database) -> None:
    async def main() -> None:
        assert await database.write(lambda c: put(c, "k1")) is None
        assert await database.read(lambda c: c.execute("SELECT count(*) FROM meta WHERE key = 'k1'").get) == 1
        with pytest.raises(ZeroDivisionError):
            await database.write(lambda _: 1 / 0)

    asyncio.run(main())


def test_cancelling_drops_a_waiting_write_and_finishes_a_running_one(database: Database) -> None:
    async def main() -> None:
        gate = Gate(database)
        waiting = asyncio.ensure_future(database.write(lambda c: put(c, "k waiting")))
        await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert gate.work.cancel() is False
        gate.opened.set()
        await database.write(lambda c: put(c, "k after"))

    asyncio.run(main())
    assert keys(database) == ["k after", "k gate"]


def test_a_lock_of_another_process_is_waited_out(database: Database, second_process: Start) -> None:
    """Two seconds: neither the write fails nor does the loop or a reader stop."""

    async def main() -> tuple[float, float]:
        write = asyncio.ensure_future(database.write(lambda c: put(c, "k1")))
        longest, last, began = 0.0, time.monotonic(), time.monotonic()
        while not write.done():
            await asyncio.sleep(0.005)
            longest, last = max(longest, time.monotonic() - last), time.monotonic()
            assert await database.read(lambda c: c.execute("SELECT 1").get) == 1
        await write
        return time.monotonic() - began, longest

    holder = second_process("hold", database.path, 2)
    assert holder.stdout is not None
    assert json.loads(holder.stdout.readline()) == {"locked": True}
    waited, longest = asyncio.run(main())
    assert 1.0 < waited < 5.0
    assert longest < 0.3
    assert keys(database) == ["k1"]


def test_a_lock_that_stays_is_named(database: Database, second_process: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "PATIENCE_SECONDS", 0.6)
    holder = second_process("hold", database.path, 30)
    assert holder.stdout is not None
    holder.stdout.readline()
    with pytest.raises(MindBusy):
        database.submit_write(lambda c: put(c, "k1")).result(10)
    holder.kill()
    holder.wait()
    database.submit_write(lambda c: put(c, "k2")).result(10)
    assert keys(database) == ["k2"]


def test_two_processes_write_and_nothing_is_lost(database: Database, second_process: Start) -> None:
    count = 150
    others = [second_process("write", database.path, count) for _ in range(2)]
    for other in others:
        assert other.stdout is not None and other.stdin is not None
        other.stdout.readline()
    for other in others:
        other.stdin.write("go\n")
        other.stdin.flush()
    for number in range(count):
        database.submit_write(lambda c, n=number: put(c, f"k{n:04d}")).result(20)
    for other in others:
        out, err = other.communicate(timeout=60)
        assert json.loads(out.splitlines()[-1]) == {"written": count}, err
    assert len(keys(database)) == count
    for other in others:
        assert len(keys(database, f"{other.pid}-%")) == count


def test_closing_finishes_interactive_work_and_refuses_the_rest(database: Database) -> None:
    gate = Gate(database)
    saves = [database.submit_write(lambda c, n=n: put(c, f"k save {n}")) for n in range(3)]
    imports = [database.submit_write(lambda c: put(c, "k import"), Priority.IMPORT) for _ in range(3)]
    closing = threading.Thread(target=database.close)
    closing.start()
    for one in imports:
        with pytest.raises(Cancelled):
            one.result(10)
    assert not gate.work.done()
    gate.opened.set()
    closing.join(10)
    assert not closing.is_alive()
    assert [one.exception(0) for one in saves] == [None] * 3
    with pytest.raises(Cancelled):
        database.submit_write(lambda c: put(c, "k late"))
    again = Database.open(database.path)
    assert keys(again) == ["k gate", "k save 0", "k save 1", "k save 2"]
    again.close()


def test_closing_leaves_one_file_and_no_threads(database: Database) -> None:
    database.submit_write(lambda c: fill(c, 50)).result()
    database.close()
    database.close()
    assert [one.name for one in database.path.parent.iterdir()] == ["test.mind"]
    assert not [one.name for one in threading.enumerate() if one.name.endswith("test.mind")]


def test_closing_from_inside_its_own_work_is_refused_and_closes_nothing(database: Database) -> None:
    with pytest.raises(InternalFault):
        database.submit_write(lambda _: database.close()).result(10)
    with pytest.raises(InternalFault):
        database.submit_read(lambda _: database.close()).result(10)
    database.submit_write(lambda c: put(c, "k1")).result()
    assert keys(database) == ["k1"]


def test_closing_while_another_process_holds_the_lock(database: Database, second_process: Start) -> None:
    holder = second_process("hold", database.path, 30)
    assert holder.stdout is not None
    holder.stdout.readline()
    waiting = database.submit_write(lambda c: put(c, "k1"))
    began = time.monotonic()
    database.close()
    assert time.monotonic() - began < 5
    assert isinstance(waiting.exception(0), MindBusy)


def test_many_rows_in_one_fn_are_faster(database: Database) -> None:
    """The floor is 3.5 ×; benchmarks measure it properly, this sees a collapse."""
    began = time.perf_counter()
    database.submit_write(lambda c: fill(c, 1000)).result()
    bulk = time.perf_counter() - began
    base = database.submit_read(lambda c: c.execute("SELECT min(id) FROM memory_frames").get).result()
    began = time.perf_counter()
    for number in range(200):
        database.submit_write(
            lambda c, n=number: c.execute(
                "INSERT INTO memory_frames (frame_type, gop_id, t, base_frame_id, patch_kind, content, uuid, "
                "content_hash, norm_hash) VALUES ('P', 'gop-0', ?, ?, 'add', ?, ?, zeroblob(16), zeroblob(8))",
                (1000 + n, base, f"the ferry to Piran leaves at noon {n}", f"single-{n}"),
            )
        ).result()
    single = (time.perf_counter() - began) * 5
    assert single / bulk > 3.5
