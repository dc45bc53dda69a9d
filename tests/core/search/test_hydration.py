"""Hits as they are shown: the frame's current text, its session, one statement for all of them."""

from __future__ import annotations

from tests.core.search.conftest import Searching
from tests.core.search.test_keyword_lane import add

from hivemind.domain.frames import FrameDraft
from hivemind.domain.sessions import SessionKind
from hivemind.mind import MindTransaction


def test_a_hit_carries_its_session(one: Searching) -> None:
    def write(tx: MindTransaction) -> None:
        session = tx.sessions.create(SessionKind.CONVERSATION, "Trip to Vienna", source="chatgpt")
        tx.frames.create_i_frame(FrameDraft("zebra", session_id=session.id, speaker="Ana"))

    one.write(write)
    (hit,) = one.find("zebra").hits
    assert (hit.workspace, hit.session_title, hit.source_name) == ("personal", "Trip to Vienna", "chatgpt")
    assert (hit.text, hit.rank, hit.frame.speaker) == ("zebra", 1, "Ana")


def test_the_text_is_the_current_one_and_the_frame_is_the_stored_one(one: Searching) -> None:
    first, second = add(one, "zebra before", "zebra untouched")
    amend = one.write(lambda tx: tx.frames.amend(first, "zebra after"))
    hits = {hit.frame.id: hit for hit in one.find("zebra").hits}
    assert set(hits) == {amend.id, second}
    assert hits[amend.id].text == "zebra after"
    assert hits[second].frame == one.read(lambda tx: tx.frames.get(second))
    assert hits[second].source_name == ""
