"""Rows of the list: no signs of Markdown, and the hits stay on their words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind_desktop.memories.lines import split_title, unsigned
from hivemind_desktop.widgets.text_paint import MarkedText


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("A **bold** word", "A bold word"),
        ("***Both*** and `code`", "Both and code"),
        ("# Plan\n> said so\n## Next", "Plan\nsaid so\nNext"),
        ("see [the notes](https://example.org/a) there", "see the notes there"),
        ("x**2 and 2 ** 3, a[0](b), #tag, 3 > 2", "x**2 and 2 ** 3, a[0](b), #tag, 3 > 2"),
    ],
)
def test_signs_go_and_words_stay(written: str, shown: str) -> None:
    assert unsigned(MarkedText(written)).text == shown


def test_hits_stay_on_their_words() -> None:
    text = "# The **lemon** tree\nA `lemon` needs [lemon](https://lemon.example) water"
    places = [at for at in range(len(text)) if text.startswith("lemon", at)]
    shown = unsigned(MarkedText(text, tuple((at, 5) for at in places)))
    assert [shown.text[start : start + size] for start, size in shown.hits] == ["lemon"] * 3
    assert "example" not in shown.text


@given(st.text(alphabet="ab *`#>[](:/\n", max_size=80), st.data())
def test_every_hit_is_inside_what_is_shown(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    size = data.draw(st.integers(0, len(text) - start))
    shown = unsigned(MarkedText(text, ((start, size),)))
    for at, long in shown.hits:
        assert long > 0
        assert shown.text[at : at + long] in text or any(sign in text[start : start + size] for sign in "*`#>[")


def test_a_title_is_without_signs() -> None:
    assert split_title("## **Where** the water goes\nDown.")[0] == "Where the water goes"
