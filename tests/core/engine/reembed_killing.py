"""Kills the process that embeds a mind anew, asks the mind meanwhile, and looks at what is there in the end."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tests.samples.encoders import WordEncoder, encoded

from hivemind.domain.frames import FrameDraft
from hivemind.domain.search import Mode, SearchRequest, SearchResult
from hivemind.engine import Engine
from hivemind.engine.encoder_access import EncoderAccess
from hivemind.engine.query_encoding import QueryEncoding
from hivemind.maintenance.verify import verify
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.saving import save
from hivemind.search import search

ROOT = Path(__file__).parents[3]
FERRY = "the ferry leaves at noon"
DELAY = 0.004


@dataclass
class Told:
    """What the campaign saw: kills that came before the end, searches answered by meaning and by words."""

    kills: int = 0
    swaps: int = 0
    by_meaning: int = 0
    by_words: int = 0


def filled(data: Path, notes: int) -> None:
    """A mind with one text to look for among others, without vectors."""

    async def make() -> None:
        engine = Engine(data)
        await engine.open()
        mind = await engine.minds.get("personal")
        texts = [FERRY, *(f"note number {n} about a car" for n in range(notes))]
        await mind.write(lambda tx: [save(tx, FrameDraft(text)) for text in texts])
        await engine.close()

    asyncio.run(make())


def start(data: Path, model: str) -> subprocess.Popen[str]:
    """Returns when the work has begun."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'core'}"}
    command = [sys.executable, "-m", "tests.core.engine.reembed_process", str(data), model, str(DELAY)]
    process = subprocess.Popen(
        command, env=environment, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    assert first == "begun\n", first + process.stdout.read()
    return process


def said(process: subprocess.Popen[str]) -> str:
    """What came after the first line, until the end."""
    assert process.stdout is not None
    output = process.stdout.read()
    process.wait(30)
    return output


def finish(process: subprocess.Popen[str]) -> None:
    output = said(process)
    assert (process.returncode, output) == (0, "finished\n"), output


def swap(data: Path, old: str, new: str, moments: list[float], told: Told) -> None:
    """From one model to the next, killed at each of the moments, in seconds after the work has begun."""
    for moment in moments:
        with start(data, new) as process:
            timer = threading.Timer(moment, process.kill)
            timer.start()
            asked(data, (old, new), process, told)
            timer.join()
            told.kills += "finished" not in said(process)
    with start(data, new) as process:
        asked(data, (old, new), process, told)
        finish(process)
    look(data, new)
    told.swaps += 1


def asked(data: Path, models: tuple[str, str], process: subprocess.Popen[str], told: Told) -> None:
    """Search by either model until the process has ended: always answered, by meaning where that model serves."""
    mind = Mind.open(data / "minds" / "personal.mind", "personal")
    encoders = {model: QueryEncoding(EncoderAccess(WordEncoder(model).find)) for model in models}
    try:
        with asyncio.Runner() as runner:
            ended = False
            while not ended:
                # Once more after the end: what the killed one left must be whole too.
                ended = process.poll() is not None
                for model, encoding in encoders.items():
                    before = _serving(mind)
                    paraphrase, words = (runner.run(_search(mind, encoding, query)) for query in ("boat", "ferry"))
                    if _serving(mind) != before:
                        continue
                    meant = model == before
                    assert paraphrase.mode is (Mode.HYBRID if meant else Mode.KEYWORD)
                    assert [hit.text for hit in paraphrase.hits[:1]] == ([FERRY] if meant else [])
                    assert words.hits[0].text == FERRY
                    assert meant or "only" in words.degraded
                    told.by_meaning += meant
                    told.by_words += not meant
    finally:
        mind.close()


def _serving(mind: Mind) -> str:
    serving = mind.submit_read(lambda tx: tx.vectors.serving()).result(30)
    return "" if serving is None else serving.name


async def _search(mind: Mind, encoding: QueryEncoding, query: str) -> SearchResult:
    encoder, reason = await encoding.of([mind])
    return await search([mind], SearchRequest(query), mind.clock, encoder, reason)


def look(data: Path, model: str) -> None:
    """Every frame has the vectors of this model, once and right, and nothing is left of another one."""
    mind = Mind.open(data / "minds" / "personal.mind", "personal")
    try:
        assert mind.submit_read(verify).result(60) == []
        mind.submit_read(lambda tx: _looked(tx, model)).result(60)
    finally:
        mind.close()


def _looked(tx: MindTransaction, model: str) -> None:
    (record,) = tx.vectors.models.list()
    assert (record.name, record.state) == (model, "serving")
    texts = dict(tx.connection.execute("SELECT id, content FROM memory_frames"))
    assert record.docs == len(texts)
    for table in ("memory_frames_bits", "frame_tokens"):
        rows = tx.connection.execute(f"SELECT frame_id, model_id FROM {table}").fetchall()
        assert sorted(rows) == [(i, record.model_id) for i in sorted(texts)]
    serving = tx.vectors.models.serving_table()
    floats = dict(tx.connection.execute(f"SELECT rowid, embedding FROM {serving}"))
    assert floats.keys() == texts.keys()
    for frame_id, blob in floats.items():
        assert np.array_equal(np.frombuffer(blob, np.float32), encoded(texts[frame_id], model).pooled)
    for table in set(tx.vectors.tables()) - {serving}:
        assert tx.connection.execute(f"SELECT count(*) FROM {table}").get == 0
    assert tx.outbox.pending("embedding") == 0
    open_jobs = "SELECT count(*) FROM jobs WHERE kind = 'embedding' AND state NOT IN ('done', 'failed')"
    assert tx.connection.execute(open_jobs).get == 0


def uninterrupted(data: Path, model: str) -> float:
    """Embed everything by one model; the seconds it took after it had begun."""
    with start(data, model) as process:
        began = time.monotonic()
        finish(process)
    look(data, model)
    return time.monotonic() - began


def moments(rng: random.Random, seconds: float, most: int) -> list[float]:
    """One to `most` kills, each at a random moment of what is left to do."""
    return [rng.uniform(0.0, seconds) for _ in range(rng.randint(1, most))]
