"""An answer as the page shows it: numbers that name a memory are links to it, and generated text says what it is."""

from __future__ import annotations

import asyncio
import json
import re

from PySide6.QtCore import QCoreApplication, QMimeData

from hivemind.domain.ask import AnswerEnd
from hivemind_desktop.widgets.markdown_text import pieces_of, render_markdown
from hivemind_desktop.widgets.words import fill

#: A place behind a number: `mind:memory/3`.
PLACE = "mind:memory/"
#: Marks generated text on the clipboard for programs that read it.
GENERATED = "application/x-hive-mind-generated+json"
_GROUP = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\](?!\()")


def answer_html(text: str, known: frozenset[int]) -> list[str]:
    """The answer in pieces of HTML. Numbers of `known` lead to their memory; others stay as they are."""

    def linked(match: re.Match[str]) -> str:
        numbers = [int(one) for one in re.split(r"\s*[,;]\s*", match[1])]
        if not all(one in known for one in numbers):
            return match[0]
        return "".join(f"[\\[{one}\\]]({PLACE}{one})" for one in numbers)

    return [render_markdown(_GROUP.sub(linked, piece)) for piece in pieces_of(text)]


async def answer_pieces(end: AnswerEnd) -> list[str]:
    """The same for a whole answer, rendered in a thread of its own: it is slow."""
    known = frozenset(one.number for one in end.citations)
    return await asyncio.to_thread(answer_html, end.text, known)


def number_of(place: str) -> int | None:
    """The number behind a pressed link."""
    tail = place.removeprefix(PLACE)
    return int(tail) if tail != place and tail.isdigit() else None


def copied(end: AnswerEnd) -> QMimeData:
    """The answer for the clipboard: its text with a line that says who wrote it, and a mark for programs."""
    line = QCoreApplication.translate("Ask", "(Written by the AI model %1.)")
    data = QMimeData()
    data.setText(f"{end.text.strip()}\n\n{fill(line, end.model)}")
    mark = {"generated": True, "model": end.model, "provider": end.provider, "turn": end.turn}
    data.setData(GENERATED, json.dumps(mark).encode())
    return data


def cost_words(cost: float | None, local: bool) -> str:
    """`free, local`, `$0.0042`, or that nobody knows."""
    if local:
        return QCoreApplication.translate("Ask", "free, local")
    if cost is None:
        return QCoreApplication.translate("Ask", "cost unknown")
    return fill(QCoreApplication.translate("Ask", "$%1"), f"{cost:.4f}")
