"""Words as the full-text index sees them: its own tokeniser with character positions, and the stop words."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple, cast

import apsw

from hivemind.paths import resource_path
from hivemind.storage import Connection


class Word(NamedTuple):
    """One token of a text: characters start..end (end exclusive), and the stem that the index keeps."""

    start: int
    end: int
    stem: str


Tokeniser = Callable[[str], list[Word]]


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    """The bundled list of English function words, lower case."""
    lines = resource_path("words", "stop-words-en.txt").read_text("utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def tokeniser(connection: Connection) -> Tokeniser:
    """The tokeniser of `memory_frames_fts` (porter over unicode61), taken from SQLite itself, never imitated."""
    native = connection.fts5_tokenizer("porter", ["unicode61"])

    def words(text: str) -> list[Word]:
        data = text.encode("utf-8", "replace")
        found = cast(list[tuple[int, int, str]], native(data, apsw.FTS5_TOKENIZE_DOCUMENT, None))
        place = _character_places(data, text)
        return [Word(place(start), place(end), stem) for start, end, stem in found]

    return words


def _character_places(data: bytes, text: str) -> Callable[[int], int]:
    """Maps byte offsets to character offsets. Offsets must be asked for in growing order."""
    if len(data) == len(text):
        return lambda offset: offset
    seen = [0, 0]

    def place(offset: int) -> int:
        # A token never starts before the last one ended, so each stretch is decoded once.
        seen[1] += len(data[seen[0] : offset].decode("utf-8", "replace"))
        seen[0] = offset
        return seen[1]

    return place


def stems(words: Iterable[Word]) -> tuple[str, ...]:
    return tuple(word.stem for word in words)


def is_word_character(character: str) -> bool:
    """True for what belongs to a word: letters, numbers, private use; and marks, which ride along."""
    category = unicodedata.category(character)
    return category[0] in "LNM" or category == "Co"


def may_be_token(character: str) -> bool:
    """True for whatever unicode61 may take into a token, and for some more.

    Its tables are older than Python's: what they do not know (young scripts, emoji and bidi marks) it keeps. Nothing
    younger than Unicode 3.2 is therefore cut off a word before SQLite has seen it.
    """
    return is_word_character(character) or unicodedata.ucd_3_2_0.category(character) == "Cn"
