"""ChatGPT's data export: an array of conversations (in one file or numbered parts), or one conversation object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from hivemind.clock import Clock, system_clock
from hivemind.domain.harvest import (
    Confidence,
    HarvestEvent,
    ItemEnded,
    ItemSkipped,
    ItemStarted,
    MessageRead,
    Peek,
    SourceProgress,
)
from hivemind.domain.protocols import HarvestSource
from hivemind.harvest.adapters.chatgpt_assets import AssetIndex
from hivemind.harvest.adapters.chatgpt_content import AttachedText, read_content
from hivemind.harvest.adapters.facts import Members, attached, dict_of, guarded, id_of, text_of
from hivemind.harvest.times import original_time, read_time
from hivemind.readers.json_stream import ITEM_CAP, json_items, keys_by_depth
from hivemind.readers.text import DecodedText, sanitise

_DEEP = frozenset({"mapping"})
_HIDDEN = ("is_visually_hidden_from_conversation", "is_user_system_message")
_KNOWN_KEYS = frozenset({"title", "create_time", "update_time", "current_node", "conversation_id", "mapping"})


class ChatGptAdapter:
    """Only `parent` links are trusted; everything else in a conversation may be missing or null.

    `item_cap`: characters of one conversation held at once; a larger one is read node by node.
    """

    name = "chatgpt"
    label = "ChatGPT"

    def __init__(self, clock: Clock = system_clock, item_cap: int = ITEM_CAP, assets: AssetIndex | None = None) -> None:
        self._clock = clock
        self._item_cap = item_cap
        self._assets = assets or AssetIndex()

    def beside(self, parts: Sequence[HarvestSource]) -> ChatGptAdapter:
        """A reader that finds the names and texts of attachments among all files of the export."""
        return ChatGptAdapter(self._clock, self._item_cap, AssetIndex(parts))

    def sniff(self, peek: Peek) -> Confidence:
        """By the keys of the first objects; the name only decides about a file that shows none."""
        if not peek.head.lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n").startswith((b"[", b"{")):
            return Confidence.NO
        keys = keys_by_depth(peek.head)
        if "chat_messages" in keys[0] or "inserted_at" in keys[0] or "fragments" in keys[3]:
            return Confidence.NO
        if "mapping" in keys[0]:
            return Confidence.SURE if keys[3] & {"author", "content"} else Confidence.LIKELY
        if not keys[0]:
            empty = peek.head.strip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n") in {b"[]", b"[\x00]"}
            return Confidence.MAYBE if empty and "conversations" in peek.name.lower() else Confidence.NO
        return Confidence.MAYBE if len(keys[0] & _KNOWN_KEYS) >= 3 else Confidence.NO

    def read(self, source: HarvestSource) -> Iterator[HarvestEvent]:
        """Events of every conversation in file order. Raises SourceUnreadable for what is not JSON."""
        stream = DecodedText(source.open())
        now = self._clock()
        try:
            for ordinal, item in enumerate(json_items(stream, deep=_DEEP, cap=self._item_cap)):
                yield from guarded(ordinal, item, _DEEP, lambda number: _Reading(number, now, self._assets))
                yield SourceProgress(min(stream.bytes_read, source.size), source.size)
        finally:
            stream.close()


class _Reading:
    """One conversation being read. Holds its scalars and its nodes' parents, no bodies."""

    def __init__(self, ordinal: int, now: datetime, assets: AssetIndex) -> None:
        self._ordinal = ordinal
        self._now = now
        self._assets = assets
        self._facts: dict[str, Any] = {}
        self._parents: list[tuple[str, str | None]] = []
        self._names: dict[str, str] = {}
        self._model: str | None = None
        self._messages = 0

    @property
    def shown(self) -> str:
        """What a person may know this item by."""
        return text_of(self._facts.get("title")) or self._item_id or f"Item {self._ordinal + 1}"

    @property
    def _item_id(self) -> str | None:
        return id_of(self._facts.get("conversation_id")) or id_of(self._facts.get("id"))

    def members(self, members: Members) -> Iterator[HarvestEvent]:
        yield ItemStarted(self._ordinal)
        mapped = False
        for key, inner, value in members:
            if inner is not None:
                yield from self._node(inner, value)
            elif key == "mapping":
                mapped = isinstance(value, dict)
            elif key in _KNOWN_KEYS or key in {"id", "default_model_slug"}:
                self._facts[key] = value
        yield self._end(mapped)

    def _end(self, mapped: bool) -> HarvestEvent:
        title = text_of(self._facts.get("title")) or None
        if not self._messages:
            reason = "empty" if mapped else "no messages in file"
            return ItemSkipped(self._ordinal, self._item_id, title, reason)
        return ItemEnded(
            self._ordinal,
            self._item_id,
            title,
            read_time(self._facts.get("create_time"), self._now),
            read_time(self._facts.get("update_time"), self._now),
            id_of(self._facts.get("current_node")),
            tuple(self._parents),
            text_of(self._facts.get("default_model_slug")) or self._model,
        )

    def _node(self, key: str, node: object) -> Iterator[MessageRead]:
        name = id_of(key) or ""
        body = dict_of(node)
        parent = id_of(body.get("parent"))
        message = body.get("message")
        if not isinstance(message, dict):
            self._parents.append((name, parent))
            return
        self._messages += 1
        read, files = self._message(name, parent, message)
        for file in files:
            for part in attached(
                self._ordinal, file.name, file.text, ext_id=f"{read.ext_id}#{file.key}", parent=parent,
                sent=(read.sent_at, read.sent_at_original),
            ):  # fmt: skip
                self._parents.append((part.ext_id, parent))
                parent = part.ext_id
                yield part
        self._parents.append((name, parent))
        yield replace(read, parent_ext_id=parent)

    def _message(
        self, name: str, parent: str | None, message: dict[str, Any]
    ) -> tuple[MessageRead, tuple[AttachedText, ...]]:
        author = message.get("author")
        author = dict_of(author)
        role = text_of(author.get("role"))[:40].lower() or "unknown"
        metadata = dict_of(message.get("metadata"))
        hidden = _is_hidden(message, metadata, role)
        content = read_content(message, role, hidden=hidden, assets=self._assets)
        text, repaired = sanitise(content.text)
        sent = message.get("create_time")
        if self._model is None:
            self._model = text_of(metadata.get("model_slug"))[:100] or None
        ext_id = id_of(message.get("id")) or name
        read = MessageRead(
            ordinal=self._ordinal,
            ext_id=ext_id,
            parent_ext_id=parent,
            role=role,
            speaker=_speaker(role, author),
            sent_at=read_time(sent, self._now),
            sent_at_original=original_time(sent),
            kind=content.kind,
            hidden=hidden,
            text=text,
            spoken=sanitise(content.spoken)[0],
            captions=sanitise(content.captions)[0],
            attachments=tuple(sanitise(attachment)[0] for attachment in content.attachments),
            repaired=repaired,
            node_id="" if name == ext_id else name,
        )
        return read, content.files


def _is_hidden(message: dict[str, Any], metadata: dict[str, Any], role: str) -> bool:
    content_type = text_of(dict_of(message.get("content")).get("content_type"))
    weight = message.get("weight")
    return (
        role == "system"
        or content_type in {"user_editable_context", "model_editable_context"}
        or any(metadata.get(key) is True for key in _HIDDEN)
        or (weight == 0 and not isinstance(weight, bool))
    )


def _speaker(role: str, author: dict[str, Any]) -> str:
    return (text_of(author.get("name"))[:100] or role) if role == "tool" else role
