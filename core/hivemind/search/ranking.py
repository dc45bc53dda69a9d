"""What every recipe gives: candidates best first, and for each an account of how it came to its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from hivemind.domain.search import LaneRank, LateMatch, Profile, Recipe, ScorePart, SearchRequest
from hivemind.search.relevance import Weighed, Weigher

#: The addend that puts a summary below its own messages.
SUMMARY_PART = "summary"


@dataclass(frozen=True, slots=True)
class Weighing:
    """How the candidates of one search are weighed. `distances`: steps in the graph by frame id.

    `recipe`: the one asked for. Where no vectors take part, `default` is the seed's score and a rule for summaries.
    """

    recipe: Recipe
    profile: Profile
    weigher: Weigher
    distances: Mapping[int, int]

    @classmethod
    def of(cls, request: SearchRequest, now: datetime, *, first_mind: bool = True) -> Weighing:
        """Graph distances name frames of the first mind; others stand outside the graph, under the same weights."""
        weigher = Weigher.of(request.profile, now, with_graph=bool(request.graph_distances))
        return cls(request.recipe, request.profile, weigher, dict(request.graph_distances) if first_mind else {})


class Account(NamedTuple):
    """One candidate's score taken apart. The sum over `parts` is `score`."""

    frame_id: int
    score: float
    lanes: tuple[LaneRank, ...]
    parts: tuple[ScorePart, ...]
    weighed: Weighed
    late: LateMatch | None = None
    cues: tuple[str, ...] = ()


class Ranking(Protocol):
    """One mind's candidates. Valid within the transaction that it was made in."""

    @property
    def order(self) -> Sequence[tuple[float, int]]:
        """(score, frame id), best first; of equal ones the frame written last."""

    @property
    def cut(self) -> bool:
        """Whether some lane had more than it may hand on."""

    def account(self, frame_id: int) -> Account | None:
        """None for a frame that is no candidate."""


def best_first(scored: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    return sorted(scored, key=lambda one: (-one[0], -one[1]))
