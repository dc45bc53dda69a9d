"""The recipe `seed`: reciprocal rank fusion of all lanes × relevance, and nothing else.

Where no vectors take part the recipe `default` is the same score with one rule for summaries: an imported
conversation's I-frame repeats words of its messages. When the same search also finds messages of its own session, it
stands just below the last of them; when it alone matched, it keeps its place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hivemind.domain.frames import Importance
from hivemind.domain.search import LaneRank, Recipe, ScorePart
from hivemind.search.cjk_lane import cjk_lane
from hivemind.search.filters import IS_SUMMARY, MOMENT
from hivemind.search.fusion import Lane, fuse, rrf
from hivemind.search.keyword_lane import keyword_lane
from hivemind.search.lanes import LaneQuery
from hivemind.search.ranking import SUMMARY_PART, Account, Weighing, best_first
from hivemind.search.relevance import SIGNALS, Standing, Weighed
from hivemind.search.vector_lane import vector_lane
from hivemind.storage import Connection

#: Every lane there is. A new one is added here and feeds every recipe.
LANES: tuple[Callable[[LaneQuery], Lane], ...] = (keyword_lane, cjk_lane, vector_lane)

# Just below: enough to settle the order, too little to pass anything else of note.
_BELOW = 1.0 - 1e-6


class Candidate(NamedTuple):
    """A frame that some lane found. `score` = `fused` × `weighed.relevance` + `demotion` (zero or less)."""

    frame_id: int
    session_id: str
    summary: bool
    lanes: tuple[LaneRank, ...]
    fused: float
    weighed: Weighed
    score: float
    demotion: float = 0.0


@dataclass(frozen=True, slots=True)
class FusedRanking:
    """Candidates by their id; see `ranking.Ranking`."""

    candidates: Mapping[int, Candidate]
    order: Sequence[tuple[float, int]]
    cut: bool

    def account(self, frame_id: int) -> Account | None:
        """Each part is the fused ranks × the signal's weight × its value."""
        one = self.candidates.get(frame_id)
        if one is None:
            return None
        shares = zip(SIGNALS, one.weighed.shares, strict=True)
        parts = [ScorePart(name, one.fused * share) for name, share in shares]
        if one.demotion:
            parts.append(ScorePart(SUMMARY_PART, one.demotion))
        return Account(frame_id, one.score, one.lanes, tuple(parts), one.weighed)


def rank_seed(query: LaneQuery, weighing: Weighing) -> FusedRanking:
    """Search one mind within one transaction."""
    lanes = [lane(query) for lane in LANES]
    found = _weighed(query.connection, fuse(lanes), weighing)
    if weighing.recipe is not Recipe.SEED:
        found = _summaries_below(found)
    order = best_first([(one.score, one.frame_id) for one in found])
    return FusedRanking({one.frame_id: one for one in found}, order, any(lane.cut for lane in lanes))


def _weighed(connection: Connection, places: Mapping[int, tuple[LaneRank, ...]], weighing: Weighing) -> list[Candidate]:
    rows = connection.execute(
        f"SELECT f.id, f.gop_id, {IS_SUMMARY},"  # noqa: S608 - constants, bound values
        f" {MOMENT}, f.last_accessed, f.access_count, f.importance FROM memory_frames AS f"
        " JOIN sessions AS s ON s.gop_id = f.gop_id WHERE f.id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(places)),),
    )
    weigh, distances = weighing.weigher.weigh, weighing.distances
    found = []
    for frame_id, session_id, summary, moment, accessed, count, importance in rows:
        standing = Standing(str(moment), str(accessed), int(count), Importance(str(importance)))
        weighed = weigh(standing, distances.get(int(frame_id)))
        ranks = places[int(frame_id)]
        fused = rrf(ranks)
        score = fused * weighed.relevance
        found.append(Candidate(int(frame_id), str(session_id), bool(summary), ranks, fused, weighed, score))
    return found


def _summaries_below(found: Sequence[Candidate]) -> list[Candidate]:
    lowest: dict[str, float] = {}
    for one in found:
        if not one.summary:
            lowest[one.session_id] = min(one.score, lowest.get(one.session_id, one.score))
    settled = []
    for one in found:
        ceiling = lowest.get(one.session_id, 0.0) * _BELOW
        if one.summary and 0.0 < ceiling < one.score:
            one = one._replace(score=ceiling, demotion=ceiling - one.score)
        settled.append(one)
    return settled
