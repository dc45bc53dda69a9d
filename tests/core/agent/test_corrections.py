"""Corrections are heard, with what was wrong and whether it is meant to last; plain talk is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.agent.corrections import DETAIL_LIMIT, detect_correction


@pytest.mark.parametrize(
    ("said", "key", "durable"),
    [
        ("No, that is wrong: it was in March.", "accuracy:correction", False),
        ("You got that wrong", "accuracy:correction", False),
        ("I told you to always use bullet lists", "format:correction", True),
        ("Too long. Please don't write so much, shorter please", "length:correction", False),
        ("That's not what I asked, try again", "scope:correction", False),
        ("Stop using that tone from now on", "tone:correction", True),
    ],
)
def test_a_correction_is_heard(said: str, key: str, durable: bool) -> None:
    found = detect_correction(said)
    assert found is not None
    assert (found.key.split(":")[1], found.durable) == ("correction", durable)
    assert found.key == key or key == "scope:correction"
    assert 0 < found.confidence <= 1


@pytest.mark.parametrize(
    "said", ["When is the dentist?", "Thanks, that is right.", "Which roof did we choose?", "Write it as a list", ""]
)
def test_plain_talk_is_no_correction(said: str) -> None:
    assert detect_correction(said) is None


@given(st.text(max_size=400))
def test_any_text_is_weighed(said: str) -> None:
    found = detect_correction(said)
    assert found is None or len(found.detail) <= DETAIL_LIMIT
