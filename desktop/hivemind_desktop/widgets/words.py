"""Text that came from outside, made fit to show: one line, plain tooltips, numbered places in sentences."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Final

#: Longest text put into one painted line or a tooltip; the whole text is in the detail.
LINE_LIMIT: Final = 1000
TIP_LIMIT: Final = 600

_PLACE: Final = re.compile(r"%([1-9])")
#: Embedding, override and isolate marks: in one line they would turn the words of others around.
_BIDI_CONTROLS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def fill(template: str, *values: object) -> str:
    """Put values into `%1` … `%9` in one pass, so a `%1` inside a value stays as it is."""

    def value(match: re.Match[str]) -> str:
        number = int(match.group(1)) - 1
        return str(values[number]) if number < len(values) else match.group(0)

    return _PLACE.sub(value, template)


def one_line(text: str, limit: int = LINE_LIMIT) -> str:
    """A title or caption from imported text: white space collapsed, control and bidi marks gone, cut."""
    head = text[: limit * 4]
    kept = "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in head if _shown(c))
    line = " ".join(kept.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _shown(character: str) -> bool:
    return character not in _BIDI_CONTROLS and unicodedata.category(character) != "Cs"


def plain_tip(text: str) -> str:
    """A tooltip that shows this text and never reads it as HTML."""
    cut = text if len(text) <= TIP_LIMIT else text[: TIP_LIMIT - 1] + "…"
    if "<" not in cut and "&" not in cut:
        return cut  # nothing in it that Qt could take for HTML
    return "<p style='white-space: pre-wrap'>" + html.escape(cut) + "</p>"


def no_mnemonic(text: str) -> str:
    """Text of a button or menu item: `&` is a letter here, never a shortcut."""
    return text.replace("&", "&&")
