"""Real minds in a temporary folder with a clock held still, and one way to search them from a plain test."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.samples.encoders import CONTENT, WordEncoder, encoded, piece_of

from hivemind.domain.indexed_text import embedded_text
from hivemind.domain.search import SearchRequest, SearchResult
from hivemind.domain.vectors import Encoded
from hivemind.mind import Mind, MindTransaction
from hivemind.search import search

T = TypeVar("T")
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def still() -> datetime:
    return NOW


class SearchEncoder(WordEncoder):
    """The tests' encoder as search asks it: it also knows which pieces tell something, and how they are written."""

    def __init__(self, name: str = "words", *, tokens: bool = True) -> None:
        super().__init__(name)
        self.content_pieces = CONTENT
        self.tokens = tokens
        self.written: dict[int, str] = {}
        self.asked: list[str] = []

    def made(self, text: str) -> Encoded:
        one = encoded(text, self.identity.name)
        self.written.update((piece_of(word), word) for word in re.findall(r"\w+|[^\w\s]", text.lower()))
        return one if self.tokens else Encoded(one.pooled, one.tokens[:0], one.pieces)

    async def encode_query(self, text: str) -> Encoded:
        self.asked.append(text)
        return self.made(text)

    def piece_texts(self, pieces: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.written[piece] for piece in pieces)


class Searching:
    """A mind to write into and search, or several. With an `encoder` the search is by meaning too."""

    encoder: SearchEncoder | None = None

    def __init__(self, folder: Path, names: Sequence[str] = ("personal",)) -> None:
        paths = [folder / f"{name}.mind" for name in names]
        self.minds = [Mind.open(path, path.stem, create=not path.exists(), clock=still) for path in paths]
        self._runner = asyncio.Runner()

    def write(self, work: Callable[[MindTransaction], T], mind: int = 0) -> T:
        return self.minds[mind].submit_write(work).result(20)

    def read(self, work: Callable[[MindTransaction], T], mind: int = 0) -> T:
        return self.minds[mind].submit_read(work).result(20)

    def request(self, request: SearchRequest) -> SearchResult:
        return self._runner.run(search(self.minds, request, still, self.encoder))

    def embed(self, *, mind: int = 0) -> None:
        """Give every frame that has none its vectors, as the queue does."""
        encoder = self.encoder
        assert encoder is not None

        def work(tx: MindTransaction) -> None:
            identity = encoder.identity if encoder.tokens else replace(encoder.identity, token_dim=0)
            encoder.identity = identity
            model_id = tx.vectors.register(identity)
            rows = tx.connection.execute(
                "SELECT id FROM current_frames EXCEPT SELECT frame_id FROM memory_frames_bits WHERE model_id = ?",
                (model_id,),
            )
            for (frame_id,) in rows.fetchall():
                frame = tx.frames.get(frame_id)
                one = encoder.made(embedded_text(frame.event_at, frame.speaker, frame.content, frame.captions))
                tx.vectors.put(frame_id, model_id, one.pooled, one.tokens, one.pieces, CONTENT)

        self.write(work, mind)

    def find(self, query: str, **more: Any) -> SearchResult:
        return self.request(SearchRequest(query, **more))

    def ids(self, query: str, **more: Any) -> list[int]:
        return [hit.frame.id for hit in self.find(query, **more).hits]

    def close(self) -> None:
        self._runner.close()
        for mind in self.minds:
            mind.close()


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Searching]:
    searching = Searching(tmp_path)
    yield searching
    searching.close()


@pytest.fixture
def meant(one: Searching) -> Searching:
    """One mind that is searched by meaning too."""
    one.encoder = SearchEncoder()
    return one


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Searching]:
    searching = Searching(tmp_path, ("personal", "work"))
    yield searching
    searching.close()


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searching]:
    """One mind for all examples of a property test."""
    searching = Searching(tmp_path_factory.mktemp("lasting"))
    yield searching
    searching.close()
