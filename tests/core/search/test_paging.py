"""Pages: nothing twice, nothing missing, even while the mind grows; foreign cursors have a named error."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.search.conftest import Searching
from tests.core.search.test_keyword_lane import add

from hivemind.domain.frames import FrameDraft
from hivemind.domain.search import Hit, Profile, SearchFilters, SearchRequest
from hivemind.errors import InvalidValue
from hivemind.mind import MindTransaction


def pages(searching: Searching, query: str, *limits: int) -> list[Hit]:
    hits: list[Hit] = []
    cursor, n = None, 0
    while True:
        result = searching.find(query, limit=limits[n % len(limits)], cursor=cursor)
        hits += result.hits
        assert result.hits or cursor is None
        cursor, n = result.cursor, n + 1
        if cursor is None:
            assert result.total == len(hits)
            return hits


@pytest.fixture(scope="module")
def herd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searching]:
    searching = Searching(tmp_path_factory.mktemp("herd"), ("personal", "work"))
    for mind, count in ((0, 37), (1, 23)):
        for n in range(count):
            searching.write(partial(_add_one, f"zebra {'and more ' * (n % 7)}"), mind)
    yield searching
    searching.close()


def _add_one(text: str, tx: MindTransaction) -> None:
    tx.frames.create_i_frame(FrameDraft(text, session_id=tx.sessions.notes_of_day("2026-11-30").id))


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(1, 70), min_size=1, max_size=4))
def test_any_pages_together_are_the_one_big_page(herd: Searching, limits: list[int]) -> None:
    whole = herd.find("zebra", limit=1_000).hits
    together = pages(herd, "zebra", *limits)
    assert [(hit.workspace, hit.frame.id, hit.rank, hit.score) for hit in together] == [
        (hit.workspace, hit.frame.id, hit.rank, hit.score) for hit in whole
    ]
    assert len(whole) == 60
    assert {hit.workspace for hit in whole[:10]} == {"personal", "work"}


def test_a_mind_that_grows_between_pages_repeats_nothing(one: Searching) -> None:
    old = add(one, *(f"zebra in the field {n}" for n in range(20)))
    first = one.find("zebra", limit=10)
    add(one, *("zebra zebra zebra" for _ in range(5)))
    second = one.find("zebra", limit=50, cursor=first.cursor)
    seen = [hit.frame.id for hit in (*first.hits, *second.hits)]
    assert len(seen) == len(set(seen)) == 25
    assert set(old) <= set(seen)
    assert second.hits[0].rank == 11


def test_all_pages_are_weighed_at_the_moment_of_the_first(one: Searching) -> None:
    add(one, "zebra one", "zebra two")
    first = one.find("zebra", limit=1, now="2027-06-01T00:00:00.000Z")
    second = one.find("zebra", limit=1, cursor=first.cursor)
    assert first.hits[0].explanation.relevance == second.hits[0].explanation.relevance < 0.7


def test_a_cursor_of_another_search_is_refused(one: Searching) -> None:
    add(one, "zebra one", "zebra two")
    cursor = one.find("zebra", limit=1).cursor
    assert cursor is not None
    for other in (
        SearchRequest("quagga", cursor=cursor),
        SearchRequest("zebra", cursor=cursor, profile=Profile.RECENT),
        SearchRequest("zebra", cursor=cursor, filters=SearchFilters(source="claude")),
    ):
        with pytest.raises(InvalidValue, match="another search"):
            one.request(other)


NO_CURSORS: list[object] = [
    None,
    [],
    {},
    [[[]]],
    [1, "x", "now", {}],
    [1, "x", "2026-11-30T00:00:00.000Z", []],
    [1, 2, 3, {"a": 4}],
]


@pytest.mark.parametrize(
    "cursor",
    ["", "x", "é", "!!!!", "AAAA", *(base64.urlsafe_b64encode(json.dumps(b).encode()).decode() for b in NO_CURSORS)],
)
def test_what_is_no_cursor_is_refused(one: Searching, cursor: str) -> None:
    with pytest.raises(InvalidValue):
        one.find("zebra", cursor=cursor)


def test_a_cursor_holds_no_text(one: Searching) -> None:
    add(one, "zebra secret", "zebra hidden")
    cursor = one.find("zebra", limit=1).cursor
    assert cursor is not None
    plain = base64.urlsafe_b64decode(cursor + "==").decode()
    assert "zebra" not in plain
    assert "secret" not in plain
