"""Cues of a question: whom it names, what it asks for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from hivemind.search.cues import Cues, named_speaker

PEOPLE = [
    (1, "Caroline"),
    (2, "Melanie Brown"),
    (3, "user"),
    (4, "Melanie"),
    (5, "José Núñez"),
    (6, "The Boss"),
    (7, "?"),
]


@pytest.mark.parametrize(
    ("query", "speaker"),
    [
        ("What did Caroline say?", 1),
        ("caroline's dog", 1),
        ("when did CAROLINE and Melanie meet", None),
        ("what about Melanie", None),
        ("what about melanie brown", 2),
        ("Melanie Brown and Caroline", None),
        ("does José like tea", 5),
        ("josé núñez", 5),
        ("what did the user and the assistant say", None),
        ("the boss", None),
        ("carolines", None),
        ("", None),
    ],
)
def test_exactly_one_speaker_is_named(query: str, speaker: int | None) -> None:
    assert named_speaker(query, PEOPLE) == speaker


@pytest.mark.parametrize(
    ("query", "when", "what"),
    [
        ("When did she leave?", True, False),
        ("What day was it?", True, True),
        ("how long did it take", True, False),
        ("Which month", True, True),
        ("Who was there", False, True),
        ("whenever", False, False),
        ("tell me about ferries", False, False),
    ],
)
def test_what_is_asked_for(query: str, when: bool, what: bool) -> None:
    cues = Cues.of(query, datetime(2026, 11, 30, tzinfo=UTC))
    assert (cues.asks_when, cues.asks_what) == (when, what)


def test_the_time_it_names() -> None:
    window = Cues.of("what did we do last week", datetime(2026, 11, 30, tzinfo=UTC)).window
    assert window is not None
    assert window.text == "last week"
