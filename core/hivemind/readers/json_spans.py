"""Where a JSON value ends, found in pieces without building it, and escapes made safe for the C parser."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hivemind.readers.text import DAMAGED

#: Deeper nesting than this is no conversation; it is refused before any parser recurses into it.
MAX_DEPTH = 200

# Only character classes are possessive: a possessive group matches wrongly before Python 3.11.5. The classes alone
# keep the patterns linear.
# Plain characters and complete strings, up to the next bracket or the quote of an unfinished string.
_PLAIN = re.compile(r'[^"\[\]{}]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*"[^"\[\]{}]*+)*', re.DOTALL)
_STRING_REST = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<cut>\Z|u[0-9a-fA-F]{0,3}\Z|u[dD][89abAB][0-9a-fA-F]{2}(?:\Z|\\\Z|\\u[0-9a-fA-F]{0,3}\Z))"
    r"|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_RAW_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_DAMAGED_ESCAPE = "\\u" + format(ord(DAMAGED), "04x")


class TooDeep(ValueError):
    """A value is nested deeper than MAX_DEPTH."""


class ValueSpan:
    """Follows one bracketed value through pieces of text. `ended` turns true behind its last bracket."""

    def __init__(self) -> None:
        self.depth = 0
        self.ended = False
        self.deepest = 0
        self._in_string = False
        self._escaped = False

    def feed(self, text: str, start: int) -> int:
        """Follow the value through `text[start:]`; returns the offset behind what belongs to it."""
        at, end = start, len(text)
        while at < end and not self.ended:
            at = self._string(text, at) if self._in_string else self._structure(text, at)
        return at

    def _string(self, text: str, at: int) -> int:
        if self._escaped:
            self._escaped = False
            at += 1
        found = _STRING_REST.match(text, at)
        at = found.end() if found else at
        if at >= len(text):
            return len(text)
        if text[at] == "\\":
            self._escaped = True
        else:
            self._in_string = False
        return at + 1

    def _structure(self, text: str, at: int) -> int:
        found = _PLAIN.match(text, at)
        at = found.end() if found else at
        if at >= len(text):
            return at
        mark = text[at]
        if mark == '"':
            self._in_string = True
        elif mark in "[{":
            self.depth += 1
            self.deepest = max(self.deepest, self.depth)
        else:
            self.depth -= 1
            self.ended = self.depth <= 0
        return at + 1


def safe_escapes(pieces: Iterator[str]) -> Iterator[str]:
    r"""The same JSON text as yajl can read it: lone `\udXXX` escapes written as DAMAGED, raw controls as escapes."""
    held = ""

    def replace(found: re.Match[str]) -> str:
        nonlocal held
        if found["cut"] is not None:
            held = found[0]
            return ""
        return _DAMAGED_ESCAPE if found["lone"] else found[0]

    for piece in pieces:
        text, held = held + piece, ""
        text = _RAW_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
        yield _SURROGATE_ESCAPE.sub(replace, text) if "\\" in text else text
    if held:
        yield _DAMAGED_ESCAPE if len(held) >= 6 else held
