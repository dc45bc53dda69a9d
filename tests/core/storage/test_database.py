"""The whole: what changed is noticed, and no order of writing, reading, cancelling and closing loses an answer."""

from __future__ import annotations

import asyncio
import tempfile
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.storage.conftest import Start

from hivemind.errors import Cancelled
from hivemind.storage import Connection, Database, Priority, SchemaKind


def test_data_version_changes_with_every_commit_by_anyone(database: Database, second_process: Start) -> None:
    async def main() -> None:
        seen = [await database.data_version()]
        for _ in range(4):
            assert await database.data_version() == seen[-1]
        await database.write(lambda c: c.execute("INSERT INTO meta VALUES ('a', 'b')"))
        seen.append(await database.data_version())
        await database.write(lambda c: c.execute("SELECT 1").get)
        assert await database.data_version() == seen[-1]
        other = second_process("write", database.path, 1)
        await asyncio.to_thread(other.communicate, "go\n", 30)
        seen.append(await database.data_version())
        assert len(set(seen)) == 3

    asyncio.run(main())


def test_an_installation_file(tmp_path: Path) -> None:
    database = Database.open(tmp_path / "install.db", create=True, kind=SchemaKind.INSTALL)
    database.submit_write(
        lambda c: c.execute("INSERT INTO workspaces VALUES ('personal', 'Personal', 'personal', '2026-11-30')")
    ).result()
    facts = database.submit_read(lambda c: dict(c.execute("SELECT key, value FROM meta"))).result()
    assert set(facts) == {"schema_version", "first_run_at", "install_uuid"}
    assert database.vector.loaded is False
    assert database.vector.reason
    database.close()


def test_opened_and_closed_often_with_work_running(path: Path) -> None:
    for number in range(15):
        database = Database.open(path, create=True)
        writes = [
            database.submit_write(
                lambda c, k=f"{number}-{n}": c.execute("INSERT INTO meta VALUES (?, 'x')", (k,)), Priority(n % 3)
            )
            for n in range(9)
        ]
        reads = [database.submit_read(lambda c: c.execute("SELECT count(*) FROM meta").get) for _ in range(4)]
        database.close()
        assert all(one.done() for one in (*writes, *reads))


def test_aclose(path: Path) -> None:
    async def main() -> None:
        database = Database.open(path, create=True)
        await database.write(lambda c: c.execute("INSERT INTO meta VALUES ('a', 'b')"))
        await database.aclose()
        with pytest.raises(Cancelled):
            await database.read(lambda c: c.execute("SELECT 1").get)

    asyncio.run(main())


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.sampled_from(Priority)),
        st.tuples(st.just("fail"), st.sampled_from(Priority)),
        st.tuples(st.just("read"), st.none()),
        st.tuples(st.just("cancel"), st.integers(0, 20)),
        st.tuples(st.just("wait"), st.integers(0, 20)),
    ),
    max_size=25,
)


@settings(max_examples=25, deadline=None)
@given(STEPS)
def test_any_order_then_close(steps: list[tuple[str, object]]) -> None:
    """Every future is settled when `close` returns, and the file holds exactly the writes that were acknowledged."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database.open(Path(folder) / "test.mind", create=True)
        futures: list[tuple[str, Future[Any]]] = []
        everything: list[Future[Any]] = []
        for number, (step, argument) in enumerate(steps):
            if step in {"write", "fail"}:

                def work(c: Connection, key: str = f"k{number}", fails: bool = step == "fail") -> str:
                    c.execute("INSERT INTO meta VALUES (?, 'x')", (key,))
                    if fails:
                        raise LookupError(key)
                    return key

                everything.append(database.submit_write(work, argument))  # type: ignore[arg-type]
                futures.append((step, everything[-1]))
            elif step == "read":
                everything.append(database.submit_read(lambda c: c.execute("SELECT count(*) FROM meta").get))
                futures.append((step, everything[-1]))
            elif everything:
                one = everything[int(str(argument)) % len(everything)]
                if step == "cancel":
                    one.cancel()
                else:
                    with suppress(LookupError, Cancelled, CancelledError):
                        one.result(20)
        database.close()
        acknowledged = set()
        for step, future in futures:
            assert future.done()
            if step == "write" and not future.cancelled() and future.exception() is None:
                acknowledged.add(future.result())
        again = Database.open(database.path)
        there = again.submit_read(lambda c: {row[0] for row in c.execute("SELECT key FROM meta WHERE key LIKE 'k%'")})
        assert there.result() == acknowledged
        again.close()
