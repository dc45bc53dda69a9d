"""Sanitised text can be stored, indexed and shown, and clean text is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.domain.text import sanitise

ANY = st.text(st.characters(exclude_categories=()), max_size=80)


@given(ANY)
def test_the_result_is_storable_and_stable(text: str):
    clean, repaired = sanitise(text)
    clean.encode("utf-8")
    assert not any(ord(c) < 32 and c not in "\t\n" for c in clean)
    assert sanitise(clean) == (clean, False)
    assert repaired == (clean != text.replace("\r\n", "\n").replace("\r", "\n"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rent: 640\x00 kr", ("Rent: 640 kr", True)),
        ("Yrsa likes \ud83d", ("Yrsa likes �", True)),
        ("a\r\nb\rc", ("a\nb\nc", False)),
        ("cheers 🍸, Odo", ("cheers 🍸, Odo", False)),
        ("\u202eright to left", ("\u202eright to left", False)),
    ],
)
def test_examples(text, expected):
    assert sanitise(text) == expected
