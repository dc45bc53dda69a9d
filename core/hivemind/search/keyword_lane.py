"""The keyword lane: FTS5, any of the quoted words, best bm25 first."""

from __future__ import annotations

from hivemind.search.filters import quoted
from hivemind.search.fusion import Lane
from hivemind.search.lanes import LaneQuery

NAME = "keyword"

# CROSS JOIN fixes the order: FTS5 walks its matches by rank and each is checked as it comes, until the limit.
_FOUND = (
    "SELECT f.id, memory_frames_fts.rank FROM memory_frames_fts"
    " CROSS JOIN current_frames AS f ON f.id = memory_frames_fts.rowid"
    " WHERE memory_frames_fts MATCH ?"
)
_BEST = " ORDER BY memory_frames_fts.rank LIMIT ?"


def keyword_lane(query: LaneQuery) -> Lane:
    """Frames that hold any of the words (and every phrase), at most `query.limit`. `raw` is bm25: lower is better."""
    spellings = quoted(query.tokenise, (*query.parsed.phrases, *query.parsed.terms))
    if not spellings or not query.by_words:
        return Lane(NAME, ())
    bindings = (" OR ".join(spellings), *query.scope.bindings, query.limit + 1)
    rows = list(query.connection.execute(f"{_FOUND}{query.scope.where}{_BEST}", bindings))
    # Equal ranks: the younger frame first, so that the order never depends on how SQLite sorted.
    found = sorted(((int(frame_id), float(raw)) for frame_id, raw in rows[: query.limit]), key=_best_then_youngest)
    return Lane(NAME, tuple(found), cut=len(rows) > query.limit)


def _best_then_youngest(row: tuple[int, float]) -> tuple[float, int]:
    return row[1], -row[0]
