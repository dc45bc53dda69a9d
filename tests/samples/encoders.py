"""An encoder for tests: words become fixed random vectors, words of one meaning the same one. Real arrays, no model."""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hivemind.domain.vectors import POOLED_DIM, TOKEN_DIM, Encoded, ModelIdentity
from hivemind.embeddings.golden import Golden
from hivemind.embeddings.vocabulary import Vocabulary
from hivemind.errors import EmbedderUnavailable

#: Every word of a line means the same to the encoder.
MEANINGS = ("ferry boat ship", "leaves departs goes", "noon midday", "doctor physician", "happy glad", "car automobile")
STOP = ("the", "a", "at", "to", "of", "is", ".")
VOCABULARY = 30_000
_SAME = {word: line.split()[0] for line in MEANINGS for word in line.split()}


def piece_of(word: str) -> int:
    return 1000 + zlib.crc32(word.encode()) % (VOCABULARY - 1000)


#: By piece id: neither a stop word nor punctuation.
CONTENT: NDArray[np.bool_] = np.ones(VOCABULARY, np.bool_)
CONTENT[[piece_of(word) for word in STOP]] = False


def encoded(text: str, salt: str = "") -> Encoded:
    """The vectors of a text, the same at each call. `salt`: another model."""
    words = re.findall(r"\w+|[^\w\s]", text.lower()) or ["?"]
    chance = [np.random.default_rng(zlib.crc32((salt + _SAME.get(word, word)).encode())) for word in words]
    pooled = np.zeros(POOLED_DIM)
    tokens = np.zeros((len(words), TOKEN_DIM), np.float32)
    for row, (one, word) in enumerate(zip(chance, words, strict=True)):
        pooled += one.standard_normal(POOLED_DIM) * (0.1 if word in STOP else 1.0)
        token = one.standard_normal(TOKEN_DIM)
        tokens[row] = token / np.linalg.norm(token)
    return Encoded(
        (pooled / np.linalg.norm(pooled)).astype(np.float32), tokens, tuple(piece_of(word) for word in words)
    )


def vocabulary() -> Vocabulary:
    texts = ["word"] * VOCABULARY
    for word in STOP:
        texts[piece_of(word)] = word
    return Vocabulary(tuple(texts))


class WordEncoder:
    """Stands where the real embedder stands. `delay`: seconds per document; `poison`: texts with it are refused."""

    def __init__(self, name: str = "words", *, delay: float = 0.0, poison: str = "") -> None:
        self.identity = ModelIdentity(name, "1", zlib.crc32(name.encode()).to_bytes(4, "big").hex() * 8)
        self.delay, self.poison = delay, poison
        self.broken: EmbedderUnavailable | None = None
        self.texts: list[str] = []
        self.starts = self.queries = 0
        self.closed = False

    def find(self) -> tuple[WordEncoder, Vocabulary]:
        """As an engine's `find_encoder`."""
        return self, vocabulary()

    async def start(self) -> ModelIdentity:
        self.starts += 1
        if self.broken is not None:
            raise self.broken
        return self.identity

    async def encode_documents(self, texts: Sequence[str]) -> list[Encoded]:
        await asyncio.sleep(self.delay * len(texts))
        if self.broken is not None:
            raise self.broken
        if self.poison and any(self.poison in text for text in texts):
            raise ValueError("cannot be encoded")
        self.texts += texts
        return [encoded(text, self.identity.name) for text in texts]

    async def encode_query(self, text: str) -> Encoded:
        self.queries += 1
        return encoded(text, self.identity.name)

    async def aclose(self) -> None:
        self.closed = True

    def golden(self) -> Golden | None:
        return None
