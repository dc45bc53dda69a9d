"""Relevance as an addend: the four signals of many frames at once, spread over a narrow band on top of a score.

Loads numpy, so it is imported on use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hivemind.domain.search import Profile
from hivemind.search.relevance import (
    CONTEXTUAL,
    FRESH_DAYS,
    HALF_LIFE_DAYS,
    IMPORTANCE,
    SIGNALS,
    Weigher,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: What lies between the most and the least relevant candidate. ±0.1 was measured to cost 3 points of recall@10.
SPREAD: Mapping[Profile, float] = {Profile.BALANCED: 0.05}
OTHER_SPREAD = 0.10
_LEVELS: Mapping[str, float] = {str(level): value for level, value in IMPORTANCE.items()}
# Below this the candidates are as good as equally relevant, and what is left is rounding.
_NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class Standings:
    """What the signals read of n frames; see `relevance.Standing`. `latest`: the later of moment and last use."""

    latest: Sequence[str]
    access_counts: Sequence[int]
    importances: Sequence[str]
    distances: Sequence[int | None]


def shares(standings: Standings, weigher: Weigher) -> NDArray[np.float64]:
    """float64[n, 4]: each signal times its weight, in the order of SIGNALS; equal to `Weigher.weigh(...).shares`."""
    now = np.datetime64(weigher.now.replace(tzinfo=None), "us")
    stamps = np.array([one[:-1] for one in standings.latest], "datetime64[us]")
    days = (now - stamps).astype(np.float64) / 86_400_000_000.0
    weights = weigher.weights
    weighted = np.empty((len(stamps), len(SIGNALS)))
    weighted[:, 0] = np.where(days <= FRESH_DAYS, 1.0, 0.5 ** (np.maximum(days, 0.0) / HALF_LIFE_DAYS))
    weighted[:, 1] = 1.0 + 0.1 * np.log10(1 + np.maximum(0, np.array(standings.access_counts, np.float64)))
    weighted[:, 2] = [0.0 if steps is None else CONTEXTUAL.get(steps, 0.0) for steps in standings.distances]
    weighted[:, 3] = [_LEVELS[level] for level in standings.importances]
    return weighted * (weights.temporal, weights.popularity, weights.contextual, weights.importance)


def addends(shares: NDArray[np.float64], profile: Profile) -> NDArray[np.float64]:
    """float64[n, 4], one column a signal; a row's sum is B · (relevance - mean) / (max - min) over the n frames."""
    relevance = shares.sum(axis=1)
    if not len(relevance) or np.ptp(relevance) < _NOTHING:
        return np.zeros_like(shares)
    band = SPREAD.get(profile, OTHER_SPREAD)
    spread: NDArray[np.float64] = band * (shares - shares.mean(axis=0)) / np.ptp(relevance)
    return spread
