"""Removing thousands of frames: in small transactions, with a clean index at the end, also after a crash."""

from __future__ import annotations

import asyncio
import time

import pytest
from tests.core.storage.conftest import Start, fill

from hivemind.storage import Connection, Database, Priority
from hivemind.storage.bulk import BULK_FROM, SLICE, bulk_delete, delete_frames, is_left_over
from hivemind.storage.integrity import check


def secure(database: Database) -> list[object]:
    names = ("memory_frames_fts", "memory_frames_cjk", "semantic_fts")
    return database.submit_read(
        lambda c: [c.execute(f"SELECT v FROM {n}_config WHERE k = 'secure-delete'").get for n in names]
    ).result()


def residue(connection: Connection) -> int:
    """How often the word of the removed frames still stands in the index's blocks (at any place)."""
    blocks = connection.execute("SELECT block FROM memory_frames_fts_data").fetchall()
    return sum(bytes(block).count(b"zanzibar") for (block,) in blocks)


def fill_two(database: Database, count: int) -> list[int]:
    database.submit_write(lambda c: fill(c, 300)).result()
    return database.submit_write(lambda c: fill(c, count, words="zanzibar is far")).result()


def test_a_large_removal(database: Database) -> None:
    ids = fill_two(database, 2_500)
    assert database.submit_read(residue).result() > 0
    sizes: list[int] = []

    def counting(connection: Connection, part: list[int]) -> None:
        sizes.append(len(part))
        assert connection.execute("SELECT v FROM memory_frames_fts_config WHERE k = 'secure-delete'").get == 0
        delete_frames(connection, part)

    asyncio.run(bulk_delete(database, ids, counting))
    assert sum(sizes) == 2_500
    assert max(sizes) <= SLICE
    assert secure(database) == [1, 1, 1]
    assert database.submit_read(is_left_over).result() is False
    assert database.submit_read(lambda c: c.execute("SELECT count(*) FROM memory_frames").get).result() == 300
    assert database.submit_read(check).result() == []
    assert database.submit_read(residue).result() == 0


def test_a_small_removal_never_switches_anything(database: Database) -> None:
    ids = fill_two(database, BULK_FROM)

    def watching(connection: Connection, part: list[int]) -> None:
        assert connection.execute("SELECT v FROM memory_frames_fts_config WHERE k = 'secure-delete'").get == 1
        assert not is_left_over(connection)
        delete_frames(connection, part)

    asyncio.run(bulk_delete(database, ids, watching))
    assert database.submit_read(residue).result() == 0
    assert database.submit_read(check).result() == []


def test_patches_go_before_what_they_change(database: Database) -> None:
    ids = fill_two(database, 600)

    def amend(connection: Connection) -> int:
        new = int(
            connection.execute(
                "INSERT INTO memory_frames (frame_type, gop_id, t, base_frame_id, patch_kind, patch_target_id, "
                "content, uuid, content_hash, norm_hash) VALUES ('P', 'gop-1', 9999, ?, 'amend', ?, "
                "'zanzibar is near', 'amend', zeroblob(16), zeroblob(8)) RETURNING id",
                (ids[0], ids[5]),
            ).get
        )
        connection.execute("UPDATE memory_frames SET superseded_by = ? WHERE id = ?", (new, ids[5]))
        return new

    new = database.submit_write(amend).result()
    asyncio.run(bulk_delete(database, [new, *ids]))
    assert database.submit_read(check).result() == []
    assert database.submit_read(lambda c: c.execute("SELECT count(*) FROM memory_frames").get).result() == 300


def test_a_fault_keeps_the_slices_before_it(database: Database) -> None:
    ids = fill_two(database, 1_000)
    calls: list[int] = []

    def failing(connection: Connection, part: list[int]) -> None:
        delete_frames(connection, part)
        calls.append(1)
        if len(calls) == 3:
            raise LookupError("third")

    with pytest.raises(LookupError):
        asyncio.run(bulk_delete(database, ids, failing))
    assert database.submit_read(lambda c: c.execute("SELECT count(*) FROM memory_frames").get).result() == 1300 - 400
    asyncio.run(bulk_delete(database, ids[:600]))
    assert secure(database) == [1, 1, 1]
    assert database.submit_read(residue).result() == 0


def test_the_next_opening_finishes_what_a_crash_left(database: Database, second_process: Start) -> None:
    fill_two(database, 1_500)
    database.close()
    assert second_process("die_in_bulk", database.path).wait(60) == 9
    again = Database.open(database.path)
    until = time.monotonic() + 20
    while again.submit_read(is_left_over).result() and time.monotonic() < until:
        time.sleep(0.02)
    assert secure(again) == [1, 1, 1]
    assert again.submit_read(check).result() == []
    again.close()


def test_a_save_gets_in_between(database: Database) -> None:
    ids = fill_two(database, 3_000)

    async def main() -> float:
        removing = asyncio.ensure_future(bulk_delete(database, ids))
        longest = 0.0
        while not removing.done():
            began = time.perf_counter()
            await database.write(lambda c: c.execute("SELECT 1").get, Priority.INTERACTIVE)
            longest = max(longest, time.perf_counter() - began)
            await asyncio.sleep(0.005)
        await removing
        return longest

    assert asyncio.run(main()) < 1.0
