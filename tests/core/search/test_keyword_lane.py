"""The keyword lane: any input is safe, the searched word is found, bm25 orders, phrases are required."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.core.search.conftest import Searching

from hivemind.domain.frames import FrameDraft, Importance
from hivemind.domain.text import sanitise
from hivemind.mind import MindTransaction
from hivemind.search.filters import Scope
from hivemind.search.keyword_lane import keyword_lane
from hivemind.search.lanes import lane_query
from hivemind.search.query import TypedFilters, parse
from hivemind.search.words import tokeniser

HOSTILE = [
    "well-known", "POL-358", "2026-05-08", "zoom.us", "current.md", "@nasa", "#tag", "GB/s", "don't", "20.04", "a=b",
    "why?", "50%", "[x]", "grammar::fa", '"', '""', '"unclosed', 'say "hi"', "*", "prefix*", "-", "--", "AND", "OR",
    "NOT", "NEAR", "NEAR(a b, 3)", "a AND", "NOT a", "(", ")", "((a)", "C++", "C#", ".NET", "col:x", "content:x",
    "{content}: x", "^start", "a + b", "'; DROP TABLE memory_frames; --", "' OR 1=1", "\\", "%", "_", "a\x00b",
    "\x00", "\ud800", "\udfff x",
    "\u202eabc\u202c", "\u200b", "\u2066x\u2069", "ünïcode@x", "🙂", "🙂 smile", "the", "the of and", "fam-ødegård/2",
    "x" * 20_000, "word " * 4_000, '"' * 20_000, "“" * 20_000, "用户" * 10_000, "* " * 10_000, "\n\t", "before:2025-06",
    "before: x", "source: x", ":", "::", "\u00a0", "\u3000用户\u3000", "\uffff", "\U0010ffff",
]  # fmt: skip


def add(searching: Searching, *texts: str, **more: object) -> list[int]:
    def write(tx: MindTransaction) -> list[int]:
        session = tx.sessions.create().id
        drafts = [FrameDraft(text, session_id=session, **more) for text in texts]  # type: ignore[arg-type]
        base = tx.frames.create_i_frame(drafts[0]).id
        return [base, *(tx.frames.create_p_frame(draft, base).id for draft in drafts[1:])]

    return searching.write(write)


@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: repr(query[:20]))
def test_no_query_is_an_error(lasting: Searching, query: str) -> None:
    result = lasting.find(query, expect_frame_id=1)
    assert result.why_not is not None
    assert len(result.hits) <= result.total


@pytest.mark.parametrize(
    "word",
    ["well-known", "POL-358", "2026-05-08", "zoom.us", "@nasa", "GB/s", "don't", "20.04", "a=b", "50%", "grammar::fa",
     "why?", "C++", "Müller", "Београду", "ünïcode@x", "fam-ødegård/2", "naïve", "Ελλάδα", "हिन्दी", "한국어", "AND",
     "NOT", "the", "crème", "Go", "AI", "x²", "ﬁne", "İstanbul", "日本語", "ไทยภาษา"],
)  # fmt: skip
def test_each_word_is_found_and_nothing_else_is(one: Searching, word: str) -> None:
    with_it, _without = add(one, f"alpha {word} omega", "unrelated zebra")
    assert one.ids(word) == [with_it]


@pytest.mark.parametrize(
    ("stored", "query"),
    [
        ("Straße", "Strasse"), ("Strasse", "Straße"), ("STRASSE", "straße"), ("Müller", "Muller"), ("Muller", "Müller"),
        ("Mu\u0308ller", "Müller"), ("Müller", "Mu\u0308ller"), ("й вот", "й"), ("и\u0306 вот", "й"),
        ("Београд", "БЕОГРАД"), ("running", "run"), ("Brünn is old", "Brünn's"), ("crème brûlée", "creme brulee"),
        ("say hi", 'say "hi"'),
        ("zerowidth", "zero\u200bwidth"), ("zero\u200bwidth", "zero\u200bwidth"), ("ABC", "ＡＢＣ"),
        ("plain", "\u2068plain\u2069"), ("so cool", "cool🦄"), ("so cool🦄", "cool🦄"),
        ("\u202eabc\u202c", "abc"), ("abc", "\u202eabc\u202c"),
        ("green or red", "red,green"), ("don’t", "don't"),
    ],
)  # fmt: skip
def test_spellings_meet(one: Searching, stored: str, query: str) -> None:
    (frame_id,) = add(one, stored)
    assert one.ids(query) == [frame_id]


@settings(deadline=None, max_examples=150)
@given(st.text(alphabet=st.characters(), min_size=1, max_size=12))
def test_a_frame_that_holds_the_word_is_found(lasting: Searching, word: str) -> None:
    """Any Unicode, surrogates and controls too. Whether it holds a word at all, SQLite itself says."""
    clean = sanitise(word)[0]
    stems = lasting.read(lambda tx: tokeniser(tx.connection)(clean))
    (frame_id,) = add(lasting, f"before {word} after")
    assume(parse(word).filters == TypedFilters())
    result = lasting.find(word, expect_frame_id=frame_id)
    assert result.why_not is not None
    assert (result.why_not.rank is not None) == bool(stems)
    if stems:
        assert result.why_not.explanation is not None
        assert result.why_not.explanation.matched


@settings(deadline=None, max_examples=100)
@given(st.text(alphabet=st.sampled_from("ab \"'*():-+^{}AND OR NOT NEAR ,.\x00"), max_size=40))
def test_the_syntax_of_fts_never_comes_through(lasting: Searching, query: str) -> None:
    lasting.find(query)


def test_bm25_orders_as_sqlite_does(one: Searching) -> None:
    texts = ["apple banana cherry", "apple apple apple", "banana split for everyone here", "nothing to see", "cherry"]
    add(one, *texts)

    def both(tx: MindTransaction):  # type: ignore[no-untyped-def]
        plain = tx.connection.execute(
            "SELECT rowid, rank FROM memory_frames_fts WHERE memory_frames_fts MATCH ? ORDER BY rank, rowid DESC",
            ('"apple" OR "cherry"',),
        )
        lane = keyword_lane(lane_query(tx.connection, parse("apple cherry"), Scope(())))
        return list(plain), lane

    plain, lane = one.read(both)
    assert [frame_id for frame_id, _ in lane.found] == [frame_id for frame_id, _ in plain]
    assert [raw for _, raw in lane.found] == pytest.approx([raw for _, raw in plain], abs=1e-12)
    assert len(plain) == 3
    assert not lane.cut


def test_phrases_are_required_and_words_only_help(one: Searching) -> None:
    phrase, both, scattered, _word = add(
        one, "the launch plan is ready", "launch plan for Vienna", "plan the launch", "Vienna"
    )
    assert set(one.ids('"launch plan"')) == {phrase, both}
    assert one.ids('Vienna "launch plan"') == [both, phrase]
    assert one.ids('"launch plan" "Vienna"') == [both]
    assert scattered in one.ids("launch plan")


def test_a_phrase_matches_by_stem_and_across_an_apostrophe(one: Searching) -> None:
    (frame_id,) = add(one, "they don't like running shoes")
    assert one.ids('"don\'t like"') == [frame_id]
    assert one.ids('"like running"') == [frame_id]


def test_only_current_frames(one: Searching) -> None:
    ids = add(one, "zebra one", "zebra two", "zebra three", "zebra four", "zebra five")
    amended = one.write(lambda tx: tx.frames.amend(ids[1], "zebra amended"))
    one.write(lambda tx: tx.frames.retract(ids[2]))
    one.write(lambda tx: tx.frames.trash([ids[3]]))
    one.write(lambda tx: tx.frames.set_importance(ids[4], Importance.DEPRECATED))
    assert set(one.ids("zebra")) == {ids[0], amended.id, ids[4]}
    assert one.ids("zebra")[-1] == ids[4]
    assert one.find("amended").hits[0].text == "zebra amended"


def test_a_deprecated_frame_weighs_three_tenths(one: Searching) -> None:
    (frame_id,) = add(one, "zebra", importance=Importance.DEPRECATED)
    (hit,) = one.find("zebra").hits
    assert hit.frame.id == frame_id
    assert next(s.value for s in hit.explanation.signals if s.name == "importance") == 0.3


def test_the_lane_hands_on_a_hundred(one: Searching) -> None:
    add(one, *(f"zebra number {n}" for n in range(130)))
    result = one.find("zebra", limit=1_000)
    assert (result.total, len(result.hits), result.more_matched, result.cursor) == (100, 100, True, None)
    assert not one.find("101").more_matched
