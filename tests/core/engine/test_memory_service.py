"""Memories through the engine: what a window and a command line see of saving, reading and searching."""

from __future__ import annotations

import pytest

from hivemind.domain.frames import Access, Importance
from hivemind.domain.search import SearchRequest
from hivemind.engine.memory_service import MemoryService, first_line
from hivemind.errors import FrameNotFound, InvalidValue, SessionNotFound, WorkspaceNotFound

W = "personal"


def test_a_detail_has_text_origin_and_history(driver):
    saved = driver.run(lambda e: e.memory.save("We chose Postgres.\nIt has joins.", W)).frame
    driver.run(lambda e: e.memory.save("We chose Postgres 17.", W, amends=saved.id))
    detail = driver.run(lambda e: e.memory.detail(W, saved.id))
    assert (detail.text, detail.title) == ("We chose Postgres 17.", "We chose Postgres 17.")
    assert [f.content for f in detail.history] == ["We chose Postgres.\nIt has joins.", "We chose Postgres 17."]
    assert detail.session_title.startswith("Notes of")
    assert detail.message_id is None
    assert not detail.retracted
    driver.run(lambda e: e.memory.save("wrong", W, retracts=saved.id))
    assert driver.run(lambda e: e.memory.detail(W, saved.id)).retracted
    assert isinstance(driver.engine.memory, MemoryService)


def test_search_finds_what_counts_now(driver):
    saved = driver.run(lambda e: e.memory.save("Maja works in Lund", W)).frame
    driver.run(lambda e: e.memory.save("Maja works in Umeå", W, amends=saved.id))
    found = driver.run(lambda e: e.memory.search(SearchRequest("Maja works")))
    assert [hit.text for hit in found.hits] == ["Maja works in Umeå"]
    assert driver.run(lambda e: e.memory.search(SearchRequest("Lund"))).hits == ()


def test_use_counts_once_per_query_and_moves_nothing_else(driver):
    frame = driver.run(lambda e: e.memory.save("opened", W)).frame
    for _ in range(2):
        driver.run(lambda e: e.memory.used(W, [Access(frame.id, "opened", None, "q")]))
    assert driver.run(lambda e: e.memory.detail(W, frame.id)).frame.access_count == 1


def test_pages_of_frames_join_without_gap(driver):
    ids = [driver.run(lambda e, n=n: e.memory.save(f"note {n}", W)).frame.id for n in range(7)]
    seen, before = [], None
    while page := driver.run(lambda e, b=before: e.memory.list_frames(W, 3, b)):
        seen += [frame.id for frame in page]
        before = page[-1].id
    assert seen == ids[::-1]
    assert driver.run(lambda e: e.memory.count(W)) == 7


def test_trash_lists_originals_only(driver):
    frame = driver.run(lambda e: e.memory.save("old", W)).frame
    driver.run(lambda e: e.memory.save("new", W, amends=frame.id))
    assert driver.run(lambda e: e.memory.trash(W, [frame.id])) == [frame.id]
    assert driver.run(lambda e: e.memory.trash(W, [frame.id])) == []
    assert [f.id for f in driver.run(lambda e: e.memory.list_trashed(W))] == [frame.id]
    assert driver.run(lambda e: e.memory.restore(W, [frame.id])) == [frame.id]
    assert len(driver.run(lambda e: e.memory.history(W, frame.id))) == 2


def test_wrong_asks_have_names_and_change_nothing(driver):
    frame = driver.run(lambda e: e.memory.save("one", W)).frame
    asks = {
        InvalidValue: lambda e: e.memory.save("x", W, amends=frame.id, retracts=frame.id),
        FrameNotFound: lambda e: e.memory.set_importance(W, [frame.id, 999], Importance.CRITICAL),
        SessionNotFound: lambda e: e.memory.save("x", W, session_id="nowhere"),
        WorkspaceNotFound: lambda e: e.memory.count("nowhere"),
    }
    for error, ask in asks.items():
        with pytest.raises(error):
            driver.run(ask)
    assert driver.run(lambda e: e.memory.detail(W, frame.id)).frame.importance is Importance.NORMAL


@pytest.mark.parametrize(
    ("text", "title"),
    [("\n\n one \ntwo", "one"), ("word " * 30, ("word " * 16).strip() + "…"), ("", "")],
)
def test_a_title_is_the_first_line_cut_at_a_word(text, title):
    assert first_line(text) == title
