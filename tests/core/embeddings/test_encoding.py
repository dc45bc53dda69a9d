"""The built model's vectors, and models of other people: hidden states, cls, prefixes, sizes.

Covers: encoding.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.samples.models import INT32, WORDS, bag_of_words, table, word_tokenizer, write_model

from hivemind.domain.vectors import Encoded
from hivemind.embeddings import read_folder
from hivemind.embeddings.encoding import TextEncoder
from hivemind.embeddings.rotation import rotation

TEXTS = [
    "ok",
    "We agreed on Postgres for the new service.",
    "8 May 2023 Caroline: I went to a support group yesterday and it was so powerful.",
    "The migration needs a plan: first the schema, then the data, then the switch. " * 3,
    "日本語のテキスト and English together, 12.5 % of it.",
    "What did the team decide about the database in May?",
    "def main(): return sum(x ** 2 for x in range(10))",
    "A cat lies asleep on the couch while it rains outside and nobody is at home to see it.",
    "Yes.",
    "The quick brown fox jumps over the lazy dog. " * 8,
]


def all_of(encoder: TextEncoder, texts: list[str]) -> list[Encoded]:
    found = {number: encoded for ready in encoder.documents(texts) for number, encoded, _ in ready}
    assert sorted(found) == list(range(len(texts)))
    return [found[number] for number in range(len(texts))]


def own(tmp_path: Path, model: bytes | None = None, **card: Any) -> TextEncoder:
    return TextEncoder(read_folder(write_model(tmp_path, model, **card), "settings"))


def word_rows(text: str, width: int) -> Any:
    """The rows that the tiny model gives for a text, [CLS] and [SEP] included."""
    return table(width)[word_tokenizer().encode(text).ids]


def unit(vector: Any) -> Any:
    return vector / np.linalg.norm(vector)


def test_shapes_lengths_and_pieces(encoder: TextEncoder) -> None:
    for text, one in zip(TEXTS, all_of(encoder, TEXTS), strict=True):
        assert one.pooled.shape == (1024,) and one.pooled.dtype == np.float32
        assert one.tokens.shape == (len(one.pieces), 64) and one.tokens.dtype == np.float32
        assert np.linalg.norm(one.pooled) == pytest.approx(1, abs=1e-5)
        assert np.linalg.norm(one.tokens, axis=1) == pytest.approx(np.ones(len(one.pieces)), abs=1e-5)
        assert not {101, 102} & set(one.pieces), text


def test_a_text_has_the_same_vectors_alone_and_in_any_batch(encoder: TextEncoder) -> None:
    together = all_of(encoder, TEXTS)
    for text, one in zip(TEXTS, together, strict=True):
        alone = all_of(encoder, [text])[0]
        assert float(alone.pooled @ one.pooled) >= 0.9999, text
        assert float((alone.tokens * one.tokens).sum(1).min()) >= 0.9999, text
        asked = encoder.query(text)
        assert np.array_equal(asked.pooled, alone.pooled) and asked.pieces == alone.pieces


@given(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=9), st.randoms(use_true_random=False))
@settings(max_examples=4, deadline=None)
def test_order_does_not_matter(encoder: TextEncoder, texts: list[str], chance: Any) -> None:
    mixed = list(range(len(texts)))
    chance.shuffle(mixed)
    straight = all_of(encoder, texts)
    for place, one in zip(mixed, all_of(encoder, [texts[number] for number in mixed]), strict=True):
        assert float(straight[place].pooled @ one.pooled) >= 0.9999


def test_meaning_is_nearer_than_words(encoder: TextEncoder) -> None:
    question, answer, other = all_of(
        encoder,
        ["Which database did we choose?", "Team agreed on Postgres.", "Which train did we choose for the holidays?"],
    )
    assert float(question.pooled @ answer.pooled) > 0.2
    said, meant, far = all_of(encoder, ["The cat sleeps on the sofa.", "A kitten naps on the couch.", "Tax returns."])
    assert float(said.pooled @ meant.pooled) > float(said.pooled @ far.pooled) + 0.3
    assert other.pooled.shape == (1024,)


def test_a_long_text_is_encoded_in_parts_that_are_joined(encoder: TextEncoder) -> None:
    words = ("alpha", "beta", "gamma", "delta")
    long = " ".join(words[number % 4] for number in range(700))
    ((_, one, passes),) = [entry for ready in encoder.documents([long]) for entry in ready]
    assert passes == 3
    assert one.tokens.shape == (len(one.pieces), 64) and len(one.pieces) == 700
    edges = [700 * part // 3 for part in range(4)]
    parts = all_of(encoder, [" ".join(long.split()[a:b]) for a, b in pairwise(edges)])
    assert sum((part.pieces for part in parts), ()) == one.pieces
    weighted = sum(part.pooled * len(part.pieces) for part in parts)
    assert float(unit(weighted) @ one.pooled) >= 0.9999
    assert float((np.concatenate([part.tokens for part in parts]) * one.tokens).sum(1).min()) >= 0.9999


def test_texts_of_equal_parts_are_whole(encoder: TextEncoder) -> None:
    # Equal windows once fell together in a dictionary.
    assert [len(one.pieces) for one in all_of(encoder, ["hello " * 2000, "hello " * 2000])] == [2000, 2000]


@pytest.mark.parametrize("text", ["", "   ", "\n", "\ud800", "\x00", "a" * 5000])
def test_odd_texts_have_a_vector(encoder: TextEncoder, text: str) -> None:
    one = all_of(encoder, [text])[0]
    assert np.isfinite(one.pooled).all() and np.linalg.norm(one.pooled) == pytest.approx(1, abs=1e-5)
    assert one.tokens.shape == (len(one.pieces), 64)


def test_mean_pooling_outside_the_graph(tmp_path: Path) -> None:
    one = all_of(own(tmp_path), ["the cat is sleeping", "the cat"])[0]
    expected = unit(word_rows("the cat is sleeping", 24).mean(0)) @ rotation(24)
    assert one.pooled == pytest.approx(expected, abs=1e-5)
    assert one.tokens.shape == (0, 64) and len(one.pieces) == 4


def test_cls_pooling_outside_the_graph(tmp_path: Path) -> None:
    one = all_of(own(tmp_path, pooling="cls"), ["the cat"])[0]
    assert one.pooled == pytest.approx(unit(table(24)[WORDS.index("[CLS]")]) @ rotation(24), abs=1e-5)


def test_a_model_of_1024_numbers_is_not_turned(tmp_path: Path) -> None:
    one = all_of(own(tmp_path, bag_of_words(table(1024))), ["the cat"])[0]
    assert one.pooled == pytest.approx(unit(word_rows("the cat", 1024).mean(0)), abs=1e-5)


def test_prefixes_count_in_the_vector_but_are_no_pieces(tmp_path: Path) -> None:
    tokens = table(64, seed=8)
    encoder = own(
        tmp_path,
        bag_of_words(table(24), tokens=tokens),
        query_prefix="query: ",
        document_prefix="passage: ",
        outputs={"hidden": "last_hidden_state", "tokens": "tokens"},
    )
    for prefix, one in (("query", encoder.query("the cat")), ("passage", all_of(encoder, ["the cat"])[0])):
        expected = unit(word_rows(f"{prefix}: the cat", 24).mean(0)) @ rotation(24)
        assert one.pooled == pytest.approx(expected, abs=1e-5)
        assert one.pieces == (WORDS.index("the"), WORDS.index("cat"))
        assert np.array_equal(one.tokens, tokens[list(one.pieces)])


@pytest.mark.parametrize("names", [("input_ids",), ("input_ids", "attention_mask", "token_type_ids")])
def test_inputs_are_fed_as_the_model_wants_them(names: tuple[str, ...], tmp_path: Path) -> None:
    wanted = bag_of_words(table(24), inputs=names, kind=INT32)
    plain = all_of(own(tmp_path / "plain"), ["the cat"])[0]
    assert np.array_equal(all_of(own(tmp_path / "other", wanted), ["the cat"])[0].pooled, plain.pooled)
