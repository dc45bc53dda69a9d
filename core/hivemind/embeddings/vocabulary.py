"""A model's word pieces: how they are written, and which of them carry meaning."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hivemind.embeddings.refusals import refuse
from hivemind.paths import resource_path

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# How tokenisers mark a piece that begins a word. WordPiece marks the others, with ##, and those are kept as they are.
_WORD_STARTS = "\N{LOWER ONE EIGHTH BLOCK}\N{LATIN CAPITAL LETTER G WITH DOT ABOVE}"


class Vocabulary:
    """`texts` by piece id, '' for an id that is not used."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self.texts = texts

    @classmethod
    def read(cls, folder: Path) -> Vocabulary:
        """Out of a folder's `tokenizer.json`, of any kind of tokeniser. Raises EmbedderUnavailable."""
        try:
            told = json.loads((folder / "tokenizer.json").read_text("utf-8"))
            numbered = _numbered(told)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise refuse("tokenizer.json has no list of pieces", "Check that it is complete.") from error
        texts = [""] * (max(numbered, default=-1) + 1)
        for piece, text in numbered.items():
            texts[piece] = text
        return cls(tuple(texts))

    def piece_texts(self, pieces: Iterable[int]) -> tuple[str, ...]:
        """The pieces as the vocabulary writes them, '' for an unknown one."""
        return tuple(self.texts[piece] if 0 <= piece < len(self.texts) else "" for piece in pieces)

    def content_pieces(self) -> NDArray[np.bool_]:
        """bool by piece id: neither a stop word nor punctuation. The one rule for stored rows and for queries."""
        import numpy as np

        stop = stop_pieces()
        return np.fromiter((is_content(text, stop) for text in self.texts), np.bool_, len(self.texts))


def is_content(text: str, stop: frozenset[str]) -> bool:
    """Whether a piece carries meaning: it holds a letter or digit and is no stop word. `##s` continues a word."""
    word = text.lstrip(_WORD_STARTS)
    return word.lower() not in stop and any(letter.isalnum() for letter in word)


@lru_cache(maxsize=1)
def stop_pieces() -> frozenset[str]:
    """The bundled list, as the constants of the ranking were measured with it."""
    lines = resource_path("words", "stop-pieces-en.txt").read_text("utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def _numbered(told: dict[str, Any]) -> dict[int, str]:
    listed = told["model"]["vocab"]
    if isinstance(listed, dict):
        numbered = {int(piece): str(text) for text, piece in listed.items()}
    else:
        numbered = {piece: str(entry[0]) for piece, entry in enumerate(listed)}
    return numbered | {int(one["id"]): str(one["content"]) for one in told.get("added_tokens") or ()}
