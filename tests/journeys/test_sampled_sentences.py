"""Any sentence that was said is found again: 200 drawn at random, by its words and by meaning, opened at its message.

Over thousands of messages, through the real import, the real search model, search and the reading of a session.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.samples.chatgpt import write_json
from tests.samples.varied_talk import conversations

from hivemind.domain.search import Hit, Mode, SearchRequest
from hivemind.domain.sessions import Message
from hivemind.engine import Engine

T = TypeVar("T")
SEED = 20261130
CONVERSATIONS, TURNS = 260, 8
SAMPLED, SHORTEST, TOP = 200, 6, 10
BY_MEANING = 0.95
MIND = "personal"


@dataclass(frozen=True)
class Sentence:
    """A sentence that one message alone says."""

    text: str
    message: str
    session: str


class Remembered:
    """A mind with everything imported and embedded, on one loop."""

    def __init__(self, data: Path, export: Path) -> None:
        self._runner = asyncio.Runner()
        self.engine = Engine(data)
        self.run(self._bring_in(export))

    async def _bring_in(self, export: Path) -> None:
        await self.engine.open()
        run_id = await self.engine.harvest.start([export], MIND)
        self.report = await self.engine.harvest.wait(MIND, run_id)
        while (facts := await self.engine.embedding.facts(MIND)).pending or not facts.embedded:
            assert not facts.reason, facts.reason
            await asyncio.sleep(0.5)  # half a minute of work on a quiet computer: asking more often would slow it down

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)

    def search(self, query: str, mode: Mode) -> tuple[Hit, ...]:
        request = SearchRequest(query, minds=(MIND,), mode=mode, limit=TOP)
        hits: tuple[Hit, ...] = self.run(self.engine.memory.search(request)).hits
        return hits

    def opened(self, hit: Hit) -> tuple[Message, str] | None:
        """The message that a hit opens at, and the words marked in it."""
        read = self.run(self.engine.sessions.read(MIND, hit.frame.session_id, hit.frame.id))
        if not read.marks:
            return None
        (mark,) = read.marks
        (message,) = [one for one in read.messages if one.id == mark.message_id]
        return message, message.text[mark.start : mark.end]

    def opens(self, sentence: Sentence, hits: tuple[Hit, ...]) -> bool:
        """Whether one of the hits opens at the message that says the sentence, with the sentence marked."""
        for hit in hits:
            if hit.frame.session_id == sentence.session or sentence.text in hit.text:
                found = self.opened(hit)
                if found is not None and found[0].ext_id == sentence.message and sentence.text in found[1]:
                    return True
        return False

    def messages(self) -> Iterator[tuple[str, Message]]:
        for row in self.run(self.engine.sessions.list_rows(MIND, CONVERSATIONS + 1)):
            for message in self.run(self.engine.sessions.conversation(MIND, row.session.id)).messages:
                yield row.session.id, message

    def close(self) -> None:
        self.run(self.engine.close())
        self._runner.close()


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.?!]) (?=[A-Z])", text)


def drawn(remembered: Remembered) -> list[Sentence]:
    """Sentences of six words or more that stand once in the whole mind, as the archive has them."""
    messages = list(remembered.messages())
    said = [Sentence(one, message.ext_id, session) for session, message in messages
            for one in sentences(message.text)]  # fmt: skip
    times = Counter(one.text for one in said)
    everything = "\n".join(message.text for _, message in messages)
    alone = [one for one in said if times[one.text] == 1 and len(one.text.split()) >= SHORTEST]
    chosen = random.Random(SEED).sample(sorted(alone, key=lambda one: one.text), SAMPLED)
    assert all(everything.count(one.text) == 1 for one in chosen)
    return chosen


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory, search_model: Path) -> Iterator[Remembered]:
    folder = tmp_path_factory.mktemp("sampled")
    export = write_json(folder / "conversations.json", conversations(CONVERSATIONS, TURNS, SEED))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HIVE_MIND_EMBEDDER_DIR", str(search_model))
        made = Remembered(folder / "data", export)
        yield made
        made.close()


@pytest.fixture(scope="module")
def sample(remembered: Remembered) -> list[Sentence]:
    return drawn(remembered)


@pytest.mark.timeout(1800)
def test_everything_was_brought_in(remembered: Remembered) -> None:
    assert remembered.report.new == CONVERSATIONS
    assert remembered.report.messages == CONVERSATIONS * TURNS >= 2000


@pytest.mark.timeout(1800)
def test_every_sentence_is_found_by_its_words_and_opens_at_its_message(
    remembered: Remembered, sample: list[Sentence]
) -> None:
    lost = [one.text for one in sample if not remembered.opens(one, remembered.search(one.text, Mode.KEYWORD))]
    assert lost == []


@pytest.mark.timeout(1800)
def test_nearly_every_sentence_is_found_by_meaning(remembered: Remembered, sample: list[Sentence]) -> None:
    lost = [one.text for one in sample if not remembered.opens(one, remembered.search(one.text, Mode.VECTOR))]
    assert len(lost) <= SAMPLED * (1 - BY_MEANING), lost


@pytest.mark.timeout(1800)
def test_another_message_is_not_taken_for_the_right_one(remembered: Remembered, sample: list[Sentence]) -> None:
    """The judge can say no: the words are found, and the message is not the one that is asked for."""
    for one, other in zip(sample[:10], sample[10:20], strict=True):
        hits = remembered.search(one.text, Mode.KEYWORD)
        assert remembered.opens(one, hits)
        assert not remembered.opens(Sentence(one.text, other.message, other.session), hits)
