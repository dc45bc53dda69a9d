"""Explanations: the parts make the score, the matched words are the frame's own, spans point at them."""

from __future__ import annotations

import math
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.search.conftest import NOW, Searching
from tests.core.search.test_keyword_lane import add

from hivemind.clock import parse_stamp, stamp
from hivemind.domain.frames import FrameDraft, Importance
from hivemind.domain.search import Profile, Recipe
from hivemind.mind import MindTransaction

APPENDIX_C = {
    Profile.BALANCED: (0.40, 0.20, 0.20),
    Profile.RECENT: (0.60, 0.10, 0.10),
    Profile.IMPORTANT: (0.10, 0.10, 0.60),
    Profile.CONNECTED: (0.10, 0.10, 0.20),
}
LEVELS = {"critical": 2.0, "important": 1.5, "normal": 1.0, "temporary": 0.7, "deprecated": 0.3}
WORDS = st.lists(
    st.sampled_from(["zebra", "running", "Müller", "用户身份", "don't", "alpha", "beta"]), min_size=1, max_size=5
)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(WORDS, st.sampled_from(list(Importance)), st.integers(-5, 900)), min_size=1, max_size=4),
    WORDS,
    st.sampled_from(list(Profile)),
    st.sampled_from(list(Recipe)),
)
def test_parts_make_the_score_and_the_score_is_the_seeds(lasting, frames, query, profile, recipe):  # type: ignore[no-untyped-def]
    def write(tx: MindTransaction) -> None:
        session = tx.sessions.create().id
        for words, level, days in frames:
            at = stamp(NOW - timedelta(days=days))
            tx.frames.create_i_frame(FrameDraft(" ".join(words), session_id=session, importance=level, event_at=at))

    lasting.write(write)
    result = lasting.find(" ".join(query), profile=profile, recipe=recipe, limit=50)
    assert result.recipe is Recipe.SEED
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
    assert [hit.score for hit in result.hits] == sorted((hit.score for hit in result.hits), reverse=True)
    t, p, i = APPENDIX_C[profile]
    for hit in result.hits:
        why = hit.explanation
        assert abs(math.fsum(part.value for part in why.parts) - hit.score) < 1e-9
        assert why.score == hit.score
        latest = max(hit.frame.event_at or hit.frame.created_at, hit.frame.last_accessed)
        days = (NOW - parse_stamp(latest)).total_seconds() / 86_400
        temporal = 1.0 if days <= 7 else 0.5 ** (days / 30)
        popularity = 1 + 0.1 * math.log10(1 + hit.frame.access_count)
        relevance = (t * temporal + p * popularity + i * LEVELS[hit.frame.importance]) / (t + p + i)
        assert abs(why.relevance - relevance) < 1e-9
        assert abs(hit.score - relevance * sum(1 / (60 + lane.rank) for lane in why.lanes)) < 1e-9
        assert why.matched
        assert all(word in hit.text for word in why.matched)
        assert all(0 <= span.start < span.end <= len(hit.text) for span in hit.spans)
        assert all(a.end <= b.start for a, b in zip(hit.spans, hit.spans[1:], strict=False))


def test_matched_words_stand_as_written(one: Searching) -> None:
    add(one, "We were RUNNING to Müller's, then ran; the runner runs. 我们的用户身份。")
    (hit,) = one.find("run muller 用户").hits
    assert hit.explanation.matched == ("RUNNING", "Müller", "runs", "用户")
    assert [hit.text[span.start : span.end] for span in hit.spans] == ["RUNNING", "Müller", "runs", "用户"]


def test_a_phrase_is_one_span(one: Searching) -> None:
    add(one, "I said: well-known, known well, and don't-know")
    (hit,) = one.find('"well known" don\'t').hits
    assert [hit.text[span.start : span.end] for span in hit.spans] == ["well-known", "don't"]


def test_a_speakers_name_matches_but_is_not_in_the_body(one: Searching) -> None:
    add(one, "nothing about anyone", speaker="Ana Müller", captions="a red zebra")
    (hit,) = one.find("muller zebra nothing").hits
    assert hit.explanation.matched == ("Müller", "nothing", "zebra")
    assert [hit.text[span.start : span.end] for span in hit.spans] == ["nothing"]


def test_lane_numbers_are_the_lanes(one: Searching) -> None:
    add(one, "用户身份 zebra")
    (hit,) = one.find("zebra 用户").hits
    assert [(lane.lane, lane.rank) for lane in hit.explanation.lanes] == [("keyword", 1), ("cjk", 1)]
    assert hit.explanation.lanes[0].raw < 0
    assert hit.explanation.lanes[1].raw == 1.0
