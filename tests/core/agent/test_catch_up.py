"""The thirteen phrases mean "bring me up to date", and ordinary questions do not."""

from __future__ import annotations

import pytest

from hivemind.agent.catch_up import PHRASES, wants_catch_up

SAID = (
    "Catch me up", "so where were we?", "What matters right now?", "what did we decide about the roof",
    "Where did we leave off", "What’s the status of the move?", "what should I do today", "and what's next?",
    "Summarise the last week", "Please brief me.", "get me up to speed", "What's going on?", "Remind me of the plan",
)  # fmt: skip


def test_each_phrase_is_heard_by_exactly_its_pattern() -> None:
    assert len(PHRASES) == 13
    for said, phrase in zip(SAID, PHRASES, strict=True):
        assert phrase.search(said), said
        assert wants_catch_up(said)


@pytest.mark.parametrize(
    "said", ["When did I plant the lemon tree?", "Who decided on the roof?", "the caption", "where we were happy"]
)
def test_other_questions_are_searched(said: str) -> None:
    assert not wants_catch_up(said)
