"""Long lists: newest first, pages in order, filters act.

Covers: listing_service.
"""

from __future__ import annotations

from tests.core.engine.conftest import Driver

from hivemind.domain.frames import Importance
from hivemind.domain.search import SearchFilters, SearchRequest

HERE = "personal"


def test_pages_filters_trash_and_sources(driver: Driver) -> None:
    ids = [
        driver.run(lambda e, n=n: e.memory.save(f"note {n}", HERE)).frame.id  # type: ignore[misc]
        for n in range(5)
    ]
    assert list(driver.run(lambda e: e.listing.ids(HERE))) == ids[::-1]
    driver.run(lambda e: e.memory.set_importance(HERE, ids[:2], Importance.CRITICAL))
    driver.run(lambda e: e.memory.set_pinned(HERE, ids[1:3], True))
    critical = SearchFilters(importances=(Importance.CRITICAL,))
    assert list(driver.run(lambda e: e.listing.ids(HERE, critical))) == [ids[1], ids[0]]
    assert list(driver.run(lambda e: e.listing.ids(HERE, SearchFilters(pinned=True)))) == [ids[2], ids[1]]
    assert list(driver.run(lambda e: e.listing.ids(HERE, SearchFilters(pinned=False)))) == [ids[4], ids[3], ids[0]]
    driver.run(lambda e: e.memory.trash(HERE, ids[:1]))
    assert list(driver.run(lambda e: e.listing.trashed_ids(HERE))) == ids[:1]
    rows = driver.run(lambda e: e.listing.frames(HERE, [ids[3], 999, ids[0]]))
    assert [row.frame.id for row in rows] == [ids[3], ids[0]]
    assert rows[0].frame.content == "note 3"
    assert rows[0].session_title
    assert driver.run(lambda e: e.listing.sources(HERE)) == []


def test_a_pinned_filter_acts_in_search_too(driver: Driver) -> None:
    first = driver.run(lambda e: e.memory.save("a lemon here", HERE)).frame.id
    driver.run(lambda e: e.memory.save("a lemon there", HERE))
    driver.run(lambda e: e.memory.set_pinned(HERE, [first], True))
    found = driver.run(lambda e: e.memory.search(SearchRequest("lemon", (HERE,), SearchFilters(pinned=True))))
    assert [hit.frame.id for hit in found.hits] == [first]
