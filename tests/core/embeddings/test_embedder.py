"""The embedder as the engine uses it: a real child with the built model, its queries, crashes and its end.

Covers: embedder, process, child.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.samples.models import write_model

from hivemind.domain.calls import Call, CallKind, CallOutcome, CallRecorder
from hivemind.embeddings import Embedder, ModelFolder, UsageRecorder, read_folder
from hivemind.embeddings.encoding import TextEncoder
from hivemind.errors import EmbedderUnavailable, RecorderFault

TEXTS = ["Team agreed on Postgres.", "ok", "word " * 600, "", "The cat is asleep."]
LONG = ["A sentence of some length about databases, ferries and cats. " * 12] * 160


class Notes(CallRecorder):
    """Keeps what it is told; refuses when asked to."""

    def __init__(self, refuses: bool = False) -> None:
        self.calls: list[Call] = []
        self.ends: list[tuple[str, CallOutcome]] = []
        self._refuses = refuses

    async def started(self, call: Call) -> None:
        if self._refuses:
            raise RecorderFault
        self.calls.append(call)

    async def finished(self, outcome: CallOutcome) -> None:
        self.ends.append(("finished", outcome))

    async def failed(self, outcome: CallOutcome) -> None:
        self.ends.append(("failed", outcome))


@pytest.fixture
def small(tmp_path: Path) -> ModelFolder:
    return read_folder(write_model(tmp_path / "bag"), "settings")


def child_of(embedder: Embedder) -> int:
    assert embedder._process is not None
    return embedder._process.pid


def test_documents_come_in_order_and_equal_those_of_this_process(embedder: Embedder, encoder: TextEncoder) -> None:
    seen: list[tuple[int, int]] = []
    before = embedder.counts
    found = asyncio.run(embedder.encode_documents(TEXTS, lambda done, total: seen.append((done, total))))
    expected = {number: one for ready in encoder.documents(TEXTS) for number, one, _ in ready}
    for number, one in enumerate(found):
        assert one.pieces == expected[number].pieces
        assert np.array_equal(one.pooled, expected[number].pooled)
        assert np.array_equal(one.tokens, expected[number].tokens)
    assert seen[-1] == (len(TEXTS), len(TEXTS))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    counts = embedder.counts
    assert counts.documents - before.documents == len(TEXTS)
    assert counts.long_texts - before.long_texts == 1
    assert counts.pieces - before.pieces == sum(len(one.pieces) for one in found)
    assert counts.seconds > before.seconds


def test_nothing_to_encode(embedder: Embedder) -> None:
    assert asyncio.run(embedder.encode_documents([])) == []


def test_a_query_does_not_wait_behind_documents(embedder: Embedder) -> None:
    async def both() -> tuple[bool, list[float]]:
        documents = asyncio.create_task(embedder.encode_documents(LONG))
        await asyncio.sleep(0.3)
        taken = []
        for _ in range(5):
            began = time.perf_counter()
            await embedder.encode_query("what did the team decide?")
            taken.append(time.perf_counter() - began)
        still_busy = not documents.done()
        documents.cancel()
        await asyncio.gather(documents, return_exceptions=True)
        return still_busy, taken

    still_busy, taken = asyncio.run(both())
    assert still_busy
    assert sorted(taken)[2] < 0.25  # one pass over eight documents alone takes longer on a busy machine


def test_cancelling_stops_the_child_after_its_pass(embedder: Embedder) -> None:
    async def cancelled() -> int:
        done = 0

        def note(ready: int, total: int) -> None:
            nonlocal done
            done = ready

        task = asyncio.create_task(embedder.encode_documents(LONG, note))
        while not done:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        # The next request begins when the child has let go of the one before.
        await embedder.encode_documents(["next"])
        return done

    before = embedder.counts.documents
    assert asyncio.run(cancelled()) < len(LONG)
    assert embedder.counts.documents == before + 1


@pytest.mark.skipif(sys.platform == "win32", reason="ended by a signal")
def test_after_a_crash_it_starts_again_once(embedder: Embedder) -> None:
    restarts, first = embedder.counts.restarts, child_of(embedder)
    os.kill(first, signal.SIGKILL)
    assert len(asyncio.run(embedder.encode_documents(["one", "two"]))) == 2
    assert child_of(embedder) != first
    os.kill(child_of(embedder), signal.SIGKILL)
    assert asyncio.run(embedder.encode_query("three")).pooled.shape == (1024,)
    assert embedder.counts.restarts == restarts + 2


@pytest.mark.skipif(sys.platform == "win32", reason="ended by a signal")
def test_a_text_that_kills_it_twice_is_given_up(small: ModelFolder) -> None:
    async def twice() -> None:
        recorder = Notes()
        embedder = Embedder(small, recorder)
        await embedder.start()
        with pytest.raises(EmbedderUnavailable, match="stopped twice"):
            await embedder.encode_documents(
                ["the cat"] * 2_000, lambda done, total: os.kill(child_of(embedder), signal.SIGKILL)
            )
        assert [kind for kind, _ in recorder.ends] == ["failed"]
        with pytest.raises(EmbedderUnavailable, match="stopped twice"):
            await embedder.encode_query("the cat")
        await embedder.start()  # asked for by a person: it may try again
        assert len(await embedder.encode_documents(["the cat"])) == 1
        await embedder.aclose()

    asyncio.run(twice())


def test_a_refused_model_says_why_across_the_border(tmp_path: Path) -> None:
    folder = read_folder(write_model(tmp_path, normalise=False), "settings")

    async def start() -> None:
        embedder = Embedder(folder, Notes())
        with pytest.raises(EmbedderUnavailable, match="compares by length"):
            await embedder.start()
        with pytest.raises(EmbedderUnavailable):
            _ = embedder.identity
        await embedder.aclose()

    asyncio.run(start())


def test_every_call_is_recorded_without_its_text(small: ModelFolder) -> None:
    async def calls(recorder: Notes) -> None:
        embedder = Embedder(small, recorder)
        await embedder.start()
        assert embedder.identity.name == "bag"
        assert embedder.load_seconds > 0
        await embedder.encode_documents(["the cat", "a cat"])
        await embedder.encode_query("sofa")
        await embedder.aclose()

    recorder = Notes()
    asyncio.run(calls(recorder))
    assert [(call.kind, call.model, call.input_text) for call in recorder.calls] == [
        (CallKind.EMBEDDING, "bag", None),
        (CallKind.EMBEDDING, "bag", None),
    ]
    assert [(kind, end.uuid, end.input_tokens) for kind, end in recorder.ends] == [
        ("finished", recorder.calls[0].uuid, 4),
        ("finished", recorder.calls[1].uuid, 1),
    ]


def test_a_call_that_cannot_be_recorded_is_not_made(small: ModelFolder) -> None:
    async def call() -> None:
        embedder = Embedder(small, Notes(refuses=True))
        await embedder.start()
        with pytest.raises(RecorderFault):
            await embedder.encode_query("sofa")
        assert embedder.counts.queries == 0
        await embedder.aclose()

    asyncio.run(call())


def test_closing_wakes_who_waits_and_ends_the_child(minilm: ModelFolder) -> None:
    async def close() -> int:
        embedder = Embedder(minilm, UsageRecorder())
        await embedder.start()
        pid = child_of(embedder)
        waiting = asyncio.create_task(embedder.encode_documents(LONG))
        await asyncio.sleep(0.2)
        await embedder.aclose()
        with pytest.raises(EmbedderUnavailable, match="closed"):
            await waiting
        with pytest.raises(EmbedderUnavailable, match="closed"):
            await embedder.encode_query("late")
        await embedder.aclose()
        return pid

    assert not is_alive(asyncio.run(close()))


def test_the_child_ends_with_its_parent(small: ModelFolder, tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import asyncio, time\n"
        "from pathlib import Path\n"
        "from hivemind.embeddings import Embedder, UsageRecorder, read_folder\n"
        f"embedder = Embedder(read_folder(Path({str(small.path)!r}), 'settings'), UsageRecorder())\n"
        "asyncio.run(embedder.start())\n"
        "print(embedder._process.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    core = Path(__file__).resolve().parents[3] / "core"
    environment = {**os.environ, "PYTHONPATH": str(core)}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 10
    while is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(child)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
