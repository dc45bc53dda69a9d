"""Hits stay on their words through white space, cutting and characters of two UTF-16 units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QTextLayout

from hivemind_desktop.theme import Theme, font
from hivemind_desktop.widgets.text_paint import Inks, MarkedText, TextLayouts, lay_out, to_one_line
from hivemind_desktop.widgets.words import one_line

INKS = Inks("#585248", "#211e19", "#ffe3a0")


def hit_words(layout: QTextLayout) -> list[str]:
    units = layout.text().encode("utf-16-le")
    return [units[2 * each.start : 2 * (each.start + each.length)].decode("utf-16-le") for each in layout.formats()]


def test_hits_keep_their_words() -> None:
    marked = MarkedText("  We\n\nchose   Postgres \t today ", ((6, 5), (14, 8)))
    line = to_one_line(marked)
    assert line.text == "We chose Postgres today"
    assert [line.text[start : start + size] for start, size in line.hits] == ["chose", "Postgres"]


@pytest.mark.parametrize("hits", [((-3, 2),), ((5, 400),), ((400, 2),), ((2, 0),), ((0, 4), (2, 4))])
def test_hits_that_make_no_sense_do_no_harm(hits: tuple[tuple[int, int], ...], theme: Theme) -> None:
    line = to_one_line(MarkedText("We chose Postgres", hits))
    assert line.text == "We chose Postgres"
    assert all(start >= 0 and start + size <= len(line.text) for start, size in line.hits)


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=8)), max_size=6), st.text(max_size=20))
def test_any_text_with_any_hits(parts: list[tuple[str, str]], tail: str) -> None:
    text, hits = "", []
    for before, word in parts:
        text += before
        hits.append((len(text), len(word)))
        text += word
    line = to_one_line(MarkedText(text + tail, tuple(hits)))
    shown = [line.text[start : start + size] for start, size in line.hits]
    assert shown == [squeezed for _, word in parts if (squeezed := one_line(word))]
    assert "".join(line.text.split()) == "".join(one_line(text + tail).split())


def test_two_lines_and_an_ellipsis(theme: Theme) -> None:
    layout = lay_out(MarkedText("word " * 100), font("label"), 200, 2, INKS)
    assert layout.lineCount() == 2
    assert layout.text().endswith("…")
    assert layout.lineAt(1).naturalTextWidth() <= 204


def test_short_text_is_whole(theme: Theme) -> None:
    layout = lay_out(MarkedText("one line"), font("label"), 200, 2, INKS)
    assert (layout.lineCount(), layout.text()) == (1, "one line")


def test_one_endless_word_is_broken_not_lost(theme: Theme) -> None:
    layout = lay_out(MarkedText("x" * 900), font("label"), 200, 2, INKS)
    assert layout.lineCount() == 2
    assert layout.lineAt(0).naturalTextWidth() <= 204


def test_hits_survive_characters_outside_the_basic_plane(theme: Theme) -> None:
    text = "🐘🐘 Postgres 🐘 chose"
    layout = lay_out(MarkedText(text, ((3, 8), (14, 5))), font("label"), 400, 2, INKS)
    assert hit_words(layout) == ["Postgres", "chose"]


def test_a_hit_behind_the_cut_is_dropped(theme: Theme) -> None:
    text = "We chose " + "word " * 100 + "Postgres"
    layout = lay_out(MarkedText(text, ((3, 5), (len(text) - 8, 8))), font("label"), 200, 2, INKS)
    assert hit_words(layout) == ["chose"]


def test_layouts_are_kept_and_forgotten(theme: Theme) -> None:
    layouts, image = TextLayouts(), QImage(200, 60, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    for number in range(TextLayouts.LIMIT + 20):
        layouts.paint(painter, QRectF(0, 0, 200, 40), MarkedText(f"row {number}"), font("label"), 2, INKS)
    painter.end()
    assert len(layouts._kept) == TextLayouts.LIMIT
