"""Parsing: what becomes a word, a phrase or a filter, and that no text is an error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.domain.frames import Importance
from hivemind.search.query import MAX_CHARACTERS, MAX_PHRASES, MAX_TERMS, ParsedQuery, TypedFilters, parse
from hivemind.search.words import stop_words


def words(parsed: ParsedQuery) -> list[str]:
    return [term.text for term in parsed.terms]


def phrases(parsed: ParsedQuery) -> list[str]:
    return [term.text for term in parsed.phrases]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Postgres migration", ["Postgres", "migration"]),
        ("where is the migration", ["migration"]),
        ("to be or not to be", ["to", "be", "or", "not"]),
        ("AND", ["AND"]),
        ("alpha AND beta NOT NEAR(gamma)", ["alpha", "beta", "NEAR(gamma", "NEAR", "gamma"]),
        ("don't", ["don't"]),
        ("C++", ["C"]),
        ("POL-358", ["POL-358", "POL"]),
        ("20.04", ["20.04"]),
        ("red,green", ["red,green", "red", "green"]),
        ("col:x", ["col:x", "col"]),
        ("https://zoom.us", ["https://zoom.us", "https", "zoom", "us"]),
        ("word word WORD", ["word", "WORD"]),
        ('"unclosed phrase', ["unclosed", "phrase"]),
        ('3.5" drive 2"', ["3.5", "drive", "2"]),
        ("\u202ereversed\u202c", ["reversed"]),
        ("a\x00b", ["ab"]),
        ("x\ud800y", ["x\ufffdy"]),
        ("用户身份", ["用户身份"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    parsed = parse(text)
    assert words(parsed) == expected
    assert parsed.filters == TypedFilters()
    assert parsed.notes == ()


@pytest.mark.parametrize(
    "text", ["", "   ", "*", "-", '"', '""', '"""', "()", "?!", "☺", "\u200b\u200e", '"*"', "“”", ":"]
)
def test_punctuation_alone_is_empty(text: str) -> None:
    assert parse(text).empty


@pytest.mark.parametrize(
    ("text", "expected", "rest"),
    [
        ('say "hello world" now', ["hello world"], ["say", "now"]),
        ("“curly quotes” too", ["curly quotes"], ["too"]),
        ("„unten oben“", ["unten oben"], []),
        ('"the who"', ["the who"], []),
        ('the "who"', ["who"], []),
        ('"one""two"', ["one", "two"], []),
        ('inches 5"x7" paper', [], ["inches", '5"x7', "x7", "paper"]),
    ],
)
def test_closed_quotes_are_phrases(text: str, expected: list[str], rest: list[str]) -> None:
    parsed = parse(text)
    assert phrases(parsed) == expected
    assert words(parsed) == rest


def test_typed_filters() -> None:
    parsed = parse(
        "budget source:ChatGPT session:conv-1 importance:critical,important after:2025-06 before:2025-08-15 "
        'session:"conv two"'
    )
    assert words(parsed) == ["budget"]
    assert parsed.filters == TypedFilters(
        sources=("chatgpt",),
        sessions=("conv-1", "conv two"),
        importances=(frozenset({Importance.CRITICAL, Importance.IMPORTANT}),),
        since="2025-06-01T00:00:00.000Z",
        before="2025-08-15T00:00:00.000Z",
    )


def test_until_is_up_to_the_end_and_the_narrowest_window_holds() -> None:
    filters = parse("x until:2025-06 before:2026 since:2024 after:2024-02-29").filters
    assert (filters.since, filters.before) == ("2024-02-29T00:00:00.000Z", "2025-07-01T00:00:00.000Z")


@pytest.mark.parametrize("text", ["before:yesterday", "after:2025-13", "until:2025-02-30", "importance:huge"])
def test_a_filter_that_means_nothing_is_searched_as_words_and_said(text: str) -> None:
    parsed = parse(text)
    assert parsed.filters == TypedFilters()
    assert not parsed.empty
    assert len(parsed.notes) == 1
    assert text in parsed.notes[0]


def test_a_filter_inside_invisible_marks_is_still_a_filter() -> None:
    assert parse("\u202asource:claude\u202c note").filters.sources == ("claude",)


def test_long_queries_are_capped_and_say_so() -> None:
    parsed = parse(" ".join(f"word{n}" for n in range(5_000)))
    assert len(parsed.terms) == MAX_TERMS
    assert words(parsed)[:2] == ["word0", "word1"]
    assert any(str(MAX_TERMS) in note for note in parsed.notes)
    assert any(f"{MAX_CHARACTERS:,}" in note for note in parsed.notes)
    many = parse(" ".join(f'"phrase {n}"' for n in range(50)))
    assert len(many.phrases) == MAX_PHRASES
    assert len(many.notes) == 1


@pytest.mark.parametrize(
    "text", ["x" * 20_000, '"' * 20_000, "“" * 20_000, "„ " * 10_000, "用" * 20_000, "a:" * 10_000]
)
def test_twenty_thousand_characters_are_read(text: str) -> None:
    assert isinstance(parse(text), ParsedQuery)


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("Straße", "Strasse"),
        ("strasse", "straße"),
        ("STRASSE", "straße"),
        ("Grüße", "Grüsse"),
        ("Strassenschloss", "straßenschloß"),
        ("Strassenschloss", "straßenschloss"),
        ("Brünn's", "Brünn"),
        ("Brünn’s", "Brünn"),
        ("co\u00adoperate", "cooperate"),
        ("zero\u200bwidth", "zerowidth"),
        ("Mu\u0308ller", "Müller"),
        ("Müller", "Mu\u0308ller"),
        ("ＡＢＣ", "ABC"),
        ("ｶﾅ", "カナ"),
        ("cool🦄", "cool"),
        ("\u2068Anna\u2069", "Anna"),
    ],
)
def test_spellings_that_count_as_the_same(text: str, spelling: str) -> None:
    (term,) = parse(text).terms
    assert spelling in term.variants
    assert term.variants[0] == term.text


def test_there_are_sixty_five_stop_words_in_lower_case() -> None:
    assert len(stop_words()) == 65
    assert all(word == word.lower().strip() and word.isalpha() for word in stop_words())


@given(st.text(max_size=400))
def test_any_text_parses_and_stays_within_its_caps(text: str) -> None:
    parsed = parse(text)
    assert len(parsed.terms) <= MAX_TERMS
    assert len(parsed.phrases) <= MAX_PHRASES
    for term in (*parsed.terms, *parsed.phrases):
        assert term.text
        assert 1 <= len(term.variants) == len(set(term.variants))
        assert not any("\ud800" <= character <= "\udfff" or character == "\x00" for character in "".join(term.variants))


@given(st.text(max_size=60))
def test_a_query_with_a_letter_is_never_empty(text: str) -> None:
    parsed = parse(text + " letters")
    assert not parsed.empty
