"""The child process: answers in order, limits, faults by name, an end when told to and when the parent dies."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.core.readers.children import bug, chatter, count, disk_full, fault, greedy, loaded, slow, suicide

from hivemind.errors import Cancelled, DiskFull, ReaderStopped, SourceUnknown
from hivemind.readers.process import Limits, ReaderProcess


def test_answers_come_in_order_and_end() -> None:
    with ReaderProcess(count, (5,)) as reader:
        assert [reader.receive() for _ in range(6)] == [0, 1, 2, 3, 4, None]


def test_the_child_is_light() -> None:
    with ReaderProcess(loaded) as reader:
        assert reader.receive() == []


@pytest.mark.skipif(sys.platform != "linux", reason="only here is the limit kept by the system")
def test_memory_has_a_limit() -> None:
    with (
        ReaderProcess(greedy, limits=Limits(memory=400_000_000)) as reader,
        pytest.raises(ReaderStopped, match="memory"),
    ):
        reader.receive()


def test_silence_has_a_limit() -> None:
    with ReaderProcess(slow, limits=Limits(idle=5.0)) as reader:
        assert reader.receive() == 1
        with pytest.raises(ReaderStopped, match="too long"):
            reader.receive()


def test_a_named_fault_crosses_with_its_words() -> None:
    with ReaderProcess(fault) as reader:
        assert reader.receive() == 1
        with pytest.raises(SourceUnknown) as caught:
            reader.receive()
    assert caught.value.hint == "This looks like something else."


def test_a_full_disk_is_named() -> None:
    with ReaderProcess(disk_full) as reader:
        reader.receive()
        with pytest.raises(DiskFull):
            reader.receive()


def test_a_bug_tells_its_kind_but_no_words() -> None:
    with ReaderProcess(bug) as reader:
        reader.receive()
        with pytest.raises(ReaderStopped) as caught:
            reader.receive()
    assert "KeyError" in caught.value.details and "secret" not in caught.value.details


def test_a_killed_child_is_a_named_fault() -> None:
    with ReaderProcess(suicide) as reader, pytest.raises(ReaderStopped):
        while reader.receive() is not None:
            pass


def test_killing_wakes_the_receiver() -> None:
    with ReaderProcess(slow) as reader:
        assert reader.receive() == 1
        threading.Timer(0.2, reader.kill).start()
        began = time.monotonic()
        with pytest.raises(Cancelled):
            reader.receive()
        assert time.monotonic() - began < 5


def test_the_child_waits_for_a_slow_receiver() -> None:
    with ReaderProcess(chatter) as reader:
        reader.receive()
        time.sleep(0.5)
        used = Path(f"/proc/{reader.pid}/statm")
        if used.exists():
            assert int(used.read_text().split()[1]) * 4096 < 200_000_000


def test_the_child_ends_with_its_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import time\n"
        "from hivemind.readers.process import ReaderProcess\n"
        "from tests.core.readers.children import slow\n"
        "reader = ReaderProcess(slow)\n"
        "print(reader.pid, reader.receive(), flush=True)\n"
        "time.sleep(60)\n"
    )
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": f"{root}:{root / 'core'}"}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline().split()[0])
        parent.kill()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("the child outlived its parent")
