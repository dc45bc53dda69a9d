"""One item of Claude's export being read: a conversation, a project with its documents, or what Claude remembers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from hivemind.domain.harvest import HarvestEvent, ItemEnded, ItemSkipped, ItemStarted, MessageRead
from hivemind.harvest.adapters.claude_content import Block, read_message
from hivemind.harvest.adapters.facts import Members, attached, dict_of, id_of, list_of, text_of
from hivemind.harvest.times import original_time, read_time
from hivemind.readers.text import sanitise

_KEPT = frozenset(
    {
        "uuid", "name", "title", "created_at", "updated_at", "current_leaf_message_uuid", "model", "description",
        "prompt_template", "is_starter_project", "conversations_memory", "project_memories", "account_uuid",
    }
)  # fmt: skip
_ROLES = {"human": "user", "user": "user", "assistant": "assistant"}
#: The parent of a first message.
_NOWHERE = "00000000-0000-4000-8000-000000000000"
_Sent = tuple[str | None, str | None]


class ClaudeItem:
    """Holds the item's facts, and ids and digests of its messages, no bodies."""

    def __init__(self, ordinal: int, now: datetime) -> None:
        self._ordinal = ordinal
        self._now = now
        self._facts: dict[str, Any] = {}
        self._parents: list[tuple[str, str | None]] = []
        self._seen: dict[str, set[bytes]] = {}
        self._before: str | None = None
        self._content = 0

    @property
    def shown(self) -> str:
        """What a person may know this item by."""
        return self._title or id_of(self._facts.get("uuid")) or f"Item {self._ordinal + 1}"

    @property
    def _title(self) -> str:
        return text_of(self._facts.get("name")) or text_of(self._facts.get("title"))

    def members(self, members: Members) -> Iterator[HarvestEvent]:
        """ItemStarted, messages in file order, then ItemEnded or ItemSkipped with a reason."""
        yield ItemStarted(self._ordinal)
        listed: set[str] = set()
        for key, inner, value in members:
            if inner is not None:
                read = self._message if key == "chat_messages" else self._document
                yield from read(int(inner) if inner.isdecimal() else 0, dict_of(value))
            elif key in {"chat_messages", "docs"}:
                listed.add(key)
            elif key in _KEPT:
                self._facts[key] = value
        if self._facts.keys() & {"conversations_memory", "project_memories"}:
            yield from self._memories()
        elif "docs" in listed or "prompt_template" in self._facts:
            yield from self._project()
        else:
            yield self._conversation("chat_messages" in listed)

    # conversations

    def _conversation(self, listed: bool) -> HarvestEvent:
        item_id, title = id_of(self._facts.get("uuid")), self._title or None
        if not self._content:
            return ItemSkipped(self._ordinal, item_id, title, "empty" if listed else "no messages in file")
        leaf = id_of(self._facts.get("current_leaf_message_uuid"))
        return self._ended(item_id, title, leaf, model=text_of(self._facts.get("model"))[:100] or None)

    def _ended(self, item_id: str | None, title: str | None, leaf: str | None = None, **more: Any) -> ItemEnded:
        return ItemEnded(
            self._ordinal,
            item_id,
            title,
            read_time(self._facts.get("created_at"), self._now),
            read_time(self._facts.get("updated_at"), self._now),
            leaf,
            tuple(self._parents),
            **more,
        )

    def _message(self, number: int, body: dict[str, Any]) -> Iterator[MessageRead]:
        """The message, and before it in the thread what came with it: attached texts, thinking, tools, artifacts."""
        ext_id = id_of(body.get("uuid")) or f"#{number}"
        node = self._node(ext_id, body)
        if node is None:
            return
        parent = self._parent(body)
        self._before = node
        sent = self._sent(body)
        spoken = read_message(body)
        text, repaired = sanitise(spoken.text)
        names, missing = [], []
        for place, file in enumerate((*list_of(body.get("attachments")), *list_of(body.get("files")))):
            name = text_of(dict_of(file).get("file_name"))[:200]
            along = dict_of(file).get("extracted_content")
            names.append(name)
            if isinstance(along, str) and along.strip():
                key = f"{node}#a{place}"
                made = attached(self._ordinal, name, along, ext_id=key, parent=parent, sent=sent)
                parent = yield from self._before_it(made, parent)
            else:
                missing.append(name or "a file without a name")
        for block in spoken.blocks:
            parent = yield from self._before_it(self._block(node, block, parent, sent), parent)
        self._content += bool(text.strip() or names or spoken.blocks)
        self._parents.append((node, parent))
        role = _ROLES.get(text_of(body.get("sender")).lower(), text_of(body.get("sender"))[:40].lower() or "unknown")
        yield MessageRead(
            ordinal=self._ordinal,
            ext_id=ext_id,
            parent_ext_id=parent,
            role=role,
            speaker=role,
            sent_at=sent[0],
            sent_at_original=sent[1],
            kind="speech",
            hidden=False,
            text=text,
            spoken=sanitise(spoken.spoken)[0] if role in {"user", "assistant"} else "",
            captions=", ".join(filter(None, dict.fromkeys(names)))[:500],
            attachments=tuple(dict.fromkeys(missing)),
            repaired=repaired,
            node_id="" if node == ext_id else node,
        )

    def _node(self, ext_id: str, body: dict[str, Any]) -> str | None:
        """The message's name in the tree; None when the file says the very same again, as repeated records do."""
        digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).digest()[:16]
        before = self._seen.setdefault(ext_id, set())
        if digest in before:
            return None
        before.add(digest)
        return ext_id if len(before) == 1 else f"{ext_id}~{len(before)}"

    def _parent(self, body: dict[str, Any]) -> str | None:
        """As the message says; in exports that say nothing each follows the one before."""
        told = id_of(body.get("parent_message_uuid"))
        return None if told == _NOWHERE else told or self._before

    def _sent(self, body: dict[str, Any]) -> _Sent:
        at = body.get("created_at")
        return read_time(at, self._now), original_time(at)

    def _before_it(self, made: list[MessageRead], parent: str | None) -> Generator[MessageRead, None, str | None]:
        """Put messages into the thread; gives the id that the next one follows."""
        for one in made:
            self._parents.append((one.ext_id, parent))
            parent = one.ext_id
            yield one
        return parent

    def _block(self, node: str, block: Block, parent: str | None, sent: _Sent) -> list[MessageRead]:
        ext_id = f"{node}#{block.key}"
        if block.spoken:
            return attached(
                self._ordinal, block.captions, block.text, ext_id=ext_id, parent=parent, sent=sent, author=block.role
            )
        text, repaired = sanitise(block.text)
        return [
            MessageRead(
                self._ordinal, ext_id, parent, block.role, sanitise(block.speaker)[0], sent[0], sent[1], block.kind,
                block.hidden, text, "", repaired=repaired,
            )
        ]  # fmt: skip

    # projects and memories

    def _document(self, number: int, body: dict[str, Any]) -> Iterator[MessageRead]:
        text = body.get("content")
        if not isinstance(text, str) or not text.strip():
            return
        key = id_of(body.get("uuid")) or f"#{number}"
        made = attached(
            self._ordinal, text_of(body.get("filename")), text, ext_id=key, parent=self._before, sent=self._sent(body)
        )
        yield from self._in_a_row(made)

    def _in_a_row(self, made: list[MessageRead]) -> Iterator[MessageRead]:
        for one in made:
            self._parents.append((one.ext_id, self._before))
            self._before = one.ext_id
            self._content += 1
            yield one

    def _text(
        self, key: str, text: object, author: str, name: str = "", sent: _Sent = (None, None)
    ) -> list[MessageRead]:
        if not isinstance(text, str) or not text.strip():
            return []
        return attached(self._ordinal, name, text, ext_id=key, parent=self._before, sent=sent, author=author)

    def _project(self) -> Iterator[HarvestEvent]:
        item_id, title = id_of(self._facts.get("uuid")), self._title or None
        if self._facts.get("is_starter_project") is True:
            yield ItemSkipped(self._ordinal, item_id, title, "a sample project of the vendor")
            return
        yield from self._in_a_row(self._text("description", self._facts.get("description"), "user"))
        told = self._text("prompt_template", self._facts.get("prompt_template"), "user")
        # Standing orders to the assistant, not something that was said: kept, not quoted.
        yield from self._in_a_row([replace(one, kind="profile", hidden=True, spoken="") for one in told])
        if not self._content:
            yield ItemSkipped(self._ordinal, item_id, title, "empty")
            return
        yield self._ended(f"project:{item_id}" if item_id else None, title, self._before, document=True)

    def _memories(self) -> Iterator[HarvestEvent]:
        """What Claude wrote down about the person, as one document."""
        yield from self._in_a_row(self._text("memory", self._facts.get("conversations_memory"), "assistant"))
        for key, text in dict_of(self._facts.get("project_memories")).items():
            yield from self._in_a_row(self._text(f"project:{id_of(key)}", text, "assistant"))
        account = id_of(self._facts.get("account_uuid")) or "account"
        if not self._content:
            yield ItemSkipped(self._ordinal, None, "Memories", "empty")
            return
        yield self._ended(f"memories:{account}", "What Claude remembers", self._before, document=True)
