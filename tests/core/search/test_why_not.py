"""Why not: the rank of a named frame even when it is no hit, or the reason in words."""

from __future__ import annotations

import pytest
from tests.core.search.conftest import Searching
from tests.core.search.test_keyword_lane import add

from hivemind.domain.frames import FrameDraft, Importance, ReferenceKind
from hivemind.domain.search import Audience, SearchFilters, WhyNot


def why(searching: Searching, frame_id: int, query: str = "zebra", **more: object) -> WhyNot:
    answer = searching.find(query, expect_frame_id=frame_id, **more).why_not
    assert answer is not None
    assert answer.frame_id == frame_id
    assert answer.reason
    return answer


def test_nothing_is_said_unasked(one: Searching) -> None:
    assert one.find("zebra").why_not is None


def test_a_hit_and_a_frame_beyond_the_page_have_their_rank(one: Searching) -> None:
    ids = add(one, *(f"zebra {'word ' * n}" for n in range(30)))
    assert (why(one, ids[0], limit=5).rank, why(one, ids[29], limit=5).rank) == (1, 30)
    answer = why(one, ids[20], limit=5)
    assert answer.rank == 21
    assert answer.explanation is not None
    assert answer.explanation.matched == ("zebra",)
    assert abs(sum(part.value for part in answer.explanation.parts) - answer.explanation.score) < 1e-9


def test_a_frame_that_is_not_weighed_any_more_has_its_place_in_the_lane(one: Searching) -> None:
    ids = add(one, *(f"zebra {'word ' * n}" for n in range(130)))
    answer = why(one, ids[124])
    assert answer.rank == 125
    assert answer.explanation is not None
    assert "124 other memories" in answer.reason
    assert "first 100" in answer.reason


def test_reasons_in_words(one: Searching) -> None:
    ids = add(one, "zebra one", "zebra two", "zebra three", "zebra four", "no such animal")
    amended = one.write(lambda tx: tx.frames.amend(ids[0], "quagga"))
    retract = one.write(lambda tx: tx.frames.retract(ids[1]))
    one.write(lambda tx: tx.frames.trash([ids[2]]))
    link = one.write(
        lambda tx: tx.frames.create_b_frame("x", [(ids[3], ReferenceKind.LINK), (ids[4], ReferenceKind.LINK)])
    )
    for frame_id, part in [
        (ids[0], f"replaced by memory {amended.id}"),
        (ids[1], f"taken back by memory {retract.id}"),
        (retract.id, "takes another memory back"),
        (ids[2], "in the trash"),
        (link.id, "links are not searched"),
        (ids[4], "No word of the query occurs in it: “zebra”"),
        (amended.id, "No word of the query"),
        (999, "no memory 999 in the mind “personal”"),
    ]:
        answer = why(one, frame_id)
        assert part in answer.reason
        assert answer.rank is None
        assert answer.explanation is None


@pytest.mark.parametrize(
    ("query", "filters", "part"),
    [
        ("zebra", SearchFilters(source="chatgpt"), "does not come from “chatgpt”"),
        ("zebra source:claude", SearchFilters(), "does not come from “claude”"),
        ("zebra", SearchFilters(session_id="s9"), "not in the session “s9”"),
        ("zebra", SearchFilters(since="2027-01-01"), "from before 2027-01-01"),
        ("zebra", SearchFilters(until="2020-01-01"), "later than"),
        ("zebra", SearchFilters(importances=(Importance.CRITICAL,)), "not marked critical"),
        ('"zebra crossing"', SearchFilters(), "the phrase “zebra crossing”"),
        ('zebra "斑马"', SearchFilters(), "the phrase “斑马”"),
        ("?", SearchFilters(), "no word to look for"),
    ],
)
def test_what_filtered_it_out(one: Searching, query: str, filters: SearchFilters, part: str) -> None:
    (frame_id,) = add(one, "zebra 马 in a field")
    answer = why(one, frame_id, query, filters=filters)
    assert part in answer.reason
    assert answer.rank is None


def test_what_an_audience_may_not_see_is_not_even_there(one: Searching) -> None:
    (held,) = add(one, "zebra", quarantine="looks like an instruction")
    (private,) = add(one, "zebra", client="app-b", agent_id="agent")
    assert why(one, held).rank is not None
    for audience, frame_id in [(Audience("ask"), held), (Audience("client", "app-a"), private)]:
        assert "There is no memory" in why(one, frame_id, audience=audience).reason
    one.write(lambda tx: tx.frames.trash([held]))
    assert "There is no memory" in why(one, held, audience=Audience("ask")).reason
    assert "trash" in why(one, held).reason


def test_over_several_minds_the_one_that_ranks_it_answers(two: Searching) -> None:
    def fill(mind: int, *texts: str) -> None:
        def write(tx):  # type: ignore[no-untyped-def]
            session = tx.sessions.create().id
            for text in texts:
                tx.frames.create_i_frame(FrameDraft(text, session_id=session))

        two.write(write, mind)

    fill(0, "zebra", "quagga")
    fill(1, "nothing", "zebra with more words around it")
    assert why(two, 2).rank == 2
    assert "No word" in why(two, 2, "okapi").reason
    assert "the minds “personal”, “work”" in why(two, 77).reason


def test_by_meaning_every_frame_has_a_place(meant: Searching) -> None:
    ids = add(meant, *(f"boat {'word ' * n}" for n in range(130)), "zebra and nothing else of the kind")
    meant.embed()
    found = why(meant, ids[3], "ferry")
    assert (found.reason, found.rank is not None) == ("It is among the hits.", True)
    answer = why(meant, ids[-1], "ferry", limit=5)
    total = meant.find("ferry").total
    assert answer.rank is not None
    assert answer.rank > total - 5
    assert "the 100 nearest" in answer.reason
    assert f"at place {answer.rank:,}" in answer.reason
    assert answer.explanation is not None
    assert answer.explanation.lanes == ()
    assert abs(sum(part.value for part in answer.explanation.parts) - answer.explanation.score) < 1e-6


def test_what_has_no_vectors_yet_says_so(meant: Searching) -> None:
    add(meant, "boat", "ferry")
    meant.embed()
    (fresh,) = add(meant, "zebra")
    answer = why(meant, fresh, "boat")
    assert "no vectors yet" in answer.reason
    assert answer.explanation is not None
    assert answer.explanation.late is not None
    assert answer.explanation.late.estimated


def test_a_filter_is_the_reason_before_any_place(meant: Searching) -> None:
    (frame_id,) = add(meant, "boat")
    meant.embed()
    answer = why(meant, frame_id, "ferry", filters=SearchFilters(importances=(Importance.CRITICAL,)))
    assert "not marked critical" in answer.reason
    assert answer.rank is None
    assert "no word to look for" in why(meant, frame_id, "***").reason
