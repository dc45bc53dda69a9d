"""Whether somebody wants to be brought up to date: then what matters is recalled, not what is nearest in words."""

from __future__ import annotations

import re

#: The thirteen phrases. Literal likeness to "catch me up" would bring recent small talk before last week's decision.
PHRASES: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bcatch me up\b",
        r"\bwhere (?:are|were) we\b",
        r"\bwhat matters\b",
        r"\bwhat did we decide\b",
        r"\bwhere did we leave off\b",
        r"\bwhat(?:'|\u2019)?s the status\b|\bwhat is the status\b",
        r"\bwhat should i do\b",
        r"\bwhat(?:'|\u2019)?s next\b|\bwhat is next\b",
        r"\bsummari[sz](?:e|ing|ation)\b",
        r"\bbrief me\b",
        r"\bget me up to speed\b",
        r"\bwhat(?:'|\u2019)?s going on\b|\bwhat is going on\b",
        r"\bremind me\b",
    )
)


def wants_catch_up(question: str) -> bool:
    """Whether one of the phrases stands in the question."""
    return any(phrase.search(question) for phrase in PHRASES)
