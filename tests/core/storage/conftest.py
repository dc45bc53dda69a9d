"""Real files in a temporary folder, frames to fill them, and a second process to disturb them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hivemind.storage import Connection, Database

SECOND_PROCESS = Path(__file__).with_name("second_process.py")
CORE = Path(__file__).resolve().parents[3] / "core"

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "minds" / "test.mind"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    opened = Database.open(path, create=True)
    yield opened
    opened.close()


@pytest.fixture
def second_process() -> Iterator[Start]:
    """Start `second_process.py` with these arguments; whatever still runs afterwards is stopped."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: object) -> subprocess.Popen[str]:
        command = [sys.executable, str(SECOND_PROCESS), *(str(one) for one in arguments)]
        environment = os.environ | {"PYTHONPATH": str(CORE), "PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.Popen(
            command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def fill(connection: Connection, count: int, words: str = "the ferry to Piran leaves at noon") -> list[int]:
    """One session with an I and `count - 1` P(add); returns the ids in the order of writing."""
    number = int(connection.execute("SELECT count(*) FROM sessions").get)
    gop = f"gop-{number}"
    connection.execute("INSERT INTO sessions (gop_id) VALUES (?)", (gop,))
    base = int(
        connection.execute(
            "INSERT INTO memory_frames (frame_type, gop_id, content, uuid, content_hash, norm_hash) "
            "VALUES ('I', ?, ?, ?, zeroblob(16), zeroblob(8)) RETURNING id",
            (gop, f"{words} 0", f"{gop}-0"),
        ).get
    )
    connection.executemany(
        "INSERT INTO memory_frames (frame_type, gop_id, t, base_frame_id, patch_kind, content, uuid, content_hash, "
        "norm_hash) VALUES ('P', ?, ?, ?, 'add', ?, ?, zeroblob(16), zeroblob(8))",
        [(gop, t, base, f"{words} {t}", f"{gop}-{t}") for t in range(1, count)],
    )
    return [row[0] for row in connection.execute("SELECT id FROM memory_frames WHERE gop_id = ? ORDER BY id", (gop,))]
