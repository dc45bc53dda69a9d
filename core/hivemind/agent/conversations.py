"""What was asked and answered before in the conversations of this run: kept in memory, within bounds."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field

from hivemind.domain.chat import ChatMessage, ChatRole

#: Conversations that are kept, turns of each, and characters of them that go along with the next question.
KEPT, TURNS, CHARACTERS = 50, 6, 12_000


@dataclass(slots=True)
class _Thread:
    turns: deque[tuple[str, str]] = field(default_factory=lambda: deque(maxlen=TURNS))
    trace_id: int | None = None


class Conversations:
    """The latest turns of each conversation; without the memories that were sent, which each turn recalls anew."""

    def __init__(self) -> None:
        self._threads: OrderedDict[str, _Thread] = OrderedDict()

    def add(self, conversation: str, question: str, answer: str, trace_id: int) -> None:
        thread = self._threads.setdefault(conversation, _Thread())
        thread.turns.append((question, answer))
        thread.trace_id = trace_id
        self._threads.move_to_end(conversation)
        while len(self._threads) > KEPT:
            self._threads.popitem(last=False)

    def last_trace(self, conversation: str) -> int | None:
        """The trace of the turn before; None at the beginning."""
        thread = self._threads.get(conversation)
        return None if thread is None else thread.trace_id

    def messages(self, conversation: str) -> tuple[ChatMessage, ...]:
        """The latest turns that fit, oldest first."""
        thread = self._threads.get(conversation)
        kept: list[ChatMessage] = []
        room = CHARACTERS
        for question, answer in reversed(thread.turns if thread else ()):
            room -= len(question) + len(answer)
            if room < 0:
                break
            kept = [ChatMessage(ChatRole.USER, question), ChatMessage(ChatRole.ASSISTANT, answer), *kept]
        return tuple(kept)
