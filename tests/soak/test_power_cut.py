"""Power cuts at random operations: at synchronous=FULL no acknowledged entry is ever lost, at NORMAL some are.

kill -9 does not test this: the system's page cache survives it. HIVE_MIND_CRASHES sets how often.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import apsw
import pytest
from tests.core.gateway.plain_log import NOW, plain_log
from tests.soak.crash_disk import CrashDisk, CrashVfs

from hivemind.domain.calls import CallKind
from hivemind.gateway.log import log_size, record_event
from hivemind.gateway.verification import verify_log

pytestmark = pytest.mark.soak

CRASHES = int(os.environ.get("HIVE_MIND_CRASHES", "5000"))
SEED = int(os.environ.get("HIVE_MIND_CRASH_SEED", "20261130"))


@pytest.fixture(scope="module")
def vfs() -> Iterator[CrashVfs]:
    one = CrashVfs("crash")
    yield one
    one.unregister()


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("fresh") / "one.mind"
    connection = plain_log(str(path))
    connection.execute("PRAGMA journal_mode = WAL; PRAGMA journal_mode").fetchall()
    connection.close()
    return path.read_bytes()


def until_the_cut(vfs: CrashVfs, synchronous: str, chance: random.Random) -> int:
    """Append entries, now and then a checkpoint, until the power goes. Returns how many were acknowledged."""
    acknowledged = 1
    connection = apsw.Connection("/one.mind", vfs="crash")
    with suppress(Exception):
        connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL").fetchall()
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        vfs.disk.fuse = vfs.disk.operations + chance.randint(1, 120)
        while True:
            with connection:
                record_event(connection, NOW, CallKind.IMPORT, {"count": acknowledged})
            acknowledged += 1
            if chance.random() < 0.1:
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    with suppress(Exception):
        connection.close(force=True)
    return acknowledged


def outcome(vfs: CrashVfs, fresh: bytes, synchronous: str, seed: int, folder: Path) -> tuple[int, str]:
    """How many acknowledged entries are gone after one crash, and what is wrong with the rest ('' = nothing)."""
    chance = random.Random(seed)
    vfs.disk = CrashDisk({"/one.mind": fresh})
    acknowledged = until_the_cut(vfs, synchronous, chance)
    for file in folder.iterdir():
        file.unlink()
    vfs.disk.after_the_cut(chance, folder)
    connection = apsw.Connection(str(folder / "one.mind"))
    try:
        sound = connection.execute("PRAGMA integrity_check").get
        check = verify_log(connection)
        wrong = "" if sound == "ok" and check.intact else f"{sound}; {[str(one) for one in check.findings]}"
        return max(0, acknowledged - log_size(connection)), wrong
    finally:
        connection.close()


@pytest.mark.timeout(7200)
def test_at_full_nothing_acknowledged_is_lost(vfs: CrashVfs, fresh: bytes, tmp_path: Path) -> None:
    failed = []
    for number in range(CRASHES):
        lost, wrong = outcome(vfs, fresh, "FULL", SEED + number, tmp_path)
        if lost or wrong:
            failed.append((SEED + number, lost, wrong))
    assert failed == []


@pytest.mark.timeout(3600)
def test_the_disk_does_lose_what_normal_does_not_sync(vfs: CrashVfs, fresh: bytes, tmp_path: Path) -> None:
    """The control: without it, a disk that loses nothing would pass the test above."""
    runs = max(50, CRASHES // 25)
    lost = sum(outcome(vfs, fresh, "NORMAL", SEED + number, tmp_path)[0] > 0 for number in range(runs))
    assert lost > runs // 10
