"""What is looked for: words whatever their capitals, and passages of the texts that go, wherever a copy stands."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable

#: Shorter passages stand in too many texts by chance.
SHORTEST_PASSAGE = 16
#: Fewer characters are no words to erase by.
SHORTEST_WORDS = 3


class Needles:
    """`words`: patterns of a person. `passages`: whole texts that go; copies of them are found by their beginning."""

    def __init__(self, words: Iterable[str] = (), *, whole: bool = False) -> None:
        self.words = tuple(words)
        self.whole = whole
        self._pattern = _pattern(self.words, whole)
        self._passages: dict[str, set[str]] = {}

    def add_passages(self, texts: Iterable[str]) -> None:
        """Copies of these texts are matched by `copied`; those shorter than SHORTEST_PASSAGE are passed over."""
        for text in texts:
            for form in _written(text.strip()):
                if len(form) >= SHORTEST_PASSAGE:
                    self._passages.setdefault(form[:SHORTEST_PASSAGE], set()).add(form)

    def spoken(self, text: str) -> bool:
        """Whether the words stand in the text."""
        return self._pattern is not None and self._pattern.search(text) is not None

    def spellings(self, text: str) -> set[str]:
        """The words as they are written in this text."""
        return set() if self._pattern is None else {found.group() for found in self._pattern.finditer(text)}

    def copied(self, text: str) -> bool:
        """Whether the words or a whole passage stand in the text."""
        if self.spoken(text):
            return True
        if not self._passages:
            return False
        for at in range(len(text) - SHORTEST_PASSAGE + 1):
            forms = self._passages.get(text[at : at + SHORTEST_PASSAGE])
            if forms and any(text.startswith(form, at) for form in forms):
                return True
        return False


def digest(salt: str, value: str) -> str:
    """32 hexadecimal digits that tell whether a place still holds the same text, without the text."""
    return hashlib.sha256(f"{salt}\0{value}".encode("utf-8", "replace")).hexdigest()[:32]


def _pattern(words: tuple[str, ...], whole: bool) -> re.Pattern[str] | None:
    forms = {form for word in words for form in _spelled(word)}
    if not forms:
        return None
    joined = "|".join(sorted(forms, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)" if whole else joined, re.IGNORECASE)


def _spelled(word: str) -> set[str]:
    found = set()
    for form in ("NFC", "NFD"):
        parts = unicodedata.normalize(form, word.strip()).split()
        if parts:
            found.add(r"(?:\s|\\[nt])+".join("".join(map(_character, part)) for part in parts))
    return found


def _character(character: str) -> str:
    """A character in both cases, as it is and as JSON may write it: `Ü`, `\\u00dc` and `\\u00fc` are one."""
    written = {form for case in (character, character.lower(), character.upper()) for form in _written(case)}
    if written == {character.lower(), character.upper()} or len(written) == 1:
        return re.escape(character)
    return f"(?:{'|'.join(map(re.escape, sorted(written, key=len, reverse=True)))})"


def _written(text: str) -> set[str]:
    """As it is, and as it stands inside JSON."""
    return {text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]}
