"""Reciprocal rank fusion: several ranked lanes become one score per frame. New lanes feed this, nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hivemind.domain.search import LaneRank

#: Cormack et al. 2009; the seed's constant. Ranks count from 1.
K = 60


@dataclass(frozen=True, slots=True)
class Lane:
    """What one lane found, best first: (frame id, the lane's own number). `cut`: more matched than were taken."""

    name: str
    found: tuple[tuple[int, float], ...]
    cut: bool = False


def fuse(lanes: Sequence[Lane]) -> dict[int, tuple[LaneRank, ...]]:
    """Every frame of any lane with its place in each lane that found it. A frame counts once per lane."""
    places: dict[int, dict[str, LaneRank]] = {}
    for lane in lanes:
        for rank, (frame_id, raw) in enumerate(lane.found, start=1):
            places.setdefault(frame_id, {}).setdefault(lane.name, LaneRank(lane.name, rank, raw))
    return {frame_id: tuple(ranks.values()) for frame_id, ranks in places.items()}


def rrf(ranks: Iterable[LaneRank]) -> float:
    """Σ 1 / (60 + rank)."""
    return sum(1.0 / (K + place.rank) for place in ranks)
