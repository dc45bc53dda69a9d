"""Reading order around candidates: equal to the whole session in order, whatever is amended, taken back or gone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.search.conftest import Searching
from tests.core.search.test_keyword_lane import add

from hivemind.domain.frames import FrameDraft, Origin
from hivemind.domain.search import Audience, SearchFilters, SearchRequest
from hivemind.domain.sessions import SessionKind
from hivemind.mind import MindTransaction
from hivemind.search.filters import Scope, scope_of
from hivemind.search.late_interaction import near
from hivemind.search.passage import Passage, read_passage
from hivemind.search.query import TypedFilters

EVERYTHING = Scope(())
ASK = SearchRequest("x", audience=Audience("ask"))


def read(searching: Searching, seeds: Sequence[int], reach: int = 3, scope: Scope = EVERYTHING) -> Passage:
    return searching.read(lambda tx: read_passage(tx.connection, scope, seeds, reach))


def order_in_full(tx: MindTransaction) -> dict[str, list[list[int]]]:
    """Each session's branches, every current frame of them in reading order."""
    rows = tx.connection.execute(
        "SELECT gop_id, branch, id FROM current_frames WHERE position IS NOT NULL ORDER BY branch, position, part, id"
    )
    sessions: dict[str, dict[int, list[int]]] = {}
    for session, branch, frame_id in rows:
        sessions.setdefault(session, {}).setdefault(branch, []).append(frame_id)
    return {session: list(branches.values()) for session, branches in sessions.items()}


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 12), st.integers(0, 1)), unique=True, min_size=1, max_size=20),
    st.lists(st.tuples(st.sampled_from(["amend", "retract", "trash"]), st.integers(0, 19)), max_size=6),
    st.data(),
)
def test_neighbours_are_those_of_the_whole_session(lasting, places, events, data):  # type: ignore[no-untyped-def]
    def write(tx: MindTransaction) -> list[int]:
        session = tx.sessions.create(SessionKind.CONVERSATION).id
        base = tx.frames.create_i_frame(FrameDraft("summary", session, origin=Origin.IMPORT)).id
        drafts = [FrameDraft("x", position=p, part=n, branch=b, origin=Origin.IMPORT) for b, p, n in places]
        ids = tx.frames.add_imported(drafts, base)
        for event, at in events:
            frame_id = ids[at % len(ids)]
            if event == "trash":
                tx.frames.trash([frame_id])
            elif tx.frames.get(frame_id).trashed_at is None:
                tx.frames.amend(frame_id, "y") if event == "amend" else tx.frames.retract(frame_id)
        return [base, *ids]

    written = lasting.write(write)
    session = lasting.read(lambda tx: tx.frames.get(written[0]).session_id)
    branches = lasting.read(order_in_full).get(session, [])
    current = [frame_id for branch in branches for frame_id in branch]
    seeds = data.draw(st.lists(st.sampled_from([*current, written[0]]), unique=True, max_size=4))
    reach = data.draw(st.integers(1, 3))
    passage = read(lasting, seeds, reach)
    ids = [row.frame_id for row in passage.rows]
    wanted = {seed for seed in seeds if seed == written[0]}
    for branch in branches:
        places_of = {frame_id: at for at, frame_id in enumerate(branch)}
        at_seeds = [places_of[seed] for seed in seeds if seed in places_of]
        wanted |= {one for one in branch if any(abs(places_of[one] - at) <= reach for at in at_seeds)}
    assert set(ids) == wanted
    for offset in range(-reach, reach + 1):
        rows = near(passage.thread, passage.place, offset)
        for row, frame_id in enumerate(ids):
            branch = next((one for one in branches if frame_id in one), [frame_id])
            there = branch.index(frame_id) + offset
            expected = branch[there] if 0 <= there < len(branch) else None
            found = ids[rows[row]] if rows[row] >= 0 else None
            assert found == (expected if expected in wanted else None)


def test_rows_ascend_and_each_place_is_one_frame(one: Searching) -> None:
    ids = add(one, *"abcdefgh")
    passage = read(one, ids)
    keys = list(zip(passage.thread.tolist(), passage.place.tolist(), strict=True))
    assert keys == sorted(set(keys))
    # Saved without a position: each stands alone.
    assert len(set(passage.thread.tolist())) == 8
    assert np.all(near(passage.thread, passage.place, 1) == -1)


def chat(searching: Searching, *texts: str, **more: object) -> list[int]:
    def write(tx: MindTransaction) -> list[int]:
        session = tx.sessions.create(SessionKind.CONVERSATION).id
        base = tx.frames.create_i_frame(FrameDraft("summary", session, origin=Origin.IMPORT)).id
        drafts = [FrameDraft(text, position=at, origin=Origin.IMPORT, **more) for at, text in enumerate(texts)]  # type: ignore[arg-type]
        return tx.frames.add_imported(drafts, base)

    return searching.write(write)


def test_what_the_scope_hides_keeps_its_place_and_is_not_read(one: Searching) -> None:
    ids = chat(one, *"abcde")
    one.write(lambda tx: tx.frames.set_quarantine(ids[1], "held"))
    early = SearchRequest("x", filters=SearchFilters(until="2020-01-01"))
    assert [row.frame_id for row in read(one, ids[:1]).rows] == ids[:4]
    passage = read(one, ids[:1], 3, scope_of(ASK, TypedFilters()))
    assert [row.frame_id for row in passage.rows] == [ids[0], ids[2], ids[3]]
    assert (passage.place - passage.place[0]).tolist() == [0, 2, 3]
    assert read(one, ids[:1], 3, scope_of(early, TypedFilters())).rows == ()


def test_facts_are_the_frames(one: Searching) -> None:
    (note,) = add(one, "When was it? In March")
    (said,) = chat(one, "Hello there, Ana", speaker="Ana")
    rows = {row.frame_id: row for row in read(one, [note, said]).rows}
    frame = one.read(lambda tx: tx.frames.get(note))
    assert (rows[note].kind, rows[said].kind) == ("notes", "conversation")
    assert rows[note].flags == frame.flags != 0
    assert rows[note].standing.last_accessed == frame.last_accessed
    assert rows[note].standing.importance is frame.importance
    assert rows[note].speaker is None
    assert isinstance(rows[said].speaker, int)
