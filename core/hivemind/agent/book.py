"""The numbered memories of one turn: those that were sent and those that tools found, each under one number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hivemind.agent.cards import fenced, line, numbered, screened
from hivemind.agent.frames_seen import Seen
from hivemind.domain.ask import RecalledCard
from hivemind.errors import FrameNotFound

#: Characters that one tool may answer with.
RESULT_LIMIT = 8_000
_CUT = "(There is more than fits here.)"


class CardBook:
    """Numbers go on from the highest that was prepared, also of cards that were left out: a number means one thing."""

    def __init__(self, sent: Sequence[RecalledCard], highest: int) -> None:
        self.cards = list(sent)
        self._next = highest + 1

    def card(self, number: int) -> RecalledCard:
        """Raises FrameNotFound for a number that was not given out."""
        for card in self.cards:
            if card.number == number:
                return card
        raise FrameNotFound(
            f"There is no memory with the number {number} here", "Use a number that stands in square brackets."
        )

    def told(self, found: Sequence[Seen], *, whole: bool = False) -> str:
        """Found memories as fenced lines, with their numbers. `whole`: their full text. Held ones are only counted."""
        kept, held = screened(found)
        lines = [line(self._entered(one, whole)) for one in kept]
        text = fenced(within(lines, RESULT_LIMIT)) or "Nothing was found."
        return text + (f"\n{len(held)} held back: they read like orders to an AI." if held else "")

    def _entered(self, one: Seen, whole: bool) -> RecalledCard:
        known = next(
            (card for card in self.cards if (card.workspace, card.frame_id) == (one.workspace, one.frame.id)), None
        )
        if known is None:
            [known] = numbered([one], first=self._next)
            self._next += 1
            self.cards.append(known)
        return replace(known, text=one.text) if whole else known


def within(lines: Sequence[str], limit: int) -> list[str]:
    """The lines that fit into `limit` characters; a first one that is too long is cut."""
    kept: list[str] = []
    for one in lines:
        room = limit - sum(map(len, kept))
        if len(one) > room:
            return [*kept, _CUT] if kept else [one[: room - 1] + "…", _CUT]
        kept.append(one)
    return kept
