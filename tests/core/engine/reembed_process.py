"""A process of its own that embeds a mind by one model until all is done, and can be killed at any moment.

python -m tests.core.engine.reembed_process DATA MODEL SECONDS_PER_TEXT
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.samples.encoders import WordEncoder

from hivemind.domain.minds import QueueState
from hivemind.engine import Engine, embedding_queue

#: Small steps, so that a kill falls between many different ones.
BATCH = 16


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


async def work(data: Path, model: str, delay: float) -> None:
    embedding_queue.BATCH = BATCH
    engine = Engine(data, find_encoder=WordEncoder(model, delay=delay).find)
    await engine.open()
    facts = await engine.embedding.facts("personal")
    if facts.stored_model not in ("", model):
        await engine.embedding.reembed("personal")
    say("begun")
    while not (
        facts.stored_model == model
        and not facts.building_model
        and facts.embedded == facts.frames
        and facts.state is QueueState.IDLE
    ):
        await asyncio.sleep(0.01)
        facts = await engine.embedding.facts("personal")
    say("finished")
    await engine.close()


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])))
