"""The search as its callers see it: several minds, what it says of itself, and its named errors."""

from __future__ import annotations

import asyncio

import pytest
from tests.core.search.conftest import Searching, still
from tests.core.search.test_keyword_lane import add

from hivemind.domain.frames import FrameDraft
from hivemind.domain.search import Mode, Recipe, SearchRequest
from hivemind.errors import InvalidDate, InvalidValue
from hivemind.mind import MindTransaction
from hivemind.search import parse, search


def test_it_says_what_really_answered(one: Searching) -> None:
    add(one, "zebra")
    result = one.find("zebra")
    assert (result.mode, result.recipe) == (Mode.KEYWORD, Recipe.SEED)
    assert "words only" in result.degraded
    assert "seed" in result.degraded
    assert result.pending_vectors == 0
    plain = one.find("zebra", mode=Mode.KEYWORD, recipe=Recipe.SEED)
    assert plain.degraded == ""
    assert "words only" in one.find("zebra", mode=Mode.VECTOR).degraded
    assert 0 < result.seconds < 20
    assert result.query_id != plain.query_id


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("***", "no word in it"),
        ("", "no word in it"),
        ("source:chatgpt", "add a word"),
        ("zebra before:soon", "before:soon"),
    ],
)
def test_an_empty_answer_says_why(one: Searching, query: str, said: str) -> None:
    result = one.find(query)
    assert (result.hits, result.total, result.cursor) == ((), 0, None)
    assert said in result.degraded


def test_minds_are_merged_by_score_then_in_their_order(two: Searching) -> None:
    def write(tx: MindTransaction, *texts: str) -> None:
        session = tx.sessions.create().id
        for text in texts:
            tx.frames.create_i_frame(FrameDraft(text, session_id=session))

    two.write(lambda tx: write(tx, "zebra zebra", "a zebra among many other words"), 0)
    two.write(lambda tx: write(tx, "zebra", "one more zebra among many other words here"), 1)
    result = two.find("zebra")
    assert [(hit.workspace, hit.frame.id) for hit in result.hits] == [
        ("personal", 1), ("work", 1), ("personal", 2), ("work", 2)
    ]  # fmt: skip
    assert result.total == 4
    assert [hit.rank for hit in result.hits] == [1, 2, 3, 4]
    limited = two.find("zebra", limit=3)
    assert [hit.workspace for hit in limited.hits] == ["personal", "work", "personal"]
    assert limited.cursor is not None


def test_no_mind_no_hits() -> None:
    result = asyncio.run(search([], SearchRequest("zebra", expect_frame_id=1), still))
    assert (result.hits, result.total) == ((), 0)
    assert result.why_not is not None
    assert "No mind was searched" in result.why_not.reason


@pytest.mark.parametrize("limit", [0, -1, 1_001])
def test_a_bad_limit_has_a_name(one: Searching, limit: int) -> None:
    with pytest.raises(InvalidValue):
        one.find("zebra", limit=limit)


@pytest.mark.parametrize("now", ["soon", "2026-11-30T12:00:00", ""])
def test_a_bad_moment_has_a_name(one: Searching, now: str) -> None:
    with pytest.raises(InvalidDate):
        one.find("zebra", now=now)


def test_searching_changes_nothing(one: Searching) -> None:
    add(one, "zebra")
    before = one.read(lambda tx: tx.frames.list_current(10))
    one.find("zebra")
    assert one.read(lambda tx: tx.frames.list_current(10)) == before


def test_a_search_can_be_cancelled(one: Searching) -> None:
    async def go() -> None:
        task = asyncio.create_task(search(one.minds, SearchRequest("zebra"), still))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await search(one.minds, SearchRequest("zebra"), still)).hits

    add(one, "zebra")
    asyncio.run(go())


def test_the_parser_is_open_to_the_window() -> None:
    assert parse("x source:claude").filters.sources == ("claude",)
