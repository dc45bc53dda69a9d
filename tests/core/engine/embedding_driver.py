"""An engine whose encoder is the tests' own, on a loop of its own, and waiting for what it does in the background."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.samples.encoders import WordEncoder

from hivemind.domain.frames import FrameDraft
from hivemind.domain.minds import EmbeddingFacts, QueueState
from hivemind.engine import Engine
from hivemind.events import Progress
from hivemind.mind import MindTransaction
from hivemind.mind.saving import save
from hivemind.search.vector_index import VectorIndex

#: The mark of a process that is not there any more.
DEAD = json.dumps({"pid": "999999999", "boot": "x", "token": "gone"})


class Meaning:
    """An engine with a test encoder, on a loop of its own."""

    def __init__(self, data: Path, encoder: WordEncoder, *, leads: bool = True) -> None:
        self.runner = asyncio.Runner()
        self.encoder = encoder
        self.engine = Engine(data, leads=leads, find_encoder=encoder.find)
        self.heard: list[Progress] = []
        self.engine.events.subscribe(lambda event: self.heard.append(event) if isinstance(event, Progress) else None)
        self.run(self.engine.open())

    def run(self, work: Any) -> Any:
        async def limited() -> Any:
            return await asyncio.wait_for(work, 60)

        return self.runner.run(limited())

    def die(self) -> int:
        """As a kill leaves it: the work ends between two awaits, its job stays as it is, its owner is gone.

        Returns how many frames had vectors.
        """
        self.run(self.engine.embedding._working.stop())
        self.run(asyncio.sleep(0.05))
        self.write(lambda tx: tx.connection.execute("UPDATE jobs SET owner = ?, state = 'running'", (DEAD,)))
        done = self.facts().embedded
        self.run(self.engine.minds.close_all())
        self.close()
        return done

    def save(self, *texts: str) -> list[int]:
        return [self.run(self.engine.memory.save(text, "personal")).frame.id for text in texts]

    def save_many(self, count: int) -> None:
        """Without a change each, in one transaction."""
        self.write(lambda tx: [save(tx, FrameDraft(f"note number {n}")) for n in range(count)])

    def write(self, work: Callable[[MindTransaction], Any]) -> Any:
        mind = self.run(self.engine.minds.get("personal"))
        return self.run(mind.write(work))

    def facts(self) -> EmbeddingFacts:
        return self.run(self.engine.embedding.facts("personal"))

    def until(self, true: Callable[[EmbeddingFacts], bool]) -> EmbeddingFacts:
        async def wait() -> EmbeddingFacts:
            while not true(facts := await self.engine.embedding.facts("personal")):
                await asyncio.sleep(0.02)
            return facts

        return self.run(wait())

    def embedded(self) -> EmbeddingFacts:
        return self.until(lambda f: f.frames > 0 and f.embedded == f.frames and f.state is QueueState.IDLE)

    def nearest(self, text: str, limit: int = 3) -> list[int]:
        async def ask() -> list[int]:
            mind = await self.engine.minds.get("personal")
            encoder, _ = await self.engine.embedding.for_search([mind])
            if encoder is None:
                return []
            pooled = (await encoder.encode_query(text)).pooled
            return [i for i, _ in await mind.read(lambda tx: VectorIndex.of(mind).nearest(tx, pooled, limit))]

        return self.run(ask())

    def close(self) -> None:
        self.run(self.engine.close())
        self.runner.close()
