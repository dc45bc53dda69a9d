"""The numbers in an answer, resolved to the memories that were sent under them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hivemind.domain.ask import Citation, RecalledCard

# [3], [1, 4] or [2][5]; not a link's [text](…), and no number of more than four digits.
_GROUP = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\](?!\()")


def numbers_in(text: str) -> list[int]:
    """Every cited number, each once, in order."""
    found = [int(one) for group in _GROUP.findall(text) for one in re.split(r"\s*[,;]\s*", group)]
    return list(dict.fromkeys(found))


def resolve(text: str, sent: Sequence[RecalledCard]) -> tuple[tuple[Citation, ...], tuple[int, ...]]:
    """The citations of an answer, and the numbers that name nothing that was sent."""
    known = {card.number: card for card in sent}
    citations, unknown = [], []
    for number in numbers_in(text):
        card = known.get(number)
        if card is None:
            unknown.append(number)
        else:
            citations.append(Citation(number, card.workspace, card.frame_id))
    return tuple(citations), tuple(unknown)
