"""Cutting text into pieces of a frame's size."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hivemind.harvest.frames import LATIN_LIMIT, OTHER_LIMIT, cut, excerpt, piece_limit, summary, title_of

TEXT = st.text(st.sampled_from("ab .!?\n\t。用户Мüé\u0301\u200d🛶"), max_size=900)


def pieces(text: str, limit: int = 0) -> list[str]:
    return [text[start:end] for start, end in cut(text, limit)]


@given(TEXT, st.integers(1, 40))
@settings(max_examples=300)
def test_nothing_is_lost_doubled_or_too_long(text: str, limit: int) -> None:
    spans = cut(text, limit)
    at = 0
    for start, end in spans:
        assert at <= start < end
        assert text[at:start].strip() == ""
        assert end - start <= limit
        assert text[start:end] == text[start:end].strip()
        at = end
    assert text[at:].strip() == ""


def test_a_short_text_is_one_piece() -> None:
    assert pieces("  Hello there.\n") == ["Hello there."]
    assert pieces(" \n\t") == []


def test_paragraphs_come_before_sentences_and_those_before_words() -> None:
    assert pieces("One two. Three.\n\nFour five six. Seven.", 30) == ["One two. Three.", "Four five six. Seven."]
    assert pieces("One two three. Four five six.", 20) == ["One two three.", "Four five six."]
    assert pieces("one two three four five", 12) == ["one two", "three four", "five"]
    assert pieces("用户说你好。今天很好。明天见。", 7) == ["用户说你好。", "今天很好。", "明天见。"]


def test_a_long_word_is_cut_but_no_composed_character() -> None:
    assert pieces("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]
    assert pieces("e\u0301" * 6, 3) == ["e\u0301"] * 6


def test_the_limit_follows_the_script() -> None:
    assert piece_limit("Müller wohnt in Köln " * 40) == LATIN_LIMIT
    assert piece_limit("Идемо у Београду на викенд " * 40) == OTHER_LIMIT
    assert piece_limit("今天讨论了部署方案" * 40) == OTHER_LIMIT
    assert piece_limit("🛶 " * 300) == LATIN_LIMIT
    assert all(len(piece) <= OTHER_LIMIT for piece in pieces("Идемо у Београду на викенд. " * 40))
    assert max(len(piece) for piece in pieces("Müller wohnt in Köln. " * 100)) > OTHER_LIMIT


def test_an_excerpt_ends_at_a_sentence_or_says_that_it_does_not() -> None:
    text = "First sentence here. Second sentence follows. " + "word " * 100
    assert excerpt(text, 60) == "First sentence here. Second sentence follows."
    assert excerpt("word " * 100, 40).endswith("…")
    assert excerpt("short\n text") == "short text"


@given(TEXT)
def test_an_excerpt_is_one_line_of_bounded_length(text: str) -> None:
    assert len(excerpt(text, 50)) <= 51
    assert "\n" not in excerpt(text, 50)


def test_titles() -> None:
    assert title_of("  A \n title ", "x") == "A title"
    assert title_of(None, "What is this? I wonder.") == "What is this? I wonder."
    assert title_of("", "") == "Untitled conversation"
    assert len(title_of("ø" * 3000, "")) <= 200


def test_the_summary_names_what_there_is() -> None:
    span = ("2026-01-02T10:00:00.000Z", "2026-01-05T10:00:00.000Z")
    text = summary("Boats", "ChatGPT", span, ["user", "assistant"], "Where?", "There.")
    assert text == (
        "Boats\nChatGPT, 2026-01-02 to 2026-01-05, user and assistant\nFirst request: Where?\nLast answer: There."
    )
    assert summary("T", "ChatGPT", (None, None), [], "", "") == "T\nChatGPT, date unknown, nobody"
