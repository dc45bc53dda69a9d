"""Summaries below their messages, graph distances, profiles that change the order."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.search.conftest import NOW, Searching
from tests.core.search.test_keyword_lane import add

from hivemind.clock import stamp
from hivemind.domain.frames import FrameDraft, Importance, Origin
from hivemind.domain.search import Profile, Recipe
from hivemind.domain.sessions import SessionKind
from hivemind.mind import MindTransaction


def chat(
    searching: Searching, summary: str, messages: Sequence[str], level: Importance = Importance.NORMAL
) -> tuple[int, list[int]]:
    """An imported conversation: its I-frame and its messages."""

    def write(tx: MindTransaction) -> tuple[int, list[int]]:
        session = tx.sessions.create(SessionKind.CONVERSATION, source="chatgpt").id
        top = FrameDraft(summary, session_id=session, origin=Origin.IMPORT, importance=level)
        base = tx.frames.create_i_frame(top).id
        return base, tx.frames.add_imported([FrameDraft(text, origin=Origin.IMPORT) for text in messages], base)

    return searching.write(write)


def test_a_summary_stands_below_its_own_messages(one: Searching) -> None:
    summary, messages = chat(one, "zebra zebra", ["a long zebra message with more words in it", "nothing", "zebra too"])
    result = one.find("zebra")
    assert [hit.frame.id for hit in result.hits] == [messages[2], messages[0], summary]
    last = result.hits[-1].explanation
    assert [part.name for part in last.parts][-1] == "summary"
    assert last.parts[-1].value < 0
    assert abs(sum(part.value for part in last.parts) - last.score) < 1e-9


def test_the_seed_recipe_knows_no_such_rule(one: Searching) -> None:
    summary, _ = chat(one, "zebra zebra", ["a long zebra message with more words in it"])
    result = one.find("zebra", recipe=Recipe.SEED)
    assert result.hits[0].frame.id == summary
    assert all(part.name != "summary" for hit in result.hits for part in hit.explanation.parts)


def test_a_summary_that_alone_matched_keeps_its_place(one: Searching) -> None:
    summary, _ = chat(one, "zebra zebra", ["nothing here"])
    other = add(one, "a longer text with one zebra in it")[0]
    assert one.ids("zebra") == [summary, other]


def test_a_memory_that_was_saved_is_no_summary(one: Searching) -> None:
    first, _second = add(one, "zebra zebra", "a long zebra message with more words in it")
    assert one.ids("zebra")[0] == first


@settings(deadline=None, max_examples=40)
@given(
    st.sampled_from(list(Importance)),
    st.lists(
        st.sampled_from(["zebra", "zebra quagga", "quagga", "some zebra among many other words", "none"]), max_size=6
    ),
)
def test_never_above_one_of_its_messages(lasting: Searching, level: Importance, messages: list[str]) -> None:
    summary, own = chat(lasting, "zebra quagga zebra", messages, level)
    place = {hit.frame.id: hit.rank for hit in lasting.find("zebra quagga", limit=1_000).hits}
    if summary in place:
        assert all(place[one] < place[summary] for one in own if one in place)


def test_graph_distances_raise_what_is_near_and_add_nothing(one: Searching) -> None:
    ids = add(one, "zebra", "zebra", "zebra", "quagga")
    plain = one.find("zebra", profile=Profile.CONNECTED)
    near = one.find("zebra", profile=Profile.CONNECTED, graph_distances=((ids[0], 0), (ids[3], 0)))
    assert [hit.frame.id for hit in plain.hits] == [ids[2], ids[1], ids[0]]
    assert [hit.frame.id for hit in near.hits] == [ids[0], ids[2], ids[1]]
    contextual = [next(s for s in hit.explanation.signals if s.name == "contextual") for hit in near.hits]
    assert [(signal.value, signal.weight) for signal in contextual] == [(1.0, 0.6), (0.0, 0.6), (0.0, 0.6)]
    assert all(
        signal.weight == 0 for hit in plain.hits for signal in hit.explanation.signals if signal.name == "contextual"
    )


def test_profiles_change_the_order(one: Searching) -> None:
    year_ago = stamp(NOW - timedelta(days=365))
    (critical,) = add(one, "zebra", importance=Importance.CRITICAL, event_at=year_ago)
    (recent,) = add(one, "zebra")
    assert one.ids("zebra", profile=Profile.IMPORTANT) == [critical, recent]
    assert one.ids("zebra", profile=Profile.RECENT) == [recent, critical]


def test_now_is_the_requests(one: Searching) -> None:
    add(one, "zebra")
    later = one.find("zebra", now=stamp(NOW + timedelta(days=30))).hits[0]
    assert abs(next(s.value for s in later.explanation.signals if s.name == "temporal") - 0.5) < 1e-9
