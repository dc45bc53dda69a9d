"""What a person typed, taken apart: words, required phrases and filters. Every text is valid; none is an error."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from hivemind.domain.frames import Importance
from hivemind.domain.text import sanitise
from hivemind.search.dates import find_span
from hivemind.search.words import is_word_character, may_be_token, stop_words

MAX_CHARACTERS = 20_000
MAX_TERMS = 64
MAX_PHRASES = 8
_MAX_VARIANTS = 8

# A phrase is closed and begins where a word could begin: 3.5" is an inch, "3.5 is an open quote, both are words.
_PIECE = re.compile(
    r'(?P<prefix>[A-Za-z]+):"(?P<value>[^"]{1,500})"(?!\S)'
    r'|"(?P<straight>[^"]{1,500})"|“(?P<curly>[^”]{1,500})”|„(?P<low>[^“”]{1,500})[“”]|(?P<word>\S+)'
)
_FILTER = re.compile(r"(?P<prefix>[A-Za-z]+):(?P<value>\S+)")
_APOSTROPHES = "'’ʼ＇"
_POSSESSIVE = re.compile(rf"[{_APOSTROPHES}][sS]$")


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to find. `text`: as typed. `variants`: spellings that count as the same; any of them will do."""

    text: str
    variants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TypedFilters:
    """Filters written into the query. `since` is inclusive, `before` exclusive; both are stamps."""

    sources: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    importances: tuple[frozenset[Importance], ...] = ()
    since: str | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """`terms`: any may match. `phrases`: all must. `notes`: in words, what was left out or read differently.

    `text`: the query as a sentence, without the filters: what is embedded and asked for names and dates.
    """

    terms: tuple[Term, ...]
    phrases: tuple[Term, ...]
    filters: TypedFilters = field(default_factory=TypedFilters)
    notes: tuple[str, ...] = ()
    text: str = ""

    @property
    def empty(self) -> bool:
        return not self.terms and not self.phrases


def parse(text: str) -> ParsedQuery:
    """Take a query apart.

    `"closed quotes"` make a required phrase. Filters: `source:`, `session:`, `importance:critical,important`,
    `after:`/`since:` (from the start of the day, month or year), `before:` (earlier than its start), `until:`
    (up to its end). Any other `word:` is text, and so is a filter whose value means nothing.
    Stop words are left out unless there is nothing else.
    """
    notes: list[str] = []
    if len(text) > MAX_CHARACTERS:
        notes.append(f"Only the first {MAX_CHARACTERS:,} characters of the query were read.")
    typed = _Typed(notes)
    for piece in _PIECE.finditer(sanitise(text[:MAX_CHARACTERS])[0]):
        typed.take(piece)
    terms = _capped(typed.terms(), MAX_TERMS, "different words", notes)
    phrases = _capped(typed.phrases, MAX_PHRASES, "phrases", notes)
    return ParsedQuery(terms, phrases, typed.filters(), tuple(notes), typed.text)


def _capped(found: Iterable[Term], most: int, what: str, notes: list[str]) -> tuple[Term, ...]:
    first: dict[tuple[str, ...], Term] = {}
    for term in found:
        first.setdefault(term.variants, term)
        if len(first) > most:
            break
    distinct = tuple(first.values())
    if len(distinct) > most:
        notes.append(f"Only the first {most} {what} of the query were used.")
    return distinct[:most]


