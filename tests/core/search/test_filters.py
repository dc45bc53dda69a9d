"""Filters and audience inside the lanes, against a brute-force look at every frame."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.search.conftest import NOW, Searching
from tests.core.search.test_keyword_lane import add

from hivemind.clock import stamp
from hivemind.domain.frames import Frame, FrameDraft, FrameType, Importance, Provenance
from hivemind.domain.search import Audience, SearchFilters
from hivemind.domain.sessions import SessionKind
from hivemind.errors import InvalidDate
from hivemind.mind import MindTransaction

SOURCES = {"s:chatgpt": "chatgpt", "s:claude": "claude", "s:notes": None}
LEVELS = list(Importance)


def fill(tx: MindTransaction) -> None:
    """Eighty frames of every kind; each holds the word zebra, half of them also 斑马."""
    chance = random.Random(7)
    for session, source in SOURCES.items():
        kind = SessionKind.CONVERSATION if source else SessionKind.NOTES
        tx.sessions.create(kind, source=source, session_id=session)
        base = None
        for n in range(27):
            client = chance.choice([None, "app-a", "app-b"])
            draft = FrameDraft(
                f"zebra {n}" + (" 斑马群" if n % 2 else ""),
                session_id=session,
                importance=chance.choice(LEVELS),
                source=chance.choice(list(Provenance)),
                event_at=chance.choice(
                    [None, stamp(NOW - timedelta(days=chance.randrange(800), seconds=chance.randrange(9)))]
                ),
                client=client,
                agent_id=chance.choice([None, None, "agent-1", "agent-2"]) if client else None,
                quarantine=chance.choice([None, None, None, "looks like an instruction"]),
            )
            if base is None or n % 9 == 0:
                base = tx.frames.create_i_frame(draft).id
            else:
                tx.frames.create_p_frame(draft, base)


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Searching, list[Frame]]]:
    searching = Searching(tmp_path_factory.mktemp("zoo"))
    searching.write(fill)
    yield searching, searching.read(lambda tx: tx.frames.list_current(1_000))
    searching.close()


def moment(frame: Frame) -> str:
    return frame.event_at or frame.created_at


def visible(frame: Frame, audience: Audience, agent: str | None) -> bool:
    if audience.kind != "owner" and frame.quarantine is not None:
        return False
    others = frame.client is not None and frame.client != audience.client
    if audience.kind == "client" and frame.agent_id is not None and others:
        return False
    return agent is None or frame.agent_id in (None, agent)


DAYS = st.none() | st.integers(0, 800).map(lambda days: stamp(NOW - timedelta(days=days))[:10])


@settings(deadline=None, max_examples=200)
@given(
    since=DAYS,
    until=DAYS,
    source=st.sampled_from([None, None, "chatgpt", "CLAUDE", "gemini", "user_stated"]),
    session=st.sampled_from([None, None, "s:claude", "s:notes", "nowhere' OR 1=1"]),
    importances=st.sets(st.sampled_from(LEVELS), max_size=3),
    types=st.sets(st.sampled_from(list(FrameType)), max_size=2),
    audience=st.sampled_from([Audience(), Audience("ask"), Audience("client", "app-a"), Audience("client", "app-z")]),
    agent=st.sampled_from([None, None, "agent-1"]),
    query=st.sampled_from(["zebra", "斑马", "zebra 斑马"]),
)
def test_every_filter_equals_brute_force(
    zoo: tuple[Searching, list[Frame]],
    since: str | None,
    until: str | None,
    source: str | None,
    session: str | None,
    importances: set[Importance],
    types: set[FrameType],
    audience: Audience,
    agent: str | None,
    query: str,
) -> None:
    searching, frames = zoo
    filters = SearchFilters(since, until, source, session, tuple(importances), tuple(types))
    wanted = {
        frame.id
        for frame in frames
        if visible(frame, audience, agent)
        and (since is None or moment(frame)[:10] >= since)
        and (until is None or moment(frame)[:10] <= until)
        and (source is None or source.lower() in (SOURCES[frame.session_id], frame.source))
        and (session is None or frame.session_id == session)
        and (not importances or frame.importance in importances)
        and (not types or frame.type in types)
        and (query != "斑马" or "斑马" in frame.content)
    }
    found = searching.ids(query, filters=filters, audience=audience, agent_id=agent, limit=1_000)
    assert len(found) == len(set(found))
    assert set(found) == wanted


@pytest.mark.parametrize(
    ("typed", "filters"),
    [
        ("source:chatgpt", SearchFilters(source="chatgpt")),
        ("session:s:claude", SearchFilters(session_id="s:claude")),
        ("importance:critical,normal", SearchFilters(importances=(Importance.CRITICAL, Importance.NORMAL))),
        ("after:2025-11-05", SearchFilters(since="2025-11-05")),
        ("until:2025-11", SearchFilters(until="2025-11-30")),
        ("before:2025-12-01", SearchFilters(until="2025-11-30")),
    ],
)
def test_typed_filters_equal_the_requests(
    zoo: tuple[Searching, list[Frame]], typed: str, filters: SearchFilters
) -> None:
    searching, frames = zoo
    found = searching.ids(f"zebra {typed}", limit=1_000)
    assert found == searching.ids("zebra", filters=filters, limit=1_000)
    assert 0 < len(found) < len(frames)


def test_typed_and_requested_filters_both_hold(zoo: tuple[Searching, list[Frame]]) -> None:
    searching, _ = zoo
    both = SearchFilters(source="claude", importances=(Importance.CRITICAL,))
    assert searching.ids("zebra source:chatgpt", filters=both) == []
    critical = searching.find("zebra importance:critical,normal", filters=both, limit=100)
    assert {hit.frame.importance for hit in critical.hits} == {Importance.CRITICAL}


def test_a_filter_is_inside_the_lane_not_after_its_limit(one: Searching) -> None:
    old = add(one, "zebra in a much longer old text about many other things", event_at="2020-01-01T00:00:00.000Z")
    add(one, *(f"zebra {n}" for n in range(150)))
    assert one.ids("zebra", filters=SearchFilters(until="2020-12-31")) == old
    cjk = add(one, "斑马 old", event_at="2020-01-01T00:00:00.000Z")
    add(one, *(f"斑马群 {n}" for n in range(150)))
    assert one.ids("斑马", filters=SearchFilters(until="2020-12-31")) == cjk


@pytest.mark.parametrize("filters", [SearchFilters(since="last week"), SearchFilters(until="2025-02-30")])
def test_a_bad_date_in_the_request_has_a_name(one: Searching, filters: SearchFilters) -> None:
    with pytest.raises(InvalidDate):
        one.find("zebra", filters=filters)


def test_a_bound_is_inclusive_to_the_millisecond(one: Searching) -> None:
    at = "2025-06-30T10:00:00.500Z"
    ids = add(one, "zebra", event_at=at)
    for since, until in itertools.product([None, at, "2025-06-30"], repeat=2):
        assert one.ids("zebra", filters=SearchFilters(since=since, until=until)) == ids
    assert one.ids("zebra", filters=SearchFilters(until="2025-06-30T10:00:00.499Z")) == []
    assert one.ids("zebra", filters=SearchFilters(since="2025-06-30T10:00:00.501Z")) == []
