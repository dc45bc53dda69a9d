"""Counts, sizes, times and names as words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from hivemind_desktop.widgets import figures
from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP


def test_one_and_many() -> None:
    assert figures.memories(1) == "1 memory"
    assert figures.memories(0) == "0 memories"
    assert figures.messages(2) == "2 messages"
    assert figures.sessions(1) == "1 session"
    assert figures.conversations(1) == "1 conversation"


def test_numbers_are_written_as_the_person_writes_them() -> None:
    before = QLocale()
    try:
        QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
        assert figures.number(24377) == "24,377"
        assert figures.percent(0.6053) == "60.53 %"
        QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
        assert figures.number(24377) == "24.377"
        assert figures.percent(0.6053) == "60,53 %"
    finally:
        QLocale.setDefault(before)


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_a_share_stays_between_nothing_and_all(share: float) -> None:
    assert 0.0 <= float(figures.percent(share).removesuffix(" %").replace(",", ".")) <= 100.0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.001, "under 0.01 s"),
        (0.42, "0.42 s"),
        (4.21, "4.2 s"),
        (12.4, "12 s"),
        (552, "9 min 12 s"),
        (6000, "1 h 40 min"),
    ],
)
def test_durations(seconds: float, words: str) -> None:
    assert figures.duration(seconds) == words


def test_times() -> None:
    assert figures.day("2025-05-14T12:00:00.000Z") == "14 May 2025"
    assert figures.month("2025-05-14T12:00:00.000Z") == "May 2025"
    assert figures.moment("2025-05-14T12:00:00.000Z").startswith("14 May 2025, ")
    assert len(figures.clock("2025-05-14T12:00:00.000Z")) == 5
    assert figures.day(None) == figures.moment(None) == figures.clock(None) == ""


@pytest.mark.parametrize(
    ("name", "role", "source", "words"),
    [
        ("user", "user", "", "You"),
        ("assistant", "assistant", "chatgpt", "ChatGPT"),
        (None, "assistant", "", "The AI"),
        ("system", "system", "", "System"),
        ("Ana\nB", "user", "", "Ana B"),
        (None, None, "", ""),
    ],
)
def test_who_speaks(name: str | None, role: str | None, source: str, words: str) -> None:
    assert figures.speaker_name(name, role, source) == words


def test_names() -> None:
    assert figures.mind_name("personal") == "Personal"
    assert figures.mind_name("legal") == "legal"
    assert figures.vendor("chatgpt") == "ChatGPT"
    assert figures.vendor("") == ""
    assert figures.size(1_900_000_000) == "1.9 GB"
    assert QT_TRANSLATE_NOOP("Pages", "Home") == "Home"
