"""What is looked for: whatever the capitals, as JSON writes it, whole words for names, copies of whole passages."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.maintenance.erasure_needles import SHORTEST_PASSAGE, Needles, digest

#: Without half characters, which no text of a mind has.
WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=3, max_size=30)


@given(WORDS, st.text(max_size=20), st.text(max_size=20))
def test_words_are_found_in_any_text_and_in_json(words: str, before: str, after: str) -> None:
    needles = Needles((words,))
    text = before + words + after
    assert needles.spoken(text)
    for ascii_only in (True, False):
        assert needles.spoken(json.dumps({"said": text}, ensure_ascii=ascii_only))
    assert any(spelled.casefold() == words.casefold() for spelled in needles.spellings(text))


@pytest.mark.parametrize(
    ("word", "text", "found"),
    [
        ("Ann", "ann called", True),
        ("Ann", "Annabel called", False),
        ("Ann", "MariAnn", False),
        ("Ann Marlow", "ANN\n  marlow", True),
        ("Ann Marlow", '{"who": "Ann\\nMarlow"}', True),
        ("Анна", "Видел анну и АННА.", True),
        ("José", "Jose\u0301 came", True),
        ("übermut", '{"said": "\\u00dcBERMUT"}', True),
        ("Straße", "STRASSE", True),
    ],
)
def test_a_name_is_a_word_of_its_own(word: str, text: str, found: bool) -> None:
    assert Needles((word,), whole=True).spoken(text) is found


def test_nothing_is_sought_with_no_words() -> None:
    assert not Needles().spoken("anything") and not Needles().copied("anything")
    assert not Needles(("  ",)).spoken("a b")


@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=SHORTEST_PASSAGE + 4, max_size=80))
def test_a_copy_of_a_passage_is_found_plain_and_in_json(passage: str) -> None:
    needles = Needles()
    needles.add_passages([passage])
    long_enough = len(passage.strip()) >= SHORTEST_PASSAGE
    assert needles.copied(f"before {passage} after") is long_enough
    assert needles.copied(json.dumps([passage])) is long_enough
    assert not needles.spoken(passage)


def test_half_a_passage_is_no_copy() -> None:
    needles = Needles()
    needles.add_passages(["The kettle is blue and stands by the window"])
    assert not needles.copied("The kettle is blue and stands in the hall")


@given(WORDS, WORDS)
def test_digests_differ_by_text_and_by_erasure(one: str, other: str) -> None:
    assert (digest("a", one) == digest("a", other)) is (one == other)
    assert digest("a", one) != digest("b", one)
    assert one not in digest("a", one) or len(one) <= 4
