"""Claude's data export: conversations (an array, or one object per file), projects with their documents, memories."""

from __future__ import annotations

from collections.abc import Iterator

from hivemind.clock import Clock, system_clock
from hivemind.domain.harvest import Confidence, HarvestEvent, Peek, SourceProgress
from hivemind.domain.protocols import HarvestSource
from hivemind.harvest.adapters.claude_items import ClaudeItem
from hivemind.harvest.adapters.facts import guarded
from hivemind.readers.json_stream import ITEM_CAP, json_items, keys_by_depth
from hivemind.readers.text import DecodedText

_DEEP = frozenset({"chat_messages", "docs"})
_PROJECT = {"docs", "prompt_template", "is_starter_project"}
_MEMORY = {"conversations_memory", "project_memories"}


class ClaudeAdapter:
    """Reads what is known, keeps what is not: no block, message or item of a new kind costs its neighbours.

    `item_cap`: characters of one item held at once; a larger one is read message by message.
    """

    name = "claude"
    label = "Claude"

    def __init__(self, clock: Clock = system_clock, item_cap: int = ITEM_CAP) -> None:
        self._clock = clock
        self._item_cap = item_cap

    def sniff(self, peek: Peek) -> Confidence:
        """By the keys of the first objects; a name says nothing, ChatGPT's files are called the same."""
        if not peek.head.lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n").startswith((b"[", b"{")):
            return Confidence.NO
        keys = keys_by_depth(peek.head)[0]
        if "mapping" in keys:
            return Confidence.NO
        if "chat_messages" in keys or keys & _MEMORY or ({"uuid", "name"} <= keys and keys & _PROJECT):
            return Confidence.SURE
        return Confidence.MAYBE if {"uuid", "name", "created_at", "updated_at"} <= keys else Confidence.NO

    def read(self, source: HarvestSource) -> Iterator[HarvestEvent]:
        """Events of every item in file order. Raises SourceUnreadable for what is not JSON."""
        stream = DecodedText(source.open())
        now = self._clock()
        try:
            for ordinal, item in enumerate(json_items(stream, deep=_DEEP, cap=self._item_cap)):
                yield from guarded(ordinal, item, _DEEP, lambda number: ClaudeItem(number, now))
                yield SourceProgress(min(stream.bytes_read, source.size), source.size)
        finally:
            stream.close()
