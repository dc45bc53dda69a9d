"""What is chosen of a prepared question, and that a denied tool is not allowed whatever else is said."""

from __future__ import annotations

from hivemind.domain.ask import Persona, PreparedQuestion, Recalled, RecalledCard, RecallMode

PERSONA = Persona("p", "P", "t", "w", ("a", "b"), ("b",), ("f",), needs_sources=False)


def test_denied_beats_allowed() -> None:
    assert [PERSONA.may_use(tool) for tool in ("a", "b", "c")] == [True, False, False]


def test_the_chosen_cards_are_those_of_the_numbers() -> None:
    cards = tuple(RecalledCard(n, "personal", n, "t", "x", "2026-11-30", "normal", "") for n in (1, 2, 3))
    prepared = PreparedQuestion(
        "t", "c", "q", PERSONA, ("personal",), "lab", "Lab", "m", True, Recalled(RecallMode.SEARCH, cards), "i", 5
    )
    assert prepared.chosen(None) == cards
    assert prepared.chosen(frozenset({2, 9})) == (cards[1],)
    assert prepared.chosen(frozenset()) == ()
