"""The recipe `default` end to end: its score is the formulas over what the mind stores, and every part is told.

Covers: default_recipe, late_ranking, ranking, meaning.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.search.conftest import NOW, SearchEncoder, Searching
from tests.core.search.test_keyword_lane import add
from tests.core.search.test_late_interaction import plain_score
from tests.samples.encoders import CONTENT

from hivemind.clock import stamp
from hivemind.domain.frames import Flag, FrameDraft, Importance, Origin
from hivemind.domain.search import Hit, Mode, Profile, Recipe, SearchFilters
from hivemind.domain.sessions import SessionKind
from hivemind.mind import MindTransaction
from hivemind.search.default_recipe import DATE, ESTIMATE
from hivemind.search.relevance_spread import SPREAD

WORDS = ["ferry", "boat", "leaves", "noon", "doctor", "Ana", "yesterday", "the", "zebra", "where?", "用户身份"]
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
SPEAKERS = ["Ana", "Ben Li", "user"]


def chat(searching: Searching, *said: tuple[str, str] | str, summary: str = "a summary", **more: Any) -> list[int]:
    """An imported conversation; returns its I-frame and its messages."""

    def write(tx: MindTransaction) -> list[int]:
        session = tx.sessions.create(SessionKind.CONVERSATION, source="chatgpt").id
        base = tx.frames.create_i_frame(FrameDraft(summary, session, origin=Origin.IMPORT)).id
        drafts = []
        for position, one in enumerate(said):
            speaker, text = ("user", one) if isinstance(one, str) else one
            drafts.append(FrameDraft(text, speaker=speaker, position=position, origin=Origin.IMPORT, **more))
        return [base, *tx.frames.add_imported(drafts, base)]

    return searching.write(write)


def part(hit: Hit, name: str) -> float:
    return sum(one.value for one in hit.explanation.parts if one.name == name)


def stored_frames(tx: MindTransaction, hits: Sequence[Hit]) -> list[dict[str, Any]]:
    """What the formulas read, from the tables themselves."""
    best = max((-lane.raw for hit in hits for lane in hit.explanation.lanes if lane.lane == "keyword"), default=1.0)
    frames = []
    for hit in hits:
        frame = hit.frame
        row = tx.connection.execute("SELECT n, t FROM frame_tokens WHERE frame_id = ?", (frame.id,)).fetchone()
        session = tx.sessions.get(frame.session_id)
        keyword = next((lane.raw for lane in hit.explanation.lanes if lane.lane == "keyword"), 0.0)
        alone = frame.position is None
        frames.append({
            "id": frame.id,
            "thread": -frame.id if alone else session.id,
            "place": 0 if alone else frame.position,
            "tokens": np.frombuffer(row[1], np.int8).reshape(-1, 64).astype(float).tolist(),
            "exact": -keyword / best,
            "session": session.id if session.kind is SessionKind.CONVERSATION else -1,
            "lifts": not (frame.type == "I" and frame.origin is Origin.IMPORT),
            "speaker": frame.speaker,
            "time": bool(frame.flags & Flag.TIME_WORD),
            "capital": bool(frame.flags & Flag.CAPITAL),
            "question": bool(frame.flags & Flag.QUESTION),
        })  # fmt: skip
    numbers = {key: at for at, key in enumerate(sorted({f["session"] for f in frames} - {-1}, key=str))}
    for frame in frames:
        frame["session"] = numbers.get(frame["session"], -1)
    return frames


@settings(deadline=None, max_examples=20)
@given(
    st.lists(st.lists(st.tuples(st.sampled_from(SPEAKERS), TEXT), min_size=1, max_size=6), min_size=1, max_size=3),
    st.lists(TEXT, max_size=2),
    st.lists(st.sampled_from([*(word for word in WORDS if word.isascii()), "when", "who"]), min_size=1, max_size=5),
)
def test_the_score_is_the_formulas_over_what_is_stored(tmp_path_factory, chats, notes, query):  # type: ignore[no-untyped-def]
    searching = Searching(tmp_path_factory.mktemp("formulas"))
    try:
        encoder = searching.encoder = SearchEncoder()
        # Without the unspaced word: what it adds has a test of its own.
        for said in chats:
            chat(searching, *((speaker, text.replace("用户身份", "boat")) for speaker, text in said))
        if notes:
            add(searching, *(text.replace("用户身份", "boat") for text in notes))
        searching.embed()
        question = " ".join(query)
        hits = searching.find(question, limit=1_000).hits
        frames = searching.read(lambda tx: stored_frames(tx, hits))
        assert len(hits) == sum(map(len, chats)) + len(chats) + len(notes)
        asked = encoder.made(question)
        content = [bool(CONTENT[piece]) for piece in asked.pieces]
        counts = searching.read(lambda tx: [tx.connection.execute(
            "SELECT count(*) FROM frame_tokens WHERE frame_id IN (SELECT id FROM memory_frames) AND ("
            " WITH RECURSIVE at(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM at WHERE i < n - 1)"
            " SELECT max(substr(pieces, 2 * i + 1, 2) = ?) FROM at)",
            (piece.to_bytes(2, "little"),),
        ).get for piece in asked.pieces])  # fmt: skip
        rare = [max(0.0, math.log((len(hits) + 1) / (n + 0.5))) * c for n, c in zip(counts, content, strict=True)]
        usable = rare if sum(rare) > 0 else [float(c) for c in content] if any(content) else [1.0] * len(rare)
        omega = [weight / sum(usable) for weight in usable]
        words = {word.casefold().strip("?") for word in query}
        said_by = {"Ana" for _ in [0] if "ana" in words and any(s == "Ana" for c in chats for s, _ in c)}
        for frame in frames:
            frame["named"] = frame["speaker"] in said_by
        cues = ("when" in query, bool({"who", "where?"} & set(query)))
        wanted = plain_score(frames, asked.tokens.tolist(), omega, cues)
        for hit, addends in zip(hits, wanted, strict=True):
            for name, value in addends.items():
                assert abs(part(hit, name) - value) < 1e-5, name
            late = hit.explanation.late
            assert late is not None
            assert abs(sum(one.weight * one.similarity for one in late.pieces) - part(hit, "window")) < 1e-6
    finally:
        searching.close()


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from(SPEAKERS), TEXT), min_size=1, max_size=5),
    TEXT,
    st.sampled_from(list(Profile)),
    st.sampled_from([Mode.HYBRID, Mode.VECTOR]),
    st.sampled_from(["", "last week", "when"]),
    st.data(),
)
def test_parts_make_the_score_of_every_hit_and_of_why_not(lasting, said, query, profile, mode, more, data):  # type: ignore[no-untyped-def]
    lasting.encoder = lasting.encoder or SearchEncoder()
    chat(lasting, *said, event_at=stamp(NOW - timedelta(days=data.draw(st.integers(0, 20)))))
    pending = data.draw(st.booleans())
    if not pending:
        lasting.embed()
    question = f"{query} {more}"
    result = lasting.find(question, profile=profile, mode=mode, limit=1_000)
    if result.recipe is Recipe.SEED:
        return
    known = {frame.id: frame for frame in lasting.read(lambda tx: tx.frames.list_current(100_000))}
    assert [hit.score for hit in result.hits] == sorted((hit.score for hit in result.hits), reverse=True)
    for hit in result.hits[:: max(1, len(result.hits) // 12)]:
        why = hit.explanation
        assert abs(math.fsum(one.value for one in why.parts) - hit.score) < 1e-6
        assert why.score == hit.score
        assert why.late is not None
        assert abs(why.late.score - part(hit, "window")) < 1e-9
        assert len({one.name for one in why.parts}) == len(why.parts)
        for match in why.late.pieces:
            carrier = known[match.frame_id]
            assert match.offset == 0 or (carrier.session_id == hit.frame.session_id and abs(match.offset) <= 3)
            stored = lasting.read(lambda tx, one=match: tx.vectors.pieces_of(one.frame_id, 1))
            assert match.found == "" or match.found in lasting.encoder.piece_texts(stored)
        assert why.late.estimated or why.late.pieces or not part(hit, "window")
        spread = SPREAD.get(profile, 0.10)
        assert abs(sum(part(hit, signal.name) for signal in why.signals)) <= spread + 1e-9
    expected = data.draw(st.sampled_from(sorted(known)))
    told = lasting.find(question, profile=profile, mode=mode, limit=1, expect_frame_id=expected).why_not
    assert told is not None and told.explanation is not None
    assert abs(math.fsum(one.value for one in told.explanation.parts) - told.explanation.score) < 1e-6
    assert told.rank is not None


def test_a_paraphrase_is_found(meant: Searching) -> None:
    ids = chat(meant, "nothing of note", "The boat goes at midday", "and so on")
    chat(meant, "my doctor is kind")
    meant.embed()
    result = meant.find("ferry departs noon")
    assert (result.mode, result.recipe, result.degraded) == (Mode.HYBRID, Recipe.DEFAULT, "")
    best = result.hits[0]
    assert best.frame.id == ids[2]
    assert best.explanation.matched == ()
    assert [(lane.lane, lane.rank) for lane in best.explanation.lanes] == [("vector", 1)]
    late = best.explanation.late
    assert late is not None
    assert {(one.query, one.found) for one in late.pieces} == {
        ("ferry", "boat"), ("departs", "goes"), ("noon", "midday"),
    }  # fmt: skip
    assert all(one.offset == 0 and one.frame_id == ids[2] for one in late.pieces)


def test_a_neighbour_carries_the_words_and_is_named(meant: Searching) -> None:
    ids = chat(meant, "Which ferry do you mean?", "The one at noon", "yes")
    meant.embed()
    hits = {hit.frame.id: hit for hit in meant.find("ferry noon").hits}
    late = hits[ids[2]].explanation.late
    assert late is not None
    assert {(one.query, one.found, one.offset, one.frame_id) for one in late.pieces} == {
        ("ferry", "ferry", -1, ids[1]), ("noon", "noon", 0, ids[2]),
    }  # fmt: skip
    assert "follows a question" in hits[ids[2]].explanation.cues


def test_notes_do_not_carry_each_other(meant: Searching) -> None:
    notes = add(meant, "Which ferry do you mean?", "The one at noon", "yes")
    meant.write(lambda tx: tx.connection.execute("UPDATE sessions SET kind = 'notes'"))
    meant.embed()
    hits = {hit.frame.id: hit for hit in meant.find("ferry noon").hits}
    late = hits[notes[1]].explanation.late
    assert late is not None
    assert {one.frame_id for one in late.pieces} == {notes[1]}
    assert all(part(hit, "session") == 0 and part(hit, "reply") == 0 for hit in hits.values())


def test_the_one_who_is_named_comes_first(meant: Searching) -> None:
    ids = chat(meant, ("Ana", "I like the boat"), ("Ben Li", "I like the boat"), ("user", "I like the boat"))
    meant.embed()
    hit = meant.find("does Ben like boat").hits[0]
    assert hit.frame.id == ids[2]
    assert part(hit, "speaker") == pytest.approx(0.20)
    assert "said by Ben Li, whom the query names" in hit.explanation.cues
    assert all(part(hit, "speaker") == 0 for hit in meant.find("does Ben or Ana or the user like boat").hits)


def test_cues_of_time_and_name(meant: Searching) -> None:
    chat(meant, "the boat came yesterday", "the boat, Zoe said", "the boat")
    meant.embed()
    by_text = {hit.text: hit for hit in meant.find("when did which boat come").hits}
    assert part(by_text["the boat came yesterday"], "when") == pytest.approx(0.10)
    assert part(by_text["the boat came yesterday"], "time") == pytest.approx(0.03)
    assert by_text["the boat came yesterday"].explanation.cues == ("holds a time, which the query asks for",)
    assert part(by_text["the boat, Zoe said"], "name") == pytest.approx(0.04)
    assert by_text["the boat"].explanation.cues == ()


def test_a_time_in_the_query_lifts_what_is_from_then(meant: Searching) -> None:
    old = chat(meant, "we took the boat", event_at="2025-05-08T10:00:00.000Z")
    new = chat(meant, "we took the boat", event_at="2026-11-25T10:00:00.000Z")
    meant.embed()
    last_week, may = meant.find("boat last week").hits[0], meant.find("boat in May 2025").hits[0]
    assert (last_week.frame.id, may.frame.id) == (new[1], old[1])
    assert part(last_week, "date") == part(may, "date") == DATE
    assert "from the time of “last week”" in last_week.explanation.cues
    assert not any(part(hit, "date") for hit in meant.find("boat").hits)


def test_a_summary_stands_below_its_messages_and_none_is_lost(meant: Searching) -> None:
    ids = chat(meant, "a boat", "nothing", "the ferry at noon", summary="boat ferry noon boat ferry noon")
    meant.embed()
    result = meant.find("boat ferry noon")
    assert [hit.frame.id for hit in result.hits][-1] == ids[0]
    assert part(result.hits[-1], "summary") < 0
    alone = chat(meant, "zebra", summary="about a physician")
    meant.embed()
    assert meant.ids("doctor", filters=SearchFilters(types=("I",)))[0] == alone[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("profile", list(Profile))
def test_each_profile_changes_the_order(meant: Searching, profile: Profile) -> None:
    def one(level: Importance, days: int, uses: int) -> int:
        (frame_id,) = add(meant, "the boat", importance=level, event_at=stamp(NOW - timedelta(days=days)))
        meant.write(lambda tx: tx.connection.execute(
            "UPDATE memory_frames SET access_count = ?, last_accessed = event_at WHERE id = ?", (uses, frame_id)
        ))  # fmt: skip
        return frame_id

    critical, recent = one(Importance.CRITICAL, 900, 0), one(Importance.TEMPORARY, 1, 0)
    near, plain = one(Importance.NORMAL, 900, 0), one(Importance.NORMAL, 30, 0)
    meant.embed()
    order = meant.ids("boat", profile=profile, graph_distances=((near, 0),))
    first = {Profile.RECENT: recent, Profile.IMPORTANT: critical, Profile.CONNECTED: near, Profile.BALANCED: recent}
    assert order[0] == first[profile]
    assert set(order) == {critical, recent, near, plain}


def test_relevance_never_undoes_a_clear_match(meant: Searching) -> None:
    (match,) = add(
        meant, "the ferry leaves at noon", importance=Importance.DEPRECATED, event_at="2001-01-01T00:00:00.000Z"
    )
    add(meant, "the ferry", importance=Importance.CRITICAL)
    meant.embed()
    for profile in Profile:
        assert meant.ids("ferry leaves noon", profile=profile)[0] == match


def test_filters_hold_for_neighbours_too(meant: Searching) -> None:
    ids = chat(meant, "the ferry", "at noon", "yes")
    meant.write(lambda tx: tx.frames.set_importance(ids[1], Importance.CRITICAL))
    meant.embed()
    assert meant.ids("ferry", filters=SearchFilters(importances=(Importance.CRITICAL,))) == [ids[1]]
    late = {h.frame.id: h.explanation.late for h in meant.find("ferry", filters=SearchFilters(
        importances=(Importance.NORMAL,))).hits}  # fmt: skip
    assert ids[1] not in late
    assert all(one.frame_id != ids[1] for match in late.values() if match for one in match.pieces)
    assert meant.ids('zebra "the ferry"') == [ids[1]]


def test_a_frame_without_vectors_stands_among_the_others_by_its_words(meant: Searching) -> None:
    chat(meant, "nothing of note", "a zebra", "another zebra far away")
    meant.embed()
    (fresh,) = add(meant, "the ferry leaves at noon")
    result = meant.find("ferry noon")
    assert result.pending_vectors > 0
    assert result.hits[0].frame.id == fresh
    late = result.hits[0].explanation.late
    assert late is not None and late.estimated
    assert late.score == pytest.approx(ESTIMATE)
    assert all(one.found == "" and one.frame_id == fresh for one in late.pieces)
    meant.embed()
    assert meant.ids("ferry noon")[0] == fresh
    assert meant.find("ferry noon").pending_vectors == 0


def test_text_without_spaces_is_found_although_the_model_cannot_read_it(meant: Searching) -> None:
    (held,) = add(meant, "我们的用户身份很重要")
    add(meant, *(f"zebra number {n}" for n in range(30)))
    meant.embed()
    hit = meant.find("用户身份").hits[0]
    assert hit.frame.id == held
    assert {lane.lane for lane in hit.explanation.lanes} >= {"cjk"}
    assert hit.explanation.matched == ("用户身份",)


def test_by_meaning_alone_words_do_not_count(meant: Searching) -> None:
    ids = chat(meant, "the boat", "the ferry")
    meant.embed()
    result = meant.find("ferry", mode=Mode.VECTOR)
    assert result.mode is Mode.VECTOR
    assert {lane.lane for hit in result.hits for lane in hit.explanation.lanes} == {"vector"}
    assert all(part(hit, "exact") == 0 for hit in result.hits)
    assert {hit.frame.id for hit in result.hits} >= set(ids[1:])


def test_what_is_asked_is_the_query_without_its_filters(meant: Searching) -> None:
    chat(meant, "the ferry")
    meant.embed()
    meant.find('when does  the "ferry" leave source:chatgpt after:2020')
    assert meant.encoder is not None
    assert meant.encoder.asked == ["when does the ferry leave"]
