"""A process of its own that embeds a mind by one model until all is done, and can be killed at any moment.

python -m tests.core.engine.reembed_process DATA MODEL SECONDS_PER_TEXT
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.samples.encoders import WordEncoder

from hivemind.engine import Engine, embedding_queue
from hivemind.jobs import JobStore
from hivemind.mind import MindTransaction

#: Small steps, so that a kill falls between many different ones.
BATCH = 16


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def done(tx: MindTransaction, model: str) -> bool:
    """Nothing is owed, nothing is left of another model, and the job is over."""
    models = [(one.name, one.state) for one in tx.vectors.models.list()]
    if models != [(model, "serving")] or tx.outbox.pending("embedding"):
        return False
    serving = tx.vectors.serving()
    assert serving is not None
    return not tx.rebuild.missing(serving.model_id, 0, 1) and not JobStore(tx.connection, tx.now).list_open("embedding")


async def work(data: Path, model: str, delay: float) -> None:
    embedding_queue.BATCH = BATCH
    engine = Engine(data, find_encoder=WordEncoder(model, delay=delay).find)
    await engine.open()
    if (await engine.embedding.facts("personal")).stored_model not in ("", model):
        await engine.embedding.reembed("personal")
    say("begun")
    mind = await engine.minds.get("personal")
    while not await mind.read(lambda tx: done(tx, model)):
        await asyncio.sleep(0.02)
    say("finished")
    await engine.close()


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])))
