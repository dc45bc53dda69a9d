"""A vocabulary is read from any kind of tokeniser, and one rule says which pieces carry meaning."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hivemind.embeddings.vocabulary import Vocabulary, stop_pieces
from hivemind.errors import EmbedderUnavailable

WORDPIECE = {"type": "WordPiece", "vocab": {"[CLS]": 0, "the": 1, "ferry": 2, "##s": 3, ".": 4, "s": 5, "é": 7}}
UNIGRAM = {"type": "Unigram", "vocab": [["<s>", 0.0], ["▁the", -1.0], ["▁ferry", -2.0], ["s", -2.5], ["▁", -3.0]]}
BPE = {"type": "BPE", "vocab": {"Ġthe": 1, "Ġferry": 0, "!": 2}, "merges": []}


def written(folder: Path, told: object) -> Path:
    (folder / "tokenizer.json").write_text(json.dumps(told, ensure_ascii=False), "utf-8")
    return folder


@pytest.mark.parametrize(
    ("model", "content"),
    [
        (WORDPIECE, {"[CLS]", "ferry", "##s", "é"}),
        (UNIGRAM, {"<s>", "▁ferry"}),
        (BPE, {"Ġferry"}),
    ],
)
def test_content_is_told_by_one_rule(tmp_path: Path, model: dict[str, object], content: set[str]) -> None:
    vocabulary = Vocabulary.read(written(tmp_path, {"model": model}))
    marks = vocabulary.content_pieces()
    assert {text for text, mark in zip(vocabulary.texts, marks, strict=True) if mark} == content


def test_pieces_are_named_and_unknown_ones_are_empty(tmp_path: Path) -> None:
    told = {"model": WORDPIECE, "added_tokens": [{"id": 9, "content": "[NAME]"}]}
    vocabulary = Vocabulary.read(written(tmp_path, told))
    assert vocabulary.piece_texts([2, 3, 6, 9, 4_000, -1]) == ("ferry", "##s", "", "[NAME]", "", "")


@pytest.mark.parametrize("told", [{}, {"model": {}}, {"model": {"vocab": 3}}, [], {"model": {"vocab": [1]}}])
def test_what_has_no_pieces_is_refused(tmp_path: Path, told: object) -> None:
    with pytest.raises(EmbedderUnavailable, match="no list of pieces"):
        Vocabulary.read(written(tmp_path, told))
    with pytest.raises(EmbedderUnavailable):
        Vocabulary.read(tmp_path / "nowhere")


def test_the_stop_list_holds_words_and_rests_of_contractions() -> None:
    assert {"the", "whom", "ll", "s"} <= stop_pieces()
    assert not {"ferry", "", "#"} & stop_pieces()
