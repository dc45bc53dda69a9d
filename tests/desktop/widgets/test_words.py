"""Text from outside stays one line, stays text, and cannot turn its neighbours around."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument

from hivemind_desktop.widgets.words import LINE_LIMIT, TIP_LIMIT, fill, no_mnemonic, one_line, plain_tip

ANY_TEXT = st.text(st.characters(codec=None), max_size=300)


def test_values_go_to_their_places() -> None:
    assert fill("%1 of %2 in %1", 3, "x") == "3 of x in 3"


def test_a_place_inside_a_value_stays_as_it_is() -> None:
    assert fill("%1 and %2", "%2", "b") == "%2 and b"
    assert fill("%1 and %3", "a") == "a and %3"


@given(ANY_TEXT)
def test_one_line_has_no_breaks_controls_or_bidi_marks(text: str) -> None:
    line = one_line(text)
    assert line == " ".join(line.split())
    assert not {unicodedata.category(c) for c in line} & {"Cc", "Cs", "Zl", "Zp"}
    assert not set(line) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert len(line) <= LINE_LIMIT
    assert one_line(line) == line


def test_one_line_says_that_it_was_cut() -> None:
    assert one_line("word " * 2000, 20) == "word word word word…"
    assert one_line("short", 20) == "short"
    assert one_line("\u202eevil\n title\x00") == "evil title"


@given(ANY_TEXT)
def test_a_tooltip_shows_the_text_and_never_reads_it(text: str) -> None:
    tip = plain_tip(text)
    if "<" in text or "&" in text:
        document = QTextDocument()
        document.setHtml(tip)
        read = document.toPlainText()
        assert "".join(read.split()) == "".join(_readable(text).split())
    else:
        assert tip == text


def _readable(text: str) -> str:
    """What a QTextDocument can hold of a text: no NUL and other characters that are none in HTML."""
    document = QTextDocument()
    document.setPlainText(text)
    return document.toPlainText()


def test_a_long_tooltip_is_cut() -> None:
    assert len(plain_tip("x" * 5000)) == TIP_LIMIT
    assert "<b>" not in plain_tip("<b>bold</b>")


def test_an_ampersand_is_no_shortcut() -> None:
    assert no_mnemonic("Q&A & more") == "Q&&A && more"
