"""ChatGPT's data export: an array of conversations (in one file or numbered parts), or one conversation object."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from hivemind.clock import Clock, system_clock
from hivemind.domain.harvest import (
    Confidence,
    HarvestEvent,
    ItemEnded,
    ItemFailed,
    ItemSkipped,
    ItemStarted,
    MessageRead,
    Peek,
    SourceProgress,
)
from hivemind.domain.protocols import HarvestSource
from hivemind.harvest.adapters.chatgpt_content import read_content
from hivemind.harvest.times import original_time, read_time
from hivemind.readers.json_stream import (
    ITEM_CAP,
    DamagedItem,
    DamagedJson,
    LargeItem,
    WholeItem,
    json_items,
    keys_by_depth,
)
from hivemind.readers.text import DecodedText, sanitise

_HIDDEN = ("is_visually_hidden_from_conversation", "is_user_system_message")
_MAX_ID = 200
_KNOWN_KEYS = frozenset({"title", "create_time", "update_time", "current_node", "conversation_id", "mapping"})


class ChatGptAdapter:
    """Only `parent` links are trusted; everything else in a conversation may be missing or null.

    `item_cap`: characters of one conversation held at once; a larger one is read node by node.
    """

    name = "chatgpt"
    label = "ChatGPT"

    def __init__(self, clock: Clock = system_clock, item_cap: int = ITEM_CAP) -> None:
        self._clock = clock
        self._item_cap = item_cap

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
            items = json_items(stream, deep="mapping", cap=self._item_cap)
            for ordinal, item in enumerate(items):
                yield from _guarded(ordinal, item, now)
                yield SourceProgress(min(stream.bytes_read, source.size), source.size)
        finally:
            stream.close()


def _guarded(ordinal: int, item: WholeItem | LargeItem | DamagedItem, now: datetime) -> Iterator[HarvestEvent]:
    """One item, whose damage stays its own."""
    if isinstance(item, DamagedItem):
        yield ItemFailed(ordinal, f"Item {ordinal + 1}", item.reason)
        return
    reading = _Reading(ordinal, now)
    try:
        if isinstance(item, LargeItem):
            yield from reading.members(item.members)
        elif isinstance(item.value, dict):
            yield from reading.members(_members_of(item.value))
        else:
            yield ItemFailed(ordinal, f"Item {ordinal + 1}", f"The item at byte {item.start} is not a conversation")
    except DamagedJson as error:
        yield ItemFailed(ordinal, reading.shown, str(error))
    except RecursionError:
        yield ItemFailed(ordinal, reading.shown, f"Nested too deeply, in the item at byte {item.start}")


def _members_of(value: dict[str, Any]) -> Iterator[tuple[str, str | None, Any]]:
    for key, member in value.items():
        if key == "mapping" and isinstance(member, dict):
            yield key, None, {}
            for inner, node in member.items():
                yield key, inner, node
        else:
            yield key, None, member


class _Reading:
    """One conversation being read. Holds its scalars and its nodes' parents, no bodies."""

    def __init__(self, ordinal: int, now: datetime) -> None:
        self._ordinal = ordinal
        self._now = now
        self._facts: dict[str, Any] = {}
        self._parents: list[tuple[str, str | None]] = []
        self._names: dict[str, str] = {}
        self._model: str | None = None
        self._messages = 0

    @property
    def shown(self) -> str:
        """What a person may know this item by."""
        return _text(self._facts.get("title")) or self._item_id or f"Item {self._ordinal + 1}"

    @property
    def _item_id(self) -> str | None:
        return _id(self._facts.get("conversation_id")) or _id(self._facts.get("id"))

    def members(self, members: Iterator[tuple[str, str | None, Any]]) -> Iterator[HarvestEvent]:
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
        title = _text(self._facts.get("title")) or None
        if not self._messages:
            reason = "empty" if mapped else "no messages in file"
            return ItemSkipped(self._ordinal, self._item_id, title, reason)
        return ItemEnded(
            self._ordinal,
            self._item_id,
            title,
            read_time(self._facts.get("create_time"), self._now),
            read_time(self._facts.get("update_time"), self._now),
            _id(self._facts.get("current_node")),
            tuple(self._parents),
            _text(self._facts.get("default_model_slug")) or self._model,
        )

    def _node(self, key: str, node: object) -> Iterator[MessageRead]:
        name = _id(key) or ""
        body: dict[str, Any] = node if isinstance(node, dict) else {}
        parent = _id(body.get("parent"))
        self._parents.append((name, parent))
        message = body.get("message")
        if isinstance(message, dict):
            self._messages += 1
            yield self._message(name, parent, message)

    def _message(self, name: str, parent: str | None, message: dict[str, Any]) -> MessageRead:
        author = message.get("author")
        author = author if isinstance(author, dict) else {}
        role = _text(author.get("role"))[:40].lower() or "unknown"
        metadata = message.get("metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        hidden = _is_hidden(message, metadata, role)
        content = read_content(message, role, hidden=hidden)
        text, repaired = sanitise(content.text)
        sent = message.get("create_time")
        if self._model is None:
            self._model = _text(metadata.get("model_slug"))[:100] or None
        ext_id = _id(message.get("id")) or name
        return MessageRead(
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


def _is_hidden(message: dict[str, Any], metadata: dict[str, Any], role: str) -> bool:
    content = message.get("content")
    content_type = content.get("content_type") if isinstance(content, dict) else None
    weight = message.get("weight")
    return (
        role == "system"
        or content_type in {"user_editable_context", "model_editable_context"}
        or any(metadata.get(key) is True for key in _HIDDEN)
        or (weight == 0 and not isinstance(weight, bool))
    )


def _speaker(role: str, author: dict[str, Any]) -> str:
    return (_text(author.get("name"))[:100] or role) if role == "tool" else role


def _text(value: object) -> str:
    return sanitise(value)[0].strip() if isinstance(value, str) else ""


def _id(value: object) -> str | None:
    """An id fit for a key: text, clean, and not endless. None for null, empty and things that are no ids."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return None
    clean = sanitise(value)[0].strip()
    if len(clean) > _MAX_ID:
        digest = hashlib.sha256(clean.encode("utf-8", "replace")).hexdigest()
        return f"sha256:{digest}"
    return clean or None
