"""The vector lane: frames whose meaning is nearest to the query's, by the cosine of their pooled vectors."""

from __future__ import annotations

from hivemind.search.fusion import Lane
from hivemind.search.lanes import LANE_LIMIT, LaneQuery

NAME = "vector"


def vector_lane(query: LaneQuery) -> Lane:
    """The nearest frames that the scope lets be seen, at most `query.limit` and LANE_LIMIT. `raw` is the cosine.

    Everything is near to some degree, so that there were more is not said.
    """
    if query.meaning is None:
        return Lane(NAME, ())
    limit = min(query.limit, LANE_LIMIT)
    return Lane(NAME, tuple(query.meaning.nearest(limit, query.scope.where, query.scope.bindings)))
