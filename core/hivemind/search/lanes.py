"""What every lane is given, and the rules that hold in all of them: current frames only, phrases are required."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hivemind.domain.scripts import has_unspaced_script
from hivemind.search.filters import Condition, Scope, quoted
from hivemind.search.meaning import Meaning
from hivemind.search.query import ParsedQuery
from hivemind.search.words import Tokeniser, tokeniser
from hivemind.storage import Connection

#: Frames that one lane hands to the fusion.
LANE_LIMIT = 100


@dataclass(frozen=True, slots=True)
class LaneQuery:
    """One query in one mind, within one transaction. `scope` already holds the required phrases.

    `by_words`: whether words alone may find a frame. `meaning`: the query's vectors, None = nothing is found by them.
    """

    connection: Connection
    parsed: ParsedQuery
    tokenise: Tokeniser
    scope: Scope
    limit: int = LANE_LIMIT
    by_words: bool = True
    meaning: Meaning | None = None


def lane_query(
    connection: Connection,
    parsed: ParsedQuery,
    scope: Scope,
    limit: int = LANE_LIMIT,
    *,
    by_words: bool = True,
    meaning: Meaning | None = None,
) -> LaneQuery:
    """Bind a parsed query to a mind."""
    tokenise = tokeniser(connection)
    required = tuple(_phrases(parsed, tokenise))
    return LaneQuery(connection, parsed, tokenise, scope.with_conditions(required), limit, by_words, meaning)


def _phrases(parsed: ParsedQuery, tokenise: Tokeniser) -> Iterator[Condition]:
    for phrase in parsed.phrases:
        reason = f"It does not contain the phrase “{phrase.text}”."
        if has_unspaced_script(phrase.text):
            # unicode61 keeps a whole run of such script as one token, so the letters themselves are compared.
            yield Condition(
                "f.id IN (SELECT rowid FROM memory_frames_cjk WHERE instr(lower(content), lower(?)) > 0)",
                (phrase.text,),
                reason,
            )
        elif spellings := quoted(tokenise, [phrase]):
            yield Condition(
                "f.id IN (SELECT rowid FROM memory_frames_fts WHERE memory_frames_fts MATCH ?)",
                (" OR ".join(spellings),),
                reason,
            )
