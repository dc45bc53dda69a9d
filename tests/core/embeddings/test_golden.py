"""Recorded vectors: the built model comes near to its own, and what is not the same text or size is no likeness."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path

import numpy as np
import pytest

from hivemind.embeddings import Embedder, ModelFolder
from hivemind.embeddings.golden import Golden, GoldenText, read_golden
from hivemind.errors import EmbedderUnavailable


@pytest.fixture(scope="module")
def golden(minilm: ModelFolder) -> Golden:
    found = read_golden(minilm.path)
    assert found is not None and found.cosine >= 0.999 and len(found.texts) >= 3
    return found


def test_the_built_model_comes_near_and_others_do_not(golden: Golden, embedder: Embedder) -> None:
    made = asyncio.run(embedder.encode_documents([one.text for one in golden.texts]))
    assert golden.least_cosine(made) >= golden.cosine
    assert golden.least_cosine([dataclasses.replace(made[0], pieces=(*made[0].pieces, 1)), *made[1:]]) == -1.0
    short = dataclasses.replace(made[0], pooled=made[0].pooled[:384])
    assert golden.least_cosine([short, *made[1:]]) == -1.0
    turned = dataclasses.replace(made[0], tokens=np.roll(made[0].tokens, 1, axis=1))
    assert golden.least_cosine([turned, *made[1:]]) < 0.9


def test_what_was_not_recorded_is_not_compared(golden: Golden, embedder: Embedder) -> None:
    made = asyncio.run(embedder.encode_documents([golden.texts[0].text]))
    only_pieces = Golden((GoldenText(golden.texts[0].text, golden.texts[0].pieces, "", ""),), 0.999)
    assert only_pieces.least_cosine(made) == 1.0
    assert Golden((), 0.999).least_cosine([]) == 1.0


def test_a_folder_may_have_recorded_nothing(tmp_path: Path) -> None:
    assert read_golden(tmp_path) is None
    (tmp_path / "golden.json").write_text('{"texts": [{"text": "a"}]}')
    with pytest.raises(EmbedderUnavailable, match=r"golden\.json cannot be read"):
        read_golden(tmp_path)
