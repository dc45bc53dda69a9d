"""The answer of the recipe `default` and of its fallback: columns of addends, and how a frame's score came about.

Loads numpy, so it is imported on use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hivemind.domain.search import LaneRank, LateMatch, PieceMatch, ScorePart
from hivemind.mind.vectors import TokenBlock
from hivemind.search.cues import Cues
from hivemind.search.late_interaction import Interaction, best_tokens
from hivemind.search.meaning import Meaning
from hivemind.search.passage import Passage
from hivemind.search.ranking import Account, Weighing, best_first

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]

# int8 rows are read back with this error; what differs by more did not come from a token.
_ROUNDING = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class QueryTokens:
    """The query's t tokens: vectors float32[t, 64], their pieces, and what each counts (float64[t], sum 1)."""

    vectors: NDArray[np.float32]
    pieces: tuple[int, ...]
    weights: Doubles


@dataclass(frozen=True, slots=True, eq=False)
class LateArrays:
    """What the interaction was made of. `speaker`: the name of whom the query names, or ''."""

    meaning: Meaning
    tokens: QueryTokens
    block: TokenBlock
    told: Interaction
    cues: Cues
    speaker: str
    answers: dict[int, tuple[NDArray[np.int64], NDArray[np.float32]]] = field(default_factory=dict)

    def match_of(self, at: int, passage: Passage) -> LateMatch:
        """The best-matching pieces of the candidate in row `at`."""
        pieces = sorted(self._pieces(at, passage), key=lambda one: -one.weight * one.similarity)
        score = float(self.told.addends["window"][at])
        return LateMatch(score, float(self.told.own[at]), tuple(pieces), not bool(self.block.stored[at]))

    def _pieces(self, at: int, passage: Passage) -> Iterator[PieceMatch]:
        asked = self.meaning.embedder.piece_texts(self.tokens.pieces)
        for t, weight in enumerate(self.tokens.weights.tolist()):
            similarity = float(self.told.best[at, t])
            if weight > 0 and similarity > 0:
                lender = int(self.told.carrier[at, t])
                offset = int(passage.place[lender] - passage.place[at])
                found = self._found(lender, t)
                yield PieceMatch(asked[t], found, weight, similarity, passage.rows[lender].frame_id, offset)

    def _found(self, row: int, t: int) -> str:
        """The stored piece that made the match, '' when exact words made it."""
        if row not in self.answers:
            if not self.block.lengths[row]:
                return ""
            first = int(self.block.lengths[:row].sum())
            end = first + int(self.block.lengths[row])
            rows, cosines = best_tokens(self.block.tokens[first:end], self.tokens.vectors)
            self.answers[row] = self.block.pieces[first + rows], cosines
        pieces, cosines = self.answers[row]
        if float(self.told.match[row, t]) > float(cosines[t]) + _ROUNDING:
            return ""
        return self.meaning.embedder.piece_texts([int(pieces[t])])[0]


@dataclass(frozen=True, eq=False)
class LateRanking:
    """See `ranking.Ranking`. `columns`: addends float64[n] by the name of their part; `late` None for the fallback."""

    passage: Passage
    found: Mapping[int, tuple[LaneRank, ...]]
    cut: bool
    columns: Mapping[str, Doubles]
    weighing: Weighing
    late: LateArrays | None

    @cached_property
    def score(self) -> Doubles:
        """float64[n]"""
        return np.asarray(np.sum(list(self.columns.values()), axis=0), np.float64)

    @cached_property
    def order(self) -> Sequence[tuple[float, int]]:
        ids = [row.frame_id for row in self.passage.rows]
        return best_first(list(zip(self.score.tolist(), ids, strict=True)))

    @cached_property
    def _at(self) -> Mapping[int, int]:
        return {row.frame_id: at for at, row in enumerate(self.passage.rows)}

    def account(self, frame_id: int) -> Account | None:
        """The columns that say anything of this frame, its best-matching pieces and its cues."""
        at = self._at.get(frame_id)
        if at is None:
            return None
        parts = tuple(ScorePart(name, float(column[at])) for name, column in self.columns.items() if column[at])
        facts = self.passage.rows[at]
        weighed = self.weighing.weigher.weigh(facts.standing, self.weighing.distances.get(frame_id))
        late = None if self.late is None else self.late.match_of(at, self.passage)
        cues = () if self.late is None else tuple(self._cues(at, self.late))
        return Account(frame_id, float(self.score[at]), self.found.get(frame_id, ()), parts, weighed, late, cues)

    def _cues(self, at: int, late: LateArrays) -> Iterator[str]:
        said = {name for name, column in self.columns.items() if column[at]}
        if "speaker" in said:
            yield f"said by {late.speaker}, whom the query names"
        if "when" in said:
            yield "holds a time, which the query asks for"
        elif "time" in said:
            yield "holds a time"
        if "name" in said:
            yield "holds a name, which the query may ask for"
        if "reply" in said:
            yield "follows a question"
        if "date" in said and late.cues.window is not None:
            yield f"from the time of “{late.cues.window.text}”"
