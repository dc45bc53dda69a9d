"""Filters in a search line: every reading, every refusal with its form, and a line that chips cannot break."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.domain.frames import FrameType, Importance
from hivemind.domain.search import SearchFilters, SearchRequest
from hivemind.errors import InvalidFilter
from hivemind.search.syntax import NAMES, request_of, typed_filters, with_filter, without_filter, words_of

VALUES = {
    "source": "claude",
    "session": "gop-1",
    "importance": "critical",
    "type": "first",
    "pinned": "yes",
    "after": "2025-06",
    "before": "2026",
    "until": "2025-12-31",
}


def filters_of(line: str) -> SearchFilters:
    return request_of(line, SearchRequest("")).filters


def test_a_whole_line() -> None:
    made = request_of('"lemon tree" roots source:Claude before:2025-06 importance:critical', SearchRequest(""))
    assert made.query == '"lemon tree" roots'
    assert made.filters == SearchFilters(
        until="2025-05-31T23:59:59.999Z", source="claude", importances=(Importance.CRITICAL,)
    )


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("after:2025-06", SearchFilters(since="2025-06-01T00:00:00.000Z")),
        ("since:2025", SearchFilters(since="2025-01-01T00:00:00.000Z")),
        ("until:2025-06", SearchFilters(until="2025-06-30T23:59:59.999Z")),
        ("until:2025-06 before:2025", SearchFilters(until="2024-12-31T23:59:59.999Z")),
        ("until:9999", SearchFilters()),
        ("importance:important,critical", SearchFilters(importances=(Importance.CRITICAL, Importance.IMPORTANT))),
        ("type:first,added", SearchFilters(types=(FrameType.I, FrameType.P))),
        ("kind:p", SearchFilters(types=(FrameType.P,))),
        ("pinned:yes", SearchFilters(pinned=True)),
        ("PINNED:No", SearchFilters(pinned=False)),
        ('session:"notes:2025-06-01"', SearchFilters(session_id="notes:2025-06-01")),
        ('"source:claude in a phrase"', SearchFilters()),
        ("https://example.org/a:b", SearchFilters()),
        ("note:this", SearchFilters()),
    ],
)
def test_readings(line: str, wanted: SearchFilters) -> None:
    assert filters_of(line) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "before:yesterday",
        "before:2025-13",
        "before:0001",
        "after:",
        "source:",
        "importance:urgent",
        "importance:critical,",
        "type:b",
        "pinned:maybe",
        "source:a source:b",
        "before:2025 x before:2026",
    ],
)
def test_refusals_name_the_filter_and_its_form(line: str) -> None:
    with pytest.raises(InvalidFilter) as refused:
        filters_of(line)
    name = line.split(":")[0]
    assert f"{name}:" in refused.value.title
    assert refused.value.hint


def test_what_is_searched_for_is_the_line_without_filters() -> None:
    assert words_of("why  source:claude  postgres") == "why postgres"
    assert words_of("source:claude") == ""
    assert words_of("  plain words ") == "plain words"


@given(st.text(max_size=120))
def test_any_line_is_read(line: str) -> None:
    for one in typed_filters(line):
        assert one.name in NAMES
        assert line[one.start : one.end].count(":")
    assert not typed_filters(words_of(line)) or '"' in line
    try:
        request_of(line, SearchRequest(""))
    except InvalidFilter as refused:
        assert refused.title


words = st.lists(st.sampled_from(["lemon", "tree", '"a phrase"', "x:y", "10:30"]), max_size=4).map(" ".join)


@given(words, st.lists(st.sampled_from(NAMES), max_size=4))
def test_chips_and_text_agree(line: str, names: list[str]) -> None:
    written = line
    for name in names:
        written = with_filter(written, name, VALUES[name])
    assert {one.name: one.value for one in typed_filters(written)} == {name: VALUES[name] for name in names}
    assert words_of(written).split() == line.split()
    for name in names:
        written = without_filter(written, name)
    assert written.split() == line.split()


@given(st.text(alphabet="abc 0:-", min_size=1, max_size=20).map(str.strip).filter(bool))
def test_a_value_is_read_back_as_it_was_put(value: str) -> None:
    (one,) = typed_filters(with_filter("words", "session", value))
    assert one.value == value


def test_a_value_replaces_the_one_before() -> None:
    assert with_filter("a source:x b", "source", "y") == "a b source:y"
    assert with_filter("a source:x b", "source", "") == "a b"
