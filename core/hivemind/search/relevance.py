"""The four relevance signals of the seed and the profiles that weigh them. Pure arithmetic."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from hivemind.clock import parse_stamp
from hivemind.domain.frames import Importance
from hivemind.domain.search import Profile, Signal

FRESH_DAYS = 7.0
HALF_LIFE_DAYS = 30.0
IMPORTANCE: Mapping[Importance, float] = {
    Importance.CRITICAL: 2.0,
    Importance.IMPORTANT: 1.5,
    Importance.NORMAL: 1.0,
    Importance.TEMPORARY: 0.7,
    Importance.DEPRECATED: 0.3,
}
CONTEXTUAL: Mapping[int, float] = {0: 1.0, 1: 0.7, 2: 0.4, 3: 0.2}
#: Their names, in the order of every tuple of four here.
SIGNALS = ("temporal", "popularity", "contextual", "importance")


@dataclass(frozen=True, slots=True)
class Weights:
    temporal: float
    popularity: float
    contextual: float
    importance: float


PROFILES: Mapping[Profile, Weights] = {
    Profile.BALANCED: Weights(0.4, 0.2, 0.2, 0.2),
    Profile.RECENT: Weights(0.6, 0.1, 0.2, 0.1),
    Profile.IMPORTANT: Weights(0.1, 0.1, 0.2, 0.6),
    Profile.CONNECTED: Weights(0.1, 0.1, 0.6, 0.2),
}


class Standing(NamedTuple):
    """What the signals read of a frame. `moment`: its event time, else when it was created; both are stamps."""

    moment: str
    last_accessed: str
    access_count: int
    importance: Importance


class Weighed(NamedTuple):
    """One frame's four values in the order of `Weigher.signals`, each times its weight, and their sum."""

    values: tuple[float, float, float, float]
    shares: tuple[float, float, float, float]
    relevance: float
    days: float
    standing: Standing
    distance: int | None


def weights_for(profile: Profile, *, with_graph: bool) -> Weights:
    """The profile's weights. Without graph distances the contextual weight is shared out over the other three."""
    full = PROFILES[profile]
    if with_graph:
        return full
    rest = 1.0 - full.contextual
    return Weights(full.temporal / rest, full.popularity / rest, 0.0, full.importance / rest)


@dataclass(frozen=True, slots=True)
class Weigher:
    """Weighs every candidate of one search alike. `now` is aware. `with_graph`: the caller gave graph distances."""

    weights: Weights
    now: datetime
    with_graph: bool

    @classmethod
    def of(cls, profile: Profile, now: datetime, *, with_graph: bool = False) -> Weigher:
        return cls(weights_for(profile, with_graph=with_graph), now, with_graph)

    def weigh(self, standing: Standing, distance: int | None = None) -> Weighed:
        """`distance`: steps in the graph; None = not in it."""
        days = age_days(standing, self.now)
        values = (
            temporal(days),
            popularity(standing.access_count),
            contextual(distance),
            IMPORTANCE[standing.importance],
        )
        weights = self.weights
        shares = (
            weights.temporal * values[0],
            weights.popularity * values[1],
            weights.contextual * values[2],
            weights.importance * values[3],
        )
        return Weighed(values, shares, math.fsum(shares), days, standing, distance)

    def signals(self, weighed: Weighed) -> tuple[Signal, ...]:
        """Temporal, popularity, contextual, importance: value, the weight in force, and why in words."""
        weights, values, standing = self.weights, weighed.values, weighed.standing
        uses = _uses_in_words(standing.access_count)
        steps = _steps_in_words(self.with_graph, weighed.distance)
        return (
            Signal("temporal", values[0], weights.temporal, _age_in_words(weighed.days)),
            Signal("popularity", values[1], weights.popularity, uses),
            Signal("contextual", values[2], weights.contextual, steps),
            Signal("importance", values[3], weights.importance, f"marked {standing.importance}"),
        )


def age_days(standing: Standing, now: datetime) -> float:
    """Days since the frame's event or since it was last opened, whichever is later. Negative for the future."""
    latest = max(standing.moment, standing.last_accessed)
    return (now - parse_stamp(latest)).total_seconds() / 86_400.0


def temporal(days: float) -> float:
    """1 up to seven days, then halved every thirty."""
    return 1.0 if days <= FRESH_DAYS else float(0.5 ** (days / HALF_LIFE_DAYS))


def popularity(access_count: int) -> float:
    return 1.0 + 0.1 * math.log10(1 + max(0, access_count))


def contextual(distance: int | None) -> float:
    """1, 0.7, 0.4, 0.2 at 0 to 3 steps in the graph; 0 beyond and for a frame that is not in it."""
    return 0.0 if distance is None else CONTEXTUAL.get(distance, 0.0)


def _age_in_words(days: float) -> str:
    if days <= 0:
        return "now or later"
    if days <= FRESH_DAYS:
        return "within the last 7 days"
    return f"{math.floor(days):,} days ago"


def _uses_in_words(count: int) -> str:
    return {0: "never opened", 1: "used once"}.get(count, f"used {count:,} times")


def _steps_in_words(with_graph: bool, distance: int | None) -> str:
    if not with_graph:
        return "not weighed: the query names nothing in the graph"
    if distance is None or distance > 3:
        return "more than 3 steps away in the graph"
    return {0: "named in the query", 1: "1 step away in the graph"}.get(distance, f"{distance} steps away in the graph")
