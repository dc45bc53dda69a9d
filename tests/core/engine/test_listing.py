"""Long lists: the ids are those of the view whatever happened, pages come in order, filters act.

Covers: listing_service, frame_listing.
"""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.conftest import SyncMind
from tests.core.engine.conftest import Driver

from hivemind.domain.frames import FrameDraft, Importance, ReferenceKind
from hivemind.domain.search import SearchFilters
from hivemind.mind.frame_listing import current_ids
from hivemind.mind.saving import save

HERE = "personal"
#: What may happen to a frame, by number.
STEPS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 20)), max_size=14)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_the_ids_are_those_of_the_view(sync_mind: SyncMind, steps: list[tuple[int, int]]) -> None:
    def happen(tx) -> None:
        ids = [save(tx, FrameDraft(f"text {tx.now} {n}")).frame.id for n in range(3)]
        for kind, pick in steps:
            frame = tx.frames.get(ids[pick % len(ids)])
            if kind == 0:
                ids.append(save(tx, FrameDraft(f"more {tx.now} {pick} {len(ids)}")).frame.id)
            elif kind == 5:
                tx.frames.restore((frame.id,))
            elif kind == 6:
                tx.frames.remove((ids.pop(),)) if len(ids) > 2 else None
            elif frame.trashed_at is None:
                if kind == 1:
                    tx.frames.amend(frame.id, f"changed {len(ids)} {pick}")
                elif kind == 2:
                    tx.frames.retract(frame.id)
                elif kind == 3:
                    tx.frames.trash((frame.id,))
                elif (other := tx.frames.get(ids[0])).trashed_at is None and other.id != frame.id:
                    tx.frames.create_b_frame("both", [(frame.id, ReferenceKind.LINK), (other.id, ReferenceKind.LINK)])

    sync_mind.write(happen)
    view = sync_mind.read(
        lambda tx: [i for (i,) in tx.connection.execute("SELECT id FROM current_frames ORDER BY id DESC")]
    )
    assert list(sync_mind.read(lambda tx: current_ids(tx.connection))) == view


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
    from hivemind.domain.search import SearchRequest

    first = driver.run(lambda e: e.memory.save("a lemon here", HERE)).frame.id
    driver.run(lambda e: e.memory.save("a lemon there", HERE))
    driver.run(lambda e: e.memory.set_pinned(HERE, [first], True))
    found = driver.run(lambda e: e.memory.search(SearchRequest("lemon", (HERE,), SearchFilters(pinned=True))))
    assert [hit.frame.id for hit in found.hits] == [first]