class _Typed:
    """Collects the pieces of one query."""

    def __init__(self, notes: list[str]) -> None:
        self.phrases: list[Term] = []
        self._notes = notes
        self._words: list[str] = []
        self._spoken: list[str] = []
        self._sources: list[str] = []
        self._sessions: list[str] = []
        self._importances: list[frozenset[Importance]] = []
        self._since: list[str] = []
        self._before: list[str] = []

    def take(self, piece: re.Match[str]) -> None:
        phrase = piece["straight"] or piece["curly"] or piece["low"]
        if phrase is not None:
            self._take_phrase(phrase)
        elif piece["prefix"] is not None:
            if not self._take_filter(piece["prefix"], piece["value"]):
                self._words.append(piece["prefix"])
                self._spoken.append(piece["prefix"])
                self._take_phrase(piece["value"])
        else:
            written = _FILTER.fullmatch(_without_marks(piece["word"]))
            if written is None or not self._take_filter(written["prefix"], written["value"]):
                self._words.append(piece["word"])
                self._spoken.append(piece["word"])

    @property
    def text(self) -> str:
        """What was typed and is no filter, in its order."""
        return " ".join(self._spoken)

    def _take_phrase(self, phrase: str) -> None:
        self._spoken.append(phrase.strip())
        core = _core(phrase)
        if core:
            self.phrases.append(Term(core, _variants(core)))

    def _take_filter(self, prefix: str, value: str) -> bool:
        name = prefix.lower()
        if name == "source":
            self._sources.append(value.lower())
        elif name == "session":
            self._sessions.append(value)
        elif name == "importance":
            return self._take_importance(value)
        elif name in {"before", "after", "since", "until"}:
            return self._take_date(name, value)
        else:
            return False
        return True

    def _take_importance(self, value: str) -> bool:
        try:
            self._importances.append(frozenset(Importance(part) for part in value.lower().split(",")))
        except ValueError:
            known = ", ".join(Importance)
            self._notes.append(f"“importance:{value[:40]}” was searched as words. Levels are {known}.")
            return False
        return True

    def _take_date(self, name: str, value: str) -> bool:
        span = find_span(value)
        if span is None:
            self._notes.append(f"“{name}:{value[:40]}” was searched as words. Write dates as 2025-06-30 or 2025-06.")
            return False
        if name == "before":
            self._before.append(span[0])
        elif name == "until":
            self._before.append(span[1])
        else:
            self._since.append(span[0])
        return True

    def filters(self) -> TypedFilters:
        return TypedFilters(
            tuple(dict.fromkeys(self._sources)),
            tuple(dict.fromkeys(self._sessions)),
            tuple(self._importances),
            max(self._since, default=None),
            min(self._before, default=None),
        )

    def terms(self) -> Iterator[Term]:
        cores = [core for core in map(_core, self._words) if core]
        telling = [core for core in cores if core.casefold() not in stop_words()]
        if not telling and not self.phrases:
            telling = cores
        return (term for core in telling for term in _terms(core))


def _core(chunk: str, belongs: Callable[[str], bool] = may_be_token) -> str:
    """The chunk without what stands around its words; empty when it holds no word."""
    inside = [place for place, character in enumerate(chunk) if belongs(character)]
    if all(unicodedata.category(chunk[place])[0] == "M" for place in inside):
        return ""
    return chunk[inside[0] : inside[-1] + 1]


def _terms(core: str) -> list[Term]:
    """`foo,bar` is a phrase of its parts, and each part that is a word of its own counts too."""
    parts = _parts(core)
    whole = Term(core, _variants(core))
    if len(parts) < 2:
        return [whole]
    single = [part for part in parts if len(part) > 1 and part.casefold() not in stop_words()]
    return [whole, *(Term(part, _variants(part)) for part in single if not part.isnumeric())]


def _parts(core: str) -> list[str]:
    groups = itertools.groupby(_without_marks(core), key=lambda c: is_word_character(c) or c in _APOSTROPHES)
    return [part for part in ("".join(group) for inside, group in groups if inside) if _core(part)]


def _variants(core: str) -> tuple[str, ...]:
    """Spellings that unicode61 keeps apart and people do not: marks left out, composed forms, ß and ss, Anna's."""
    spellings = [core, _without_marks(core), _core(core, is_word_character)]
    if _POSSESSIVE.search(core):
        spellings.append(_POSSESSIVE.sub("", core))
    spellings += [sharp for spelling in tuple(spellings) for sharp in _sharp_s(spelling)]
    if core.isascii():
        return tuple(dict.fromkeys(spellings))[:_MAX_VARIANTS]
    forms = [unicodedata.normalize(form, one) for one in spellings for form in ("NFC", "NFD", "NFKC")]
    return tuple(dict.fromkeys([core, *(one for one in (*spellings, *forms) if _core(one))]))[:_MAX_VARIANTS]


def _sharp_s(spelling: str) -> list[str]:
    if "ß" in spelling or "ẞ" in spelling:
        return [spelling.replace("ß", "ss").replace("ẞ", "SS")]
    lower = spelling.lower()
    if lower.count("ss") == 1:
        return [lower.replace("ss", "ß")]
    # Straßenschloss: the first may be sharp and the second not.
    return [lower.replace("ss", "ß", 1), lower.replace("ss", "ß")] if "ss" in lower else []


def _without_marks(text: str) -> str:
    """Without the invisible: zero-width and bidi marks, soft hyphens."""
    return text if text.isascii() else "".join(c for c in text if unicodedata.category(c) != "Cf")
