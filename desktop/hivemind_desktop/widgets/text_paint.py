"""Paint text the way labels cannot: matched words on honey, a few lines, an honest ellipsis."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption

from .words import one_line


@dataclass(frozen=True, slots=True)
class MarkedText:
    """One paragraph and the (start, length) of the words that matched, in characters."""

    text: str
    hits: tuple[tuple[int, int], ...] = ()


def to_one_line(marked: MarkedText) -> MarkedText:
    """The same on one line, made piece by piece so that the hits stay on their words."""
    parts: list[str] = []
    hits: list[tuple[int, int]] = []
    length = last = 0
    for start, size in sorted(marked.hits):
        if size <= 0 or start < last or start + size > len(marked.text):
            continue
        before, word = _squeeze(marked.text[last:start]), one_line(marked.text[start : start + size])
        if not parts:
            before = before.lstrip()
        parts += [before, word]
        length += len(before)
        hits.append((length, len(word)))
        length += len(word)
        last = start + size
    tail = _squeeze(marked.text[last:]).rstrip()
    parts.append(tail if parts else tail.lstrip())
    return MarkedText("".join(parts), tuple(hits))


def _squeeze(text: str) -> str:
    """`one_line`, but a blank at either end survives as one blank."""
    middle = one_line(text)
    if not middle:
        return " " if text else ""
    return (" " if text[0].isspace() else "") + middle + (" " if text[-1].isspace() else "")


class TextLayouts:
    """Laid-out paragraphs, kept: laying out is the dear part of a row, painting is cheap."""

    LIMIT: Final = 1024

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[MarkedText, str, int, int, str, str], QTextLayout] = OrderedDict()

    def paint(
        self, painter: QPainter, rect: QRectF, marked: MarkedText, font: QFont, lines: int, ink: str, *, hit: str
    ) -> None:
        """Draw at most `lines` lines into `rect` in the colour `ink`, hits on the colour `hit`."""
        key = (marked, font.key(), int(rect.width()), lines, ink, hit)
        layout = self._kept.get(key)
        if layout is None:
            layout = self._kept[key] = _lay_out(marked, font, int(rect.width()), lines, ink, hit)
            if len(self._kept) > self.LIMIT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        painter.setPen(QColor(ink))
        layout.draw(painter, rect.topLeft())


def _lay_out(marked: MarkedText, font: QFont, width: int, lines: int, ink: str, hit: str) -> QTextLayout:
    plain = to_one_line(marked)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    starts = _line_starts(plain.text, font, option, width)
    if len(starts) > lines:  # cut the last line that fits and say so
        head, rest = plain.text[: starts[lines - 1]], plain.text[starts[lines - 1] :]
        tail = QFontMetricsF(font).elidedText(rest[:400], Qt.TextElideMode.ElideRight, width)
        end = len(head) + len(tail) - 1
        hits = tuple((start, min(size, end - start)) for start, size in plain.hits if start < end)
        plain = MarkedText(head + tail, hits)
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout = QTextLayout(plain.text, font)
    layout.setTextOption(option)
    layout.setFormats([_hit(start, size, ink, hit) for start, size in plain.hits])
    _place(layout, width + 4, QFontMetricsF(font).height() + 2, lines)
    return layout


def _line_starts(text: str, font: QFont, option: QTextOption, width: int) -> list[int]:
    layout = QTextLayout(text, font)
    layout.setTextOption(option)
    layout.beginLayout()
    starts: list[int] = []
    while (made := layout.createLine()).isValid():
        made.setLineWidth(width)
        starts.append(made.textStart())
    layout.endLayout()
    return starts


def _place(layout: QTextLayout, width: float, step: float, lines: int) -> None:
    layout.beginLayout()
    for number in range(lines):
        made = layout.createLine()
        if not made.isValid():
            break
        made.setLineWidth(width)
        made.setPosition(QPointF(0, number * step))
    layout.endLayout()


def _hit(start: int, length: int, ink: str, hit: str) -> QTextLayout.FormatRange:
    span = QTextLayout.FormatRange()
    span.start, span.length = start, length
    span.format = QTextCharFormat()
    span.format.setBackground(QColor(hit))
    span.format.setForeground(QColor(ink))
    return span
