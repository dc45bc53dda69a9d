"""Where an expected frame ranked, or in words why it is not among the hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hivemind.domain.frames import Frame, FrameType, PatchKind
from hivemind.domain.search import Explanation, Recipe, WhyNot
from hivemind.mind import MindTransaction
from hivemind.search.explanation import Matcher, explain
from hivemind.search.filters import Condition
from hivemind.search.lanes import LaneQuery
from hivemind.search.ranking import Account, Ranking, Weighing
from hivemind.search.recipes import Choice, rank

#: So deep a lane is read to tell the place of a frame that matched but was not weighed.
DEEP_LIMIT = 10_000
_FOUND = "It is among the hits."


@dataclass(frozen=True, slots=True)
class Expected:
    """What one mind says of the frame. `known`: it holds it and may say so. `weighed`: it was a candidate here.

    `place`: where it would stand in this mind, when no lane brought it.
    """

    known: bool
    reason: str = ""
    weighed: bool = False
    explanation: Explanation | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Expectation:
    """Looks for one frame in one mind. `choice`: what really answered."""

    tx: MindTransaction
    query: LaneQuery
    weighing: Weighing
    matcher: Matcher
    choice: Choice

    def find(self, frame_id: int, ranking: Ranking) -> Expected:
        frame = self.tx.frames.find(frame_id)
        if frame is None or self._fails(frame_id, hidden=True) is not None:
            return Expected(known=False)
        reason = self._not_current(frame)
        if not reason and (failed := self._fails(frame_id, hidden=False)) is not None:
            reason = failed.reason
        if reason:
            return Expected(known=True, reason=reason)
        account = ranking.account(frame_id)
        if account is not None:
            return Expected(True, _FOUND, True, self._explain(account, frame))
        deeper = self._by_lanes(frame) if self.choice.recipe is Recipe.SEED else self._by_score(frame, ranking)
        return deeper or Expected(known=True, reason=self._no_word())

    def _by_lanes(self, frame: Frame) -> Expected | None:
        """For the recipe that only weighs what a lane found: where a lane has it, further down."""
        deep = rank(replace(self.query, limit=DEEP_LIMIT), self.weighing, self.choice)
        account = deep.account(frame.id)
        if account is not None:
            place = min(lane.rank for lane in account.lanes)
            reason = (
                f"It matches, but {place - 1:,} other memories match the words better;"
                f" only the first {self.query.limit:,} are weighed further. Add a word that is special to it."
            )
            return Expected(True, reason, explanation=self._explain(account, frame), place=place)
        if deep.cut and self.matcher.find(frame).words:
            return Expected(True, f"It matches, but more than {DEEP_LIMIT:,} other memories match the words better.")
        return None

    def _by_score(self, frame: Frame, ranking: Ranking) -> Expected | None:
        """Weighed as if a lane had brought it."""
        if self.query.parsed.empty:
            return None
        account = rank(self.query, self.weighing, self.choice, (frame.id,)).account(frame.id)
        assert account is not None
        place = 1 + sum(score > account.score for score, _ in ranking.order)
        reason = f"Neither its words nor its meaning are among the {self.query.limit:,} nearest to the query."
        if account.late is not None and account.late.estimated:
            reason = f"It has no vectors yet, and its words are not among the {self.query.limit:,} nearest."
        reason += f" Weighed all the same, it would stand at place {place:,}."
        return Expected(True, reason, explanation=self._explain(account, frame), place=place)

    def _explain(self, account: Account, frame: Frame) -> Explanation:
        return explain(account, self.weighing, self.matcher.find(frame).words, self.choice.recipe)

    def _not_current(self, frame: Frame) -> str:
        if frame.type is FrameType.B:
            return "It is a link between memories, and links are not searched."
        if frame.trashed_at is not None:
            return "It is in the trash. Restore it to find it again."
        if frame.patch_kind is PatchKind.RETRACT:
            return "It takes another memory back and has no text of its own to find."
        if frame.superseded_by is not None:
            newer = self.tx.frames.find(frame.superseded_by)
            if newer is not None and newer.patch_kind is PatchKind.RETRACT:
                return f"It was taken back by memory {newer.id}."
            return f"It was replaced by memory {frame.superseded_by}, which can be found instead."
        return ""

    def _fails(self, frame_id: int, *, hidden: bool) -> Condition | None:
        """The first condition of the search that the frame does not meet."""
        for condition in self.query.scope.conditions:
            sql = f"SELECT 1 FROM memory_frames AS f WHERE f.id = ? AND {condition.sql}"  # noqa: S608 - constant
            bindings = (frame_id, *condition.bindings)
            if condition.hidden is hidden and self.query.connection.execute(sql, bindings).fetchone() is None:
                return condition
        return None

    def _no_word(self) -> str:
        parsed = self.query.parsed
        if parsed.empty:
            return "The query holds no word to look for."
        words = ", ".join(f"“{term.text[:40]}”" for term in (*parsed.phrases, *parsed.terms)[:10])
        return f"No word of the query occurs in it: {words}."


def settle(
    frame_id: int, answers: Sequence[Expected], merged: Sequence[tuple[int, int]], workspaces: Sequence[str]
) -> WhyNot:
    """One answer from those of all minds. `merged`: (mind, frame id) of every candidate, best first."""
    for mind, answer in enumerate(answers):
        if answer.weighed:
            place = merged.index((mind, frame_id)) + 1
            return WhyNot(frame_id, place, answer.reason, answer.explanation)
    known = next((answer for answer in answers if answer.known), None)
    if known is not None:
        return WhyNot(frame_id, known.place, known.reason, known.explanation)
    if not workspaces:
        return WhyNot(frame_id, None, "No mind was searched. Choose one and search again.", None)
    places = ", ".join(f"“{workspace}”" for workspace in workspaces)
    where = f"the mind {places}" if len(workspaces) == 1 else f"the minds {places}"
    return WhyNot(frame_id, None, f"There is no memory {frame_id} in {where}. It may be in another mind.", None)
