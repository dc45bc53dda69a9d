"""Windows: every piece in exactly one, none too long, and groups of similar length."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.samples.models import WORDS, word_tokenizer

from hivemind.embeddings.windows import Slicer, batches

CLS, SEP = WORDS.index("[CLS]"), WORDS.index("[SEP]")
SIXTEEN = Slicer(word_tokenizer(), 16)
PIECES = st.lists(st.integers(4, len(WORDS) - 1), max_size=200)


@given(PIECES, st.lists(st.integers(4, 9), max_size=3))
def test_windows_hold_every_piece_once_and_in_order(pieces: list[int], prefix: list[int]) -> None:
    windows = SIXTEEN.windows(3, pieces, prefix)
    own = [one for window in windows for one in window.ids[window.lead : window.lead + window.count]]
    assert own == pieces
    assert [window.part for window in windows] == list(range(len(windows)))
    for window in windows:
        assert window.text == 3
        assert len(window.ids) <= 16
        assert window.ids[: window.lead] == (CLS, *prefix)
        assert window.ids[window.lead + window.count :] == (SEP,)
    counts = [window.count for window in windows]
    assert max(counts) - min(counts) <= 1


def test_a_text_without_pieces_is_one_pass() -> None:
    assert [window.ids for window in SIXTEEN.windows(0, ())] == [(CLS, SEP)]


@given(st.lists(PIECES, max_size=20), st.integers(1, 9))
def test_batches_hold_every_window_and_lengths_only_rise(texts: list[list[int]], size: int) -> None:
    windows = [window for number, pieces in enumerate(texts) for window in SIXTEEN.windows(number, pieces)]
    groups = list(batches(windows, size))
    flat = [window for group in groups for window in group]
    assert sorted((one.text, one.part) for one in flat) == sorted((one.text, one.part) for one in windows)
    assert [len(one.ids) for one in flat] == sorted(len(one.ids) for one in windows)
    assert all(len(group) == size for group in groups[:-1])


@given(st.text())
def test_any_text_has_pieces(text: str) -> None:
    assert all(0 <= piece < len(WORDS) for piece in SIXTEEN.pieces(text))


def test_a_lone_surrogate_is_an_unknown_character() -> None:
    assert SIXTEEN.pieces("cat \ud800 cat") == SIXTEEN.pieces("cat ? cat")


def test_a_tokenizer_without_special_pieces_adds_none() -> None:
    plain = word_tokenizer()
    plain.post_processor = None  # type: ignore[assignment]
    assert [window.ids for window in Slicer(plain, 16).windows(0, (5, 6))] == [(5, 6)]
