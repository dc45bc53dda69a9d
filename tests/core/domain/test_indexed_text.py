"""The indexed text is the same in Python and in the FTS trigger, for any text."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from hivemind.domain.frames import Flag
from hivemind.domain.indexed_text import content_hash, embedded_text, flags, norm_hash

TEXT = st.text(min_size=1, max_size=60)


def test_the_date_stands_before_the_text_for_meaning_only():
    assert embedded_text("2023-05-08T13:56:00.000Z", "Ana", "hello", "a boat") == "8 May 2023 Ana: hello [a boat]"
    assert embedded_text(None, None, "hello", None) == "hello"


def test_hashes_tell_equal_from_alike():
    assert content_hash(" Same text\n") == content_hash("Same text") != content_hash("same text")
    assert norm_hash("Same   TEXT") == norm_hash("same text") != norm_hash("same texts")
    assert (len(content_hash("a")), len(norm_hash("a"))) == (16, 8)


def test_flags_are_the_three_cues():
    assert flags("We met yesterday") == Flag.TIME_WORD
    assert flags("we saw Ana") == Flag.CAPITAL
    assert flags("really?") == Flag.QUESTION
    assert flags("plain words") == 0


#: The recipe's own definition of the two cues, slow and literal.
TIME_WORD = re.compile(
    r"\b(yesterday|today|tonight|tomorrow|last|next|ago|this (?:week|month|year|morning|weekend|past)|recently|since|"
    r"soon|weeks?|weekend|months?|years?|days?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|"
    r"june|july|august|september|october|november|december|\d{4})\b",
    re.IGNORECASE,
)
CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
PIECES = (
    "Today",
    "ago",
    "this",
    "morning",
    "past",
    "2023",
    "20234",
    "Ana",
    "saw,",
    "met",
    "a1999b",
    "days",
    "Mondays",
    "x",
)


@given(st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join))
def test_the_fast_cues_equal_the_recipes_definition(text):
    expected = (Flag.TIME_WORD if TIME_WORD.search(text) else 0) | (Flag.CAPITAL if CAPITAL.search(text) else 0)
    assert flags(text) == expected
