"""Paint text the way labels cannot: matched words on honey, a few lines, an honest ellipsis."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption

from .words import LINE_LIMIT, one_line


@dataclass(frozen=True, slots=True)
class MarkedText:
    """One paragraph and the (start, length) of the words that matched, in characters."""

    text: str
    hits: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Inks:
    """Colours of a paragraph: its text, a matched word and the ground behind that word."""

    text: str
    hit_text: str
    hit: str


def to_one_line(marked: MarkedText) -> MarkedText:
    """The same on one line of at most LINE_LIMIT characters, hits still on their words."""
    text, made, last = marked.text[:LINE_LIMIT], "", 0
    hits: list[tuple[int, int]] = []
    for start, size in sorted(marked.hits):
        word = one_line(text[start : start + size]) if start >= last and size > 0 else ""
        if not word:
            continue
        made = _join(made, text[last:start])
        hits.append((len(made), len(word)))
        made += word
        last = start + size
    return MarkedText(_join(made, text[last:]).rstrip(), tuple(hits))


def _join(made: str, piece: str) -> str:
    """Append a piece of text; white space at its ends becomes one blank, none at the very start."""
    middle = one_line(piece)
    blank_before = " " if piece[:1].isspace() and made and not made.endswith(" ") else ""
    blank_after = " " if middle and piece[-1:].isspace() else ""
    return made + blank_before + middle + blank_after


class TextLayouts:
    """Laid-out paragraphs, kept: laying out is the dear part of a row, painting is cheap."""

    LIMIT: Final = 1024

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[MarkedText, str, int, int, Inks], QTextLayout] = OrderedDict()

    def paint(self, painter: QPainter, rect: QRectF, marked: MarkedText, font: QFont, lines: int, inks: Inks) -> None:
        """Draw at most `lines` lines into `rect`."""
        key = (marked, font.key(), int(rect.width()), lines, inks)
        layout = self._kept.get(key)
        if layout is None:
            layout = self._kept[key] = lay_out(marked, font, int(rect.width()), lines, inks)
            if len(self._kept) > self.LIMIT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        painter.setPen(QColor(inks.text))
        layout.draw(painter, rect.topLeft())


def lay_out(marked: MarkedText, font: QFont, width: int, lines: int, inks: Inks) -> QTextLayout:
    """At most `lines` lines of `width` px; the last one ends in … when there is more."""
    plain = to_one_line(marked)
    cut = _start_of_line(plain.text, font, width, lines)
    if cut is not None:
        head, rest = plain.text[:cut], plain.text[cut:]
        tail = QFontMetricsF(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)
        end = len(head) + max(0, len(tail) - 1)
        hits = tuple((start, min(size, end - start)) for start, size in plain.hits if start < end)
        plain = MarkedText(head + tail, hits)
    layout = QTextLayout(plain.text, font)
    layout.setTextOption(_wrapping())
    layout.setFormats([_hit(plain.text, start, size, inks) for start, size in plain.hits])
    step = QFontMetricsF(font).height() + 2
    layout.beginLayout()
    for number in range(lines):
        made = layout.createLine()
        if not made.isValid():
            break
        made.setLineWidth(width + 4)  # the elided line may be a hair wider than it was measured
        made.setPosition(QPointF(0, number * step))
    layout.endLayout()
    return layout


def _wrapping() -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option


def _start_of_line(text: str, font: QFont, width: int, lines: int) -> int | None:
    """Where line number `lines` starts when the text needs more lines than that, else None."""
    layout = QTextLayout(text, font)
    layout.setTextOption(_wrapping())
    layout.beginLayout()
    starts: list[int] = []
    while len(starts) <= lines and (made := layout.createLine()).isValid():
        made.setLineWidth(width)
        starts.append(made.textStart())
    layout.endLayout()
    if len(starts) <= lines:
        return None
    # Qt counts UTF-16 units, Python characters.
    return len(text.encode("utf-16-le")[: 2 * starts[lines - 1]].decode("utf-16-le"))


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _hit(text: str, start: int, length: int, inks: Inks) -> QTextLayout.FormatRange:
    span = QTextLayout.FormatRange()
    span.start, span.length = _units(text[:start]), _units(text[start : start + length])
    span.format = QTextCharFormat()
    span.format.setBackground(QColor(inks.hit))
    span.format.setForeground(QColor(inks.hit_text))
    return span
