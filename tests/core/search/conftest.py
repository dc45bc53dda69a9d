"""Real minds in a temporary folder with a clock held still, and one way to search them from a plain test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest

from hivemind.domain.search import SearchRequest, SearchResult
from hivemind.mind import Mind, MindTransaction
from hivemind.search import search

T = TypeVar("T")
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def still() -> datetime:
    return NOW


class Searching:
    """A mind to write into and search. `others` are searched after it."""

    def __init__(self, folder: Path, names: Sequence[str] = ("personal",)) -> None:
        self.minds = [Mind.open(folder / f"{name}.mind", name, create=True, clock=still) for name in names]
        self._runner = asyncio.Runner()

    def write(self, work: Callable[[MindTransaction], T], mind: int = 0) -> T:
        return self.minds[mind].submit_write(work).result(20)

    def read(self, work: Callable[[MindTransaction], T], mind: int = 0) -> T:
        return self.minds[mind].submit_read(work).result(20)

    def request(self, request: SearchRequest) -> SearchResult:
        return self._runner.run(search(self.minds, request, still))

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
