"""Cutting: spoken text into pieces of a frame's size, and the summary that opens a conversation's session."""

from __future__ import annotations

import re
import unicodedata

#: Characters of a piece, where most letters are Latin and where most are not.
LATIN_LIMIT = 600
OTHER_LIMIT = 200
_EXCERPT = 280
_TITLE = 200

_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]+")
_OTHER = re.compile("[^\\W\\d_\u0000-\u024f\u1e00-\u1eff]+")
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_SENTENCE = re.compile("(?:[.!?…]+[\"'”’»)\\]]*(?=\\s)|[。！？]+[”’」』）]*|\n)\\s*")
_WORD = re.compile(r"\s+")
_SPACE = re.compile(r"\s*")
_JOINERS = frozenset("\u200d\ufe0e\ufe0f")


def piece_limit(text: str) -> int:
    """How long a piece of this text may be."""
    if text.isascii():
        return LATIN_LIMIT
    other = sum(map(len, _OTHER.findall(text)))
    if not other:
        return LATIN_LIMIT
    return LATIN_LIMIT if sum(map(len, _LATIN.findall(text))) >= other else OTHER_LIMIT


def cut(text: str, limit: int = 0) -> list[tuple[int, int]]:
    """Spans (start, end) of pieces that hold every visible character of `text` once, in order, without white edges.

    Cut at a paragraph, else a sentence, else a word, else anywhere but inside a composed character.
    """
    if not limit:
        limit = LATIN_LIMIT if len(text) <= OTHER_LIMIT else piece_limit(text)
    end = len(text.rstrip())
    spans: list[tuple[int, int]] = []
    at = _skip(text, 0)
    while at < end:
        if end - at <= limit:
            spans.append((at, end))
            break
        stop = _stop(text, at, limit)
        spans.append((at, at + len(text[at:stop].rstrip())))
        at = _skip(text, stop)
    return spans


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _stop(text: str, at: int, limit: int) -> int:
    """Where the piece that begins at `at` ends; more than `limit` characters follow."""
    # White space behind the last fitting character may still be a border.
    reach = at + limit
    for border in (_PARAGRAPH, _SENTENCE, _WORD):
        last = 0
        for found in border.finditer(text, at, reach + 1):
            visible = found.start() if border is not _SENTENCE else found.start() + len(found[0].rstrip())
            if at < found.start() and visible <= reach:
                last = found.end()
        if last > at:
            return min(last, reach + 1)
    return _hard_stop(text, at, reach)


def _hard_stop(text: str, at: int, reach: int) -> int:
    for stop in range(reach, max(at + 1, reach - 32), -1):
        following = text[stop]
        if not unicodedata.combining(following) and following not in _JOINERS and text[stop - 1] != "\u200d":
            return stop
    return reach


def excerpt(text: str, limit: int = _EXCERPT) -> str:
    """The beginning of a text on one line, cut at a sentence where one ends in time, else at a word."""
    flat = " ".join(text[: limit * 4].split())
    if len(flat) <= limit and len(text) <= limit * 4:
        return flat
    ends = [found.end() for found in _SENTENCE.finditer(flat, 0, limit + 1)]
    if ends and ends[-1] >= limit // 3:
        return flat[: ends[-1]].rstrip()
    word = flat.rfind(" ", limit // 2, limit)
    return flat[: word if word > 0 else limit].rstrip() + "…"


def title_of(title: str | None, first_request: str) -> str:
    """The vendor's title, else the first sentence that was asked, else a plain name."""
    flat = " ".join((title or "").split())
    if flat:
        return flat if len(flat) <= _TITLE else flat[: _TITLE - 1].rstrip() + "…"
    return excerpt(first_request, 80) or "Untitled conversation"


def summary(
    title: str, label: str, span: tuple[str | None, str | None], participants: list[str], first: str, last: str
) -> str:
    """The text of a session's I-frame: title, source, span, participants, first request, last answer."""
    lines = [title, f"{label}, {_span(*span)}, {' and '.join(participants) or 'nobody'}"]
    if first:
        lines.append(f"First request: {excerpt(first)}")
    if last:
        lines.append(f"Last answer: {excerpt(last)}")
    return "\n".join(lines)


def document_summary(title: str, label: str, date: str | None, dated_by: str, beginning: str) -> str:
    """The text of a document's I-frame: title, kind, date with where that is from, first words."""
    day = f"{date[:10]} ({dated_by})" if date and dated_by else _span(date, date)
    lines = [title, f"{label} document, {day}"]
    if beginning:
        lines.append(f"Begins: {excerpt(beginning)}")
    return "\n".join(lines)


def _span(start: str | None, end: str | None) -> str:
    if not start or not end:
        return start[:10] if start else "date unknown"
    return start[:10] if start[:10] == end[:10] else f"{start[:10]} to {end[:10]}"
