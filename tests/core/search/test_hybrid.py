"""The search as its callers see it: several minds, what it says of itself, and its named errors."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.core.search.conftest import SearchEncoder, Searching, still
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


def test_minds_with_and_without_vectors_answer_together(two: Searching) -> None:
    encoder = two.encoder = SearchEncoder()

    def write(tx: MindTransaction, *texts: str) -> None:
        session = tx.sessions.create().id
        for text in texts:
            tx.frames.create_i_frame(FrameDraft(text, session_id=session))

    two.write(lambda tx: write(tx, "the boat goes at midday", "zebra", "quagga"), 0)
    two.write(lambda tx: write(tx, "the ferry leaves at noon", "okapi"), 1)
    two.embed()
    result = two.find("ferry noon")
    assert (result.mode, result.recipe) == (Mode.HYBRID, Recipe.DEFAULT)
    assert "In the mind “work” only words were looked for" in result.degraded
    assert {(hit.workspace, hit.text) for hit in result.hits[:2]} == {
        ("personal", "the boat goes at midday"), ("work", "the ferry leaves at noon"),
    }  # fmt: skip
    assert result.pending_vectors == 2
    assert all(abs(sum(p.value for p in hit.explanation.parts) - hit.score) < 1e-6 for hit in result.hits)
    two.embed(mind=1)
    both = two.find("ferry noon")
    assert (both.degraded, both.pending_vectors) == ("", 0)
    assert both.hits[0].text == "the ferry leaves at noon"
    assert encoder.asked == ["ferry noon"] * 2


def test_pages_by_meaning_never_repeat(meant: Searching) -> None:
    ids = add(meant, *(f"boat number {n}" for n in range(25)))
    meant.embed()
    seen: list[int] = []
    cursor = None
    while True:
        result = meant.find("ferry", limit=10, cursor=cursor)
        seen += [hit.frame.id for hit in result.hits]
        cursor = result.cursor
        if cursor is None:
            break
    assert sorted(seen) == sorted(ids)
    assert seen == meant.ids("ferry", limit=100)


def test_another_process_wrote_and_removed(meant: Searching, tmp_path: Path) -> None:
    other = Searching(tmp_path)
    other.encoder = meant.encoder
    try:
        (kept,) = add(other, "the boat")
        other.embed()
        assert meant.ids("ferry") == [kept]
        (gone,) = add(other, "another boat")
        other.embed()
        assert set(meant.ids("ferry")) == {kept, gone}
        other.write(lambda tx: tx.frames.remove([gone]))
        assert meant.ids("ferry") == [kept]
    finally:
        other.close()
