"""The recorder over a real mind: durable before it returns, closed when it cannot write, one chain for all writers."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from hivemind.domain.calls import Call, CallKind, CallOutcome
from hivemind.errors import RecorderFault
from hivemind.gateway import Recorder, genesis, list_interactions, verify_log
from hivemind.mind import Mind

CALLS_PER_PROCESS = 40


def open_mind(path: Path, create: bool = False) -> Mind:
    return Mind.open(path, "personal", create=create, seeders=(genesis(),))


def a_call(name: str, text: str | None = "asked") -> Call:
    return Call(uuid=name, kind=CallKind.LLM_CALL, model="m", provider="p", input_text=text)


@pytest.fixture
def mind(tmp_path: Path) -> Iterator[Mind]:
    opened = open_mind(tmp_path / "one.mind", create=True)
    yield opened
    opened.close()


def looked_at(path: Path, look: Callable[[apsw.Connection], object]) -> object:
    """What another process sees in the file now."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return look(connection)
    finally:
        connection.close()


def kinds(mind: Mind) -> list[str]:
    query = "SELECT kind FROM ai_log_chain ORDER BY seq"
    return [kind for (kind,) in mind.submit_read(lambda tx: tx.connection.execute(query).fetchall()).result()]


def checked(mind: Mind) -> None:
    assert mind.submit_read(lambda tx: verify_log(tx.connection)).result().findings == ()


def test_each_step_is_on_disk_when_it_returns(mind: Mind) -> None:
    def states(connection: apsw.Connection) -> list[str]:
        return [one.state for one in list_interactions(connection)]

    async def errand() -> None:
        recorder = Recorder(mind)
        await recorder.started(a_call("c1"))
        assert looked_at(mind.path, states) == ["started"]
        await recorder.finished(CallOutcome("c1", input_tokens=3, output_text="said"))
        assert looked_at(mind.path, states) == ["finished"]
        await recorder.started(a_call("c2"))
        await recorder.failed(CallOutcome("c2", error="HTTP 429"))
        assert looked_at(mind.path, states) == ["finished", "failed"]

    asyncio.run(errand())
    checked(mind)


def test_what_cannot_be_recorded_is_refused_with_the_reason(mind: Mind) -> None:
    async def errand() -> None:
        recorder = Recorder(mind)
        with pytest.raises(RecorderFault, match="half a character"):
            await recorder.started(a_call("c1", "\ud83d"))
        with pytest.raises(RecorderFault, match="never recorded"):
            await recorder.finished(CallOutcome("c1"))
        await recorder.started(a_call("c2"))
        with pytest.raises(RecorderFault):
            await recorder.started(a_call("c2"))

    asyncio.run(errand())
    checked(mind)


def test_a_gap_is_told_by_the_next_entry_that_can_be_written(mind: Mind) -> None:
    async def errand() -> None:
        recorder = Recorder(mind)
        for _ in range(2):
            with pytest.raises(RecorderFault):
                await recorder.started(a_call("not a token"))
        assert recorder.missed == 2
        await recorder.started(a_call("c1"))
        assert recorder.missed == 0
        await recorder.finished(CallOutcome("c1"))

    asyncio.run(errand())
    assert kinds(mind) == ["genesis", "log_gap", "llm_call", "llm_call"]
    query = "SELECT detail_json ->> 'missed' FROM ai_log_chain WHERE kind = 'log_gap'"
    assert mind.submit_read(lambda tx: tx.connection.execute(query).get).result() == 2
    checked(mind)


def test_a_full_disk_withholds_the_call_and_the_answer(mind: Mind) -> None:
    def fill_up(full: bool) -> None:
        def limit(connection: apsw.Connection) -> None:
            pages = connection.pragma("page_count")
            connection.authorizer = None
            connection.pragma("max_page_count", pages if full else 2**30)

        mind.database.submit_write(limit).result()

    big = "x" * 200_000

    async def errand() -> None:
        recorder = Recorder(mind)
        await recorder.started(a_call("before"))
        fill_up(full=True)
        with pytest.raises(RecorderFault, match="disk is full"):
            await recorder.started(a_call("never", big))
        with pytest.raises(RecorderFault, match="disk is full"):
            await recorder.finished(CallOutcome("before", output_text=big))
        fill_up(full=False)
        await recorder.finished(CallOutcome("before", output_text=big))

    asyncio.run(errand())
    listed = mind.submit_read(lambda tx: list_interactions(tx.connection)).result()
    assert [(one.call_uuid, one.state) for one in listed] == [("before", "finished")]
    assert kinds(mind)[-2:] == ["log_gap", "llm_call"]
    checked(mind)


def test_a_closed_mind_records_nothing_and_says_so(mind: Mind) -> None:
    mind.close()

    async def errand() -> None:
        recorder = Recorder(mind)
        with pytest.raises(RecorderFault) as caught:
            await recorder.started(a_call("c1"))
        assert caught.value.hint
        with pytest.raises(RecorderFault):
            await recorder.finished(CallOutcome("c1"))

    asyncio.run(errand())


def test_a_cancelled_caller_does_not_cancel_the_evidence(mind: Mind) -> None:
    async def errand() -> None:
        recorder = Recorder(mind)
        await recorder.started(a_call("c1"))
        busy = threading.Event()
        blocked = mind.submit_write(lambda tx: busy.wait(20))
        task = asyncio.create_task(recorder.finished(CallOutcome("c1", output_text="said")))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        busy.set()
        assert await asyncio.wrap_future(blocked)
        await recorder.started(a_call("c2"))

    asyncio.run(errand())
    listed = mind.submit_read(lambda tx: list_interactions(tx.connection)).result()
    assert [(one.call_uuid, one.state) for one in listed] == [("c1", "finished"), ("c2", "started")]


def test_many_calls_at_once_share_one_chain(mind: Mind) -> None:
    async def errand() -> None:
        recorder = Recorder(mind)

        async def one(number: int) -> None:
            if number % 5 == 0:
                with pytest.raises(RecorderFault):
                    await recorder.started(a_call("not a token"))
            await recorder.started(a_call(f"c{number}"))
            await asyncio.sleep(0)
            await recorder.finished(CallOutcome(f"c{number}"))

        await asyncio.gather(*(one(number) for number in range(30)))
        assert recorder.missed == 0

    asyncio.run(errand())
    query = "SELECT sum(detail_json ->> 'missed') FROM ai_log_chain WHERE kind = 'log_gap'"
    assert mind.submit_read(lambda tx: tx.connection.execute(query).get).result() == 6
    assert Counter(kinds(mind))["llm_call"] == 60
    checked(mind)


def record_calls(path: Path) -> None:
    """One process: its own mind object, its own writer thread."""
    mind = open_mind(path)

    async def errand() -> None:
        recorder = Recorder(mind)
        for _ in range(CALLS_PER_PROCESS):
            name = str(uuid.uuid4())
            await recorder.started(a_call(name))
            await recorder.finished(CallOutcome(name, output_text="said", input_tokens=1))

    asyncio.run(errand())
    mind.close()


def test_two_processes_write_one_chain(mind: Mind) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=record_calls, args=(mind.path,)) for _ in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
    assert [writer.exitcode for writer in writers] == [0, 0]
    check = mind.submit_read(lambda tx: verify_log(tx.connection)).result()
    assert (check.findings, check.entries) == ((), 1 + 2 * 2 * CALLS_PER_PROCESS)
    listed = mind.submit_read(lambda tx: list_interactions(tx.connection)).result()
    assert Counter(one.state for one in listed) == {"finished": 2 * CALLS_PER_PROCESS}
