"""One mind's answer before it is dressed: lanes, fusion, relevance, one score per frame, best first.

The rule for summaries: an imported conversation's I-frame repeats words of its messages. When the same search also
finds messages of its own session, it stands just below the last of them; when it alone matched, it keeps its place.
The explicit recipe `seed` knows no such rule: there a score is RRF × relevance and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from hivemind.domain.frames import Importance
from hivemind.domain.search import LaneRank, Recipe, SearchRequest
from hivemind.search.cjk_lane import cjk_lane
from hivemind.search.filters import MOMENT
from hivemind.search.fusion import Lane, fuse, rrf
from hivemind.search.keyword_lane import keyword_lane
from hivemind.search.lanes import LaneQuery
from hivemind.search.relevance import Standing, Weighed, Weigher
from hivemind.storage import Connection

#: Every lane there is. A new one is added here and feeds the same fusion.
LANES: tuple[Callable[[LaneQuery], Lane], ...] = (keyword_lane, cjk_lane)

# Just below: enough to settle the order, too little to pass anything else of note.
_BELOW = 1.0 - 1e-6


@dataclass(frozen=True, slots=True)
class Weighing:
    """How the candidates of one search are weighed. `distances`: steps in the graph by frame id."""

    recipe: Recipe
    weigher: Weigher
    distances: Mapping[int, int]

    @classmethod
    def of(cls, request: SearchRequest, now: datetime, *, first_mind: bool = True) -> Weighing:
        """Graph distances name frames of the first mind; others stand outside the graph, under the same weights."""
        weigher = Weigher.of(request.profile, now, with_graph=bool(request.graph_distances))
        return cls(request.recipe, weigher, dict(request.graph_distances) if first_mind else {})


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
class Ranking:
    """Candidates, best first. `cut`: some lane had more than it may hand on."""

    candidates: tuple[Candidate, ...]
    cut: bool


def rank(query: LaneQuery, weighing: Weighing) -> Ranking:
    """Search one mind within one transaction."""
    lanes = [lane(query) for lane in LANES]
    found = _weighed(query.connection, fuse(lanes), weighing)
    if weighing.recipe is not Recipe.SEED:
        found = _summaries_below(found)
    return Ranking(tuple(sorted(found, key=order)), any(lane.cut for lane in lanes))


def order(candidate: Candidate) -> tuple[float, int]:
    """Best score first; of equal ones the frame written last."""
    return -candidate.score, -candidate.frame_id


def _weighed(connection: Connection, places: Mapping[int, tuple[LaneRank, ...]], weighing: Weighing) -> list[Candidate]:
    rows = connection.execute(
        f"SELECT f.id, f.gop_id, f.frame_type = 'I' AND f.origin <> 'save' AND s.kind <> 'notes',"  # noqa: S608
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
