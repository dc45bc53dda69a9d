"""What another program saves is found by its meaning within a second in an open engine, what it removes never again.

Covers: embedding_service.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.core.engine.embedding_driver import Meaning
from tests.samples.encoders import WordEncoder

from hivemind.clock import parse_stamp, system_clock
from hivemind.domain.search import Mode, SearchRequest, SearchResult

ROOT = Path(__file__).parents[3]
#: Seconds from the other program's commit until this one finds it.
SOON = 1.0
_TRASH = "import sys, hivemind\nwith hivemind.open_mind(sys.argv[1]) as mind: mind.frames.trash([int(sys.argv[2])])"


@pytest.fixture
def meaning(tmp_path: Path) -> Iterator[Meaning]:
    made = Meaning(tmp_path / "data", WordEncoder())
    made.save("my car is at the garage", "a zebra at the zoo")
    made.embedded()
    # The index of this mind is in memory from here on: what follows must reach it, not a fresh one.
    assert search(made, "automobile").hits[0].text == "my car is at the garage"
    yield made
    made.close()


def search(meaning: Meaning, query: str) -> SearchResult:
    result: SearchResult = meaning.run(meaning.engine.memory.search(SearchRequest(query)))
    assert result.mode is Mode.HYBRID
    return result


def other(*words: str) -> str:
    """Another process to its end; what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "core")}
    done = subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def sidecar(meaning: Meaning, query: str, *words: str) -> tuple[int, float]:
    """Save by the command line while this engine is at work; the frame, and seconds from its commit until the query
    finds it first."""
    data = str(meaning.engine.data.root)
    command = ("-m", "hivemind.sidecar", "--data-dir", data, "--json", "save", *words)

    async def saved_and_found() -> tuple[int, float]:
        saving = asyncio.create_task(asyncio.to_thread(other, *command))
        while not saving.done() or saving.result():
            result = await meaning.engine.memory.search(SearchRequest(query))
            if result.hits and result.hits[0].text == words[0]:
                break
            await asyncio.sleep(0.02)
        found = system_clock()
        frame_id = int(json.loads(await saving)["frame_id"])
        assert frame_id == result.hits[0].frame.id
        return frame_id, (found - parse_stamp(result.hits[0].frame.created_at)).total_seconds()

    made: tuple[int, float] = meaning.run(saved_and_found())
    return made


@pytest.mark.timeout(120)
def test_saved_there_is_found_here_and_removed_there_is_gone_here(meaning: Meaning) -> None:
    took = []
    for text, query in (("the ferry leaves at noon", "boat midday"), ("my doctor is happy", "glad physician")):
        frame_id, seconds = sidecar(meaning, query, text)
        took.append(seconds)
        hit = search(meaning, query).hits[0]
        assert hit.explanation.late is not None and not hit.explanation.late.estimated
        assert hit.explanation.matched == (), "by its meaning alone"
    assert max(took) <= SOON, took
    ferry = frame_id - 1
    other("-c", _TRASH, str(meaning.engine.data.minds / "personal.mind"), str(ferry))
    for _ in range(20):
        assert ferry not in {hit.frame.id for hit in search(meaning, "boat midday").hits}
        assert ferry not in meaning.nearest("boat midday", 10)
        meaning.run(asyncio.sleep(0.02))
    data = str(meaning.engine.data.root)
    other("-m", "hivemind.sidecar", "--data-dir", data, "save", "it was wrong", "--retracts", str(frame_id))
    for _ in range(20):
        assert frame_id not in {hit.frame.id for hit in search(meaning, "glad physician").hits}
        meaning.run(asyncio.sleep(0.02))


@pytest.mark.timeout(120)
def test_rewritten_there_is_found_by_its_new_meaning_only(meaning: Meaning) -> None:
    first, _ = sidecar(meaning, "boat midday", "the ferry leaves at noon")
    _, seconds = sidecar(meaning, "glad physician", "my doctor is happy", "--amends", str(first))
    assert seconds <= SOON
    assert first not in {hit.frame.id for hit in search(meaning, "boat midday").hits}
