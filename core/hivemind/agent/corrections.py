"""Whether a message corrects the answer before it: scored by fixed cues, with what kind of thing was wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: From this score on it is a correction; from `_FULL` on there is no doubt.
NEEDED, _FULL = 2, 6
DETAIL_LIMIT = 120


@dataclass(frozen=True, slots=True)
class Correction:
    """`confidence` 0 to 1. `durable`: meant for the future, not only for this task."""

    key: str
    detail: str
    confidence: float
    durable: bool


def _cues(*pairs: tuple[int, str]) -> tuple[tuple[int, re.Pattern[str]], ...]:
    return tuple((score, re.compile(pattern, re.IGNORECASE)) for score, pattern in pairs)


_STRONG = _cues(
    (3, r"^\s*no[,.!:]? (?:that|this|it|you|i|not)\b"),
    (3, r"\b(?:that|this|it)(?:'s| is| was)? (?:wrong|incorrect|not right|not correct|not true|false)\b"),
    (3, r"\byou(?:'re| are| were| got (?:it|that|this)) (?:wrong|mistaken|incorrect)\b"),
    (3, r"\bi (?:already )?(?:told|said|asked) you\b"),
    (2, r"\bthat(?:'s| is) not what i (?:asked|meant|said|wanted)\b"),
    (2, r"\b(?:stop|quit) (?:doing|using|saying|adding|writing)\b"),
    (2, r"\bi (?:did not|didn't|never) (?:say|ask|mean|decide|want)\b"),
)
_MODERATE = _cues(
    (2, r"\bactually[, ]"),
    (1, r"\binstead(?: of)?\b"),
    (1, r"\b(?:don't|do not|please don't|never) (?:use|say|write|add|do|call|include|mention)\b"),
    (1, r"\b(?:shorter|longer|simpler|briefer|less|more) (?:please|detail|formal|words|text)\b|\btoo (?:long|short)\b"),
    (1, r"\bnot quite\b|\bnot exactly\b"),
    (1, r"\bi meant\b|\bi was asking\b"),
    (1, r"\b(?:you )?(?:missed|forgot|left out|ignored)\b"),
    (1, r"\b(?:try|do it|redo|write it|say it) again\b|\bredo\b"),
    (1, r"\bshould (?:be|have been|say)\b"),
    (1, r"\b(?:from now on|next time|in (?:the )?future)\b"),
)
_DURABLE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\balways\b", r"\bnever\b", r"\bfrom now on\b", r"\bin (?:the )?future\b", r"\bnext time\b", r"\bevery time\b",
        r"\bgoing forward\b", r"\bi (?:prefer|like|hate|dislike)\b", r"\bin general\b", r"\bremember (?:that|to)\b",
        r"\bby default\b", r"\bi(?:'ve| have) told you\b",
    )
)  # fmt: skip
_THIS_TASK = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bthis time\b", r"\bfor now\b", r"\bhere\b", r"\bin this (?:case|answer|text|task)\b", r"\bjust this\b",
        r"\bthis one\b",
    )
)  # fmt: skip
_KEYS = tuple(
    (key, re.compile(pattern, re.IGNORECASE))
    for key, pattern in (
        ("tone", r"\b(?:tone|formal|casual|friendly|polite|rude|sound(?:s|ed)?)\b"),
        ("format", r"\b(?:format|bullets?|list|table|markdown|headings?|emoji|json)\b"),
        ("length", r"\b(?:short(?:er)?|long(?:er)?|brief(?:er)?|length|concise|verbose|detail)\b"),
        ("approach", r"\b(?:approach|method|way|instead|step by step|strategy)\b"),
        ("scope", r"\b(?:scope|only|too much|left out|missed|unrelated|beyond|asked for)\b"),
        ("accuracy", r"\b(?:wrong|incorrect|mistaken|inaccurate|not true|false|actually|date|number)\b"),
        ("style", r"\b(?:style|wording|word(?:s)?|phrase|spelling|grammar|dash(?:es)?)\b"),
    )
)


def detect_correction(message: str) -> Correction | None:
    """The correction in a message, or None. Fixed rules: it can be wrong, so a person can dismiss it."""
    score = sum(points for points, cue in (*_STRONG, *_MODERATE) if cue.search(message))
    if score < NEEDED:
        return None
    lasting = sum(bool(cue.search(message)) for cue in _DURABLE)
    passing = sum(bool(cue.search(message)) for cue in _THIS_TASK)
    name = next((key for key, pattern in _KEYS if pattern.search(message)), "general")
    detail = " ".join(message.split())
    if len(detail) > DETAIL_LIMIT:
        detail = detail[: DETAIL_LIMIT - 1].rstrip() + "…"
    return Correction(f"{name}:correction", detail, min(score / _FULL, 1.0), lasting > passing)
