"""A model must show what it can before it serves; what is wrong is named, with what to change.

Covers: probe, refusals.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.samples.models import WORDS, bag_of_words, table, write_model

from hivemind.domain.vectors import ModelIdentity
from hivemind.embeddings import ModelFolder, read_folder
from hivemind.embeddings.encoding import TextEncoder
from hivemind.embeddings.probe import probe
from hivemind.errors import EmbedderUnavailable


def probed(path: Path) -> tuple[TextEncoder, ModelIdentity]:
    folder = read_folder(path, "settings")
    encoder = TextEncoder(folder)
    return encoder, probe(folder, encoder)


def test_the_bundled_model_is_who_it_says(minilm: ModelFolder, encoder: TextEncoder) -> None:
    identity = probe(minilm, encoder)
    assert (identity.name, identity.revision) == ("all-MiniLM-L6-v2", "1110a243")
    assert (identity.dim, identity.model_dim, identity.token_dim, identity.max_tokens) == (1024, 384, 64, 256)
    assert identity.languages == ("en",)
    assert len(identity.sha) == len(identity.basis_sha) == 64
    assert encoder.batch == 8


def test_another_model_is_told_apart(tmp_path: Path) -> None:
    _, plain = probed(write_model(tmp_path / "plain"))
    assert (plain.name, plain.model_dim, plain.token_dim, plain.basis_sha) == ("bag", 24, 0, "")
    _, copied = probed(write_model(tmp_path / "copied", revision="2", name="other"))
    assert copied.sha == plain.sha
    for number, card in enumerate([{"pooling": "cls"}, {"document_prefix": "passage: "}, {"max_tokens": 32}]):
        try:
            _, other = probed(write_model(tmp_path / str(number), **card))
        except EmbedderUnavailable:
            assert card == {"pooling": "cls"}  # the first word says too little here
            continue
        assert other.sha != plain.sha, card


def test_a_model_whose_vectors_depend_on_the_batch_gets_texts_one_by_one(tmp_path: Path) -> None:
    encoder, _ = probed(write_model(tmp_path, bag_of_words(table(24), mixes_batch=True)))
    assert encoder.batch == 1
    assert [len(ready) for ready in encoder.documents(["the cat", "a cat", "the"])] == [1, 1, 1]


REFUSED: dict[str, tuple[bytes | None, dict[str, Any], str]] = {
    "no model": (b"not a graph", {}, "cannot be loaded"),
    "truncated": (bag_of_words(table(24))[:-900], {}, "cannot be loaded"),
    "no such output": (None, {"outputs": {"hidden": "sentence"}}, "last_hidden_state|no output"),
    "no output named": (None, {"pooling": "in_graph", "outputs": {}}, "no output"),
    "too wide": (bag_of_words(table(1536)), {}, "1536 numbers"),
    "token size": (
        bag_of_words(table(24), tokens=table(32)),
        {"outputs": {"hidden": "last_hidden_state", "tokens": "tokens"}},
        "32 numbers",
    ),
    "other input": (bag_of_words(table(24), inputs=("input_ids", "pixel_values")), {}, "pixel_values"),
    "not numbers": (bag_of_words(np.full((len(WORDS), 24), np.nan, np.float32)), {}, "no usable numbers"),
    "always the same": (bag_of_words(np.ones((len(WORDS), 24), np.float32)), {}, "tell texts apart"),
    "another vocabulary": (bag_of_words(table(24)[:6]), {}, "fails on a sentence"),
    "compares by length": (None, {"normalise": False}, "by length"),
    "damaged": (None, {"sha256": {"model.onnx": "0" * 64}}, "model.onnx is not the file"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_model_that_cannot_serve_is_refused(case: str, tmp_path: Path) -> None:
    model, card, said = REFUSED[case]
    with pytest.raises(EmbedderUnavailable, match=said) as caught:
        probed(write_model(tmp_path, model, **card))
    assert caught.value.title.startswith("This model cannot be used: ")
    assert caught.value.hint.endswith("Until then search works by keyword.")


def test_a_tokenizer_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(EmbedderUnavailable, match=r"tokenizer\.json"):
        probed(folder)


@pytest.mark.parametrize("spoiled", ["pooled", "tokens", "ids"])
def test_other_vectors_than_the_golden_ones_are_refused(
    spoiled: str, minilm: ModelFolder, encoder: TextEncoder, tmp_path: Path
) -> None:
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).symlink_to(minilm.path / name)
    shutil.copy(minilm.path / "embedder.json", tmp_path)
    golden = json.loads((minilm.path / "golden.json").read_text())
    assert golden["cosine"] >= 0.999
    first, second = golden["texts"][:2]
    first[spoiled] = second[spoiled]
    (tmp_path / "golden.json").write_text(json.dumps(golden))
    with pytest.raises(EmbedderUnavailable, match="other vectors"):
        probe(read_folder(tmp_path, "settings"), encoder)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"texts": [{}], "cosine": 1}', '{"texts": [], "cosine": "high"}'])
def test_golden_vectors_that_cannot_be_read_are_named(text: str, tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    (folder / "golden.json").write_text(text)
    with pytest.raises(EmbedderUnavailable, match=r"golden\.json cannot be read"):
        probed(folder)
