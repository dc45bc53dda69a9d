"""Which frames a search may see at all: visibility, audience and filters as bound SQL conditions with their reasons.

The same conditions act inside every lane (a filter after the first hundred would lose hits) and, one by one, tell
why an expected frame is not among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hivemind.domain.frames import Importance, Provenance
from hivemind.domain.search import SearchRequest
from hivemind.search.dates import span_of
from hivemind.search.query import Term, TypedFilters
from hivemind.search.words import Tokeniser

#: When it happened, else when it was written down. `f` is a frame.
MOMENT = "coalesce(f.event_at, f.created_at)"
#: An imported conversation's first frame, which repeats words of its messages. `s` is the frame's session.
IS_SUMMARY = "f.frame_type = 'I' AND f.origin <> 'save' AND s.kind <> 'notes'"
_PROVENANCES = frozenset(Provenance)


@dataclass(frozen=True, slots=True)
class Condition:
    """A constant piece of SQL over `f` with its bindings; `reason` in words when a frame fails it.

    `hidden`: whoever asks must not even learn that the frame exists.
    """

    sql: str
    bindings: tuple[Any, ...]
    reason: str
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """All conditions of one search. `where` and `bindings` belong together, in this order."""

    conditions: tuple[Condition, ...]

    @property
    def where(self) -> str:
        return "".join(f" AND {condition.sql}" for condition in self.conditions)

    @property
    def bindings(self) -> tuple[Any, ...]:
        return tuple(value for condition in self.conditions for value in condition.bindings)

    def with_conditions(self, more: Iterable[Condition]) -> Scope:
        return Scope((*self.conditions, *more))


def scope_of(request: SearchRequest, typed: TypedFilters) -> Scope:
    """The request's filters and those typed into the query, both in force. Raises InvalidDate."""
    return Scope((*_audience(request), *_places(request, typed), *_times(request, typed), *_kinds(request, typed)))


def _audience(request: SearchRequest) -> Iterator[Condition]:
    who = request.audience
    if who.kind != "owner":
        yield Condition("f.quarantine IS NULL", (), "It is held back until you release it.", hidden=True)
    if who.kind == "client":
        # What an app wrote under an agent's name it keeps to itself; what it wrote for the person is everyone's.
        yield Condition(
            "(f.agent_id IS NULL OR f.client IS NULL OR f.client = ?)",
            (who.client,),
            "Another app keeps it to itself.",
            hidden=True,
        )
    if request.agent_id is not None:
        yield Condition(
            "(f.agent_id IS NULL OR f.agent_id = ?)", (request.agent_id,), "It belongs to another agent.", hidden=True
        )


def _places(request: SearchRequest, typed: TypedFilters) -> Iterator[Condition]:
    asked = (request.filters.session_id,) if request.filters.session_id is not None else ()
    for session in (*asked, *typed.sessions):
        yield Condition("f.gop_id = ?", (session,), f"Filtered out: it is not in the session “{session}”.")
    wanted = (request.filters.source.lower(),) if request.filters.source is not None else ()
    for source in dict.fromkeys((*wanted, *typed.sources)):
        reason = f"Filtered out: it does not come from “{source}”."
        if source in _PROVENANCES:
            yield Condition("f.source = ?", (source,), reason)
        else:
            yield Condition("f.gop_id IN (SELECT gop_id FROM sessions WHERE lower(source) = ?)", (source,), reason)


def _times(request: SearchRequest, typed: TypedFilters) -> Iterator[Condition]:
    since = [span_of(request.filters.since)[0]] if request.filters.since is not None else []
    before = [span_of(request.filters.until)[1]] if request.filters.until is not None else []
    since += [typed.since] if typed.since is not None else []
    before += [typed.before] if typed.before is not None else []
    if since:
        yield Condition(f"{MOMENT} >= ?", (max(since),), f"Filtered out: it is from before {max(since)[:10]}.")
    if before:
        reason = "Filtered out: it is later than the time that was asked for."
        yield Condition(f"{MOMENT} < ?", (min(before),), reason)


def _kinds(request: SearchRequest, typed: TypedFilters) -> Iterator[Condition]:
    levels = [frozenset(request.filters.importances)] if request.filters.importances else []
    for allowed in (*levels, *typed.importances):
        ordered = [level for level in Importance if level in allowed]
        reason = f"Filtered out: it is not marked {' or '.join(ordered)}."
        yield Condition(f"f.importance IN ({_marks(ordered)})", tuple(ordered), reason)
    if request.filters.types:
        types = tuple(dict.fromkeys(request.filters.types))
        reason = f"Filtered out: it is not of type {' or '.join(types)}."
        yield Condition(f"f.frame_type IN ({_marks(types)})", types, reason)
    if request.filters.pinned is not None:
        reason = "Filtered out: it is not pinned." if request.filters.pinned else "Filtered out: it is pinned."
        yield Condition("f.pinned = ?", (int(request.filters.pinned),), reason)


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def quoted(tokenise: Tokeniser, terms: Iterable[Term]) -> list[str]:
    """FTS5 strings for every spelling of the terms that leaves a token; spellings with equal tokens count once.

    Always in double quotes with inner quotes doubled, so no operator, column or star of FTS5 can be written.
    """
    distinct: dict[tuple[str, ...], str] = {}
    for term in terms:
        for variant in term.variants:
            stems = tuple(word.stem for word in tokenise(variant))
            if stems:
                distinct.setdefault(stems, '"' + variant.replace('"', '""') + '"')
    return list(distinct.values())
