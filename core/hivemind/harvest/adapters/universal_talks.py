"""Talks out of the objects of a file of unknown origin, once its layout is known."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import chain
from pathlib import PurePosixPath
from typing import Any

from hivemind.domain.harvest import (
    HarvestEvent,
    ItemEnded,
    ItemFailed,
    ItemSkipped,
    ItemStarted,
    MessageRead,
    SourceProgress,
)
from hivemind.domain.protocols import HarvestSource
from hivemind.harvest.adapters.documents_times import LOCAL, file_date, written_date
from hivemind.harvest.adapters.universal_fields import known_role, talk_id, talk_times, text_of, title_of
from hivemind.harvest.adapters.universal_layout import Layout
from hivemind.harvest.adapters.universal_rows import Row
from hivemind.harvest.times import original_time, read_time
from hivemind.readers.json_stream import DamagedJson
from hivemind.readers.text import sanitise

_LASTING = re.compile(r"[0-9A-Za-z_:-]{12,200}")
_ZONED = re.compile(r"(?:Z|[+-]\d{2}:?\d{2})$")
_NO_ROLE = "unknown"


class TalkReading:
    """The talks of one file. `local`: times without a zone are this computer's (tables), else UTC."""

    def __init__(self, source: HarvestSource, layout: Layout, now: datetime, *, local: bool) -> None:
        self._source = source
        self._layout = layout
        self._fields = layout.fields
        self._now = now
        self._local = local
        self._ordinal = 0
        self._date = file_date(source, now)

    def events(self, rows: Iterable[Row]) -> Iterator[HarvestEvent]:
        """Everything of the file; each object that is no talk has its own reason."""
        by_row = self._layout.kind in ("talks", "lists", "pairs")
        yield from (
            self._each(rows) if by_row else self._wrapped(rows) if self._layout.kind == "wrapped" else self._flat(rows)
        )

    def _each(self, rows: Iterable[Row]) -> Iterator[HarvestEvent]:
        for row in rows:
            if row.reason:
                yield self._failed(row.reason)
            elif self._layout.kind == "pairs":
                yield from self._talk(self._pair(row.whole if isinstance(row.whole, dict) else {}))
            elif isinstance(row.whole, list):
                yield from self._talk(("", "0", one) for one in row.whole)
            else:
                yield from self._talk(_inside(row))
            yield SourceProgress(min(row.done, self._source.size), self._source.size)

    def _wrapped(self, rows: Iterable[Row]) -> Iterator[HarvestEvent]:
        for row in rows:
            if row.reason:
                yield self._failed(row.reason)
                continue
            try:
                for key, inner, value in row.members:
                    if key == self._layout.container and inner is not None:
                        if isinstance(value, dict):
                            yield from self._talk(_members(value))
                        else:
                            yield self._failed(f"Item {self._ordinal + 1} is not a conversation")
            except DamagedJson as error:
                yield self._failed(str(error))
            yield SourceProgress(min(row.done, self._source.size), self._source.size)

    def _flat(self, rows: Iterable[Row]) -> Iterator[HarvestEvent]:
        """Messages one after another; where they name their talk, each run of one name is one."""
        key = self._fields.talk
        talk: str | None = None
        reading: _Talk | None = None
        for row in rows:
            if row.reason or not isinstance(row.whole, dict):
                if reading is not None:
                    yield reading.end()
                    reading = None
                yield self._failed(row.reason or "not a message")
                continue
            name = str(row.whole.get(key, "")) if key else ""
            if reading is None or name != talk:
                if reading is not None:
                    yield reading.end()
                talk, reading = name, self._begin()
                reading.facts = {"title": name} if key.casefold() == "conversation" else {"conversation_id": name}
                yield ItemStarted(reading.ordinal)
            yield from reading.add(row.whole)
            yield SourceProgress(min(row.done, self._source.size), self._source.size)
        if reading is not None:
            yield reading.end()

    def _talk(self, members: Iterable[tuple[str, str | None, Any]]) -> Iterator[HarvestEvent]:
        reading = self._begin()
        yield ItemStarted(reading.ordinal)
        try:
            listed = True
            for key, inner, value in members:
                if inner is None:
                    listed = isinstance(value, list)
                    if not isinstance(value, list | dict):
                        reading.facts[key] = value
                elif listed or isinstance(value, dict):
                    yield from reading.add(value)
                else:
                    reading.facts.setdefault(inner, value)
        except DamagedJson as error:
            yield ItemFailed(reading.ordinal, reading.shown, str(error))
            return
        yield reading.end()

    def _pair(self, value: Mapping[str, Any]) -> Iterator[tuple[str, str | None, Any]]:
        ask, answer = self._layout.pair
        facts = {key: one for key, one in value.items() if key not in (ask, answer)}
        when = talk_times(facts)[0]
        for number, (role, key) in enumerate((("user", ask), ("assistant", answer))):
            yield "messages", str(number), {"role": role, "content": value.get(key), "time": when}
        for key, one in facts.items():
            yield key, None, one

    def _begin(self) -> _Talk:
        self._ordinal += 1
        return _Talk(self, self._ordinal - 1)

    def _failed(self, reason: str) -> ItemFailed:
        self._ordinal += 1
        return ItemFailed(self._ordinal - 1, f"Item {self._ordinal}", reason)

    def time(self, value: object) -> tuple[str | None, str | None]:
        """(stamp or None, as written)."""
        original = original_time(value)
        if self._local and isinstance(value, str) and not _ZONED.search(value.strip()):
            found = written_date(value, self._now)
            if found is not None:
                return found, f"{original} ({LOCAL})"
        return read_time(value, self._now), original

    @property
    def keys(self) -> tuple[str, str, str, str, str]:
        """Keys of speaker, text, time, id and parent in a message."""
        if self._layout.kind == "pairs":
            return "role", "content", "time", "", ""
        fields = self._fields
        return fields.speaker, fields.text, fields.time, fields.id, fields.parent

    def identity(self, facts: Mapping[str, Any]) -> tuple[str | None, bool]:
        """(item id, whether it only says where the talk lies). An id as short as “1” is one within its file only."""
        found = talk_id(facts)
        if found is not None and _LASTING.fullmatch(found):
            return found, False
        if found is None and self._layout.kind != "messages":
            return None, False
        if found is None and title_of(facts):
            return None, False
        return f"talk:{self._source.place}#{found or ''}", True

    def fallback(self) -> tuple[str | None, str]:
        """(stamp, name) of the file, for talks that know neither."""
        return self._date.stamp, PurePosixPath(self._source.name).stem


class _Talk:
    """One talk being read. Holds its facts and its messages' parents, no texts."""

    def __init__(self, reading: TalkReading, ordinal: int) -> None:
        self.ordinal = ordinal
        self.facts: dict[str, Any] = {}
        self._reading = reading
        self._parents: list[tuple[str, str | None]] = []
        self._said: dict[str, str] = {}
        self._count = 0
        self._timed = False

    @property
    def shown(self) -> str:
        """What a person may know the talk by."""
        return sanitise(title_of(self.facts) or "")[0] or f"Item {self.ordinal + 1}"

    def add(self, value: object) -> Iterator[MessageRead]:
        """A message; what does not look like one is kept as it is written, said by nobody."""
        speaker_key, text_key, time_key, id_key, parent_key = self._reading.keys
        body: Mapping[str, Any] = value if isinstance(value, dict) else {}
        speaker = body.get(speaker_key)
        role = known_role(speaker)
        name = speaker.strip() if isinstance(speaker, str) else role
        spoken, whole = text_of(body.get(text_key))
        if not name or (not whole and body.keys() - {speaker_key, text_key, time_key, id_key, parent_key}):
            whole = "\n".join(filter(None, (whole, json.dumps(value, ensure_ascii=False, sort_keys=True))))
        text, repaired = sanitise(whole)
        if not text.strip():
            return
        stamp, original = self._reading.time(body.get(time_key)) if time_key else (None, None)
        ext_id = _id(body.get(id_key)) if id_key else ""
        digest = hashlib.sha256(repr((name, original, text)).encode("utf-8", "replace")).hexdigest()[:32]
        if ext_id and self._said.get(ext_id) == digest:
            # Streams write a record again and again; only without an id may two equal ones be two.
            return
        ext_id = ext_id or digest
        self._said[ext_id] = digest
        parent = _id(body.get(parent_key)) or None if parent_key else None
        self._parents.append((ext_id, parent))
        self._count += 1
        self._timed = self._timed or stamp is not None
        yield self._message(
            ext_id, parent, role or ("user" if name else _NO_ROLE), name, (stamp, original), text, spoken, repaired
        )

    def _message(
        self, ext_id: str, parent: str | None, role: str, name: str, when: tuple[str | None, str | None], text: str,
        spoken: str, repaired: bool,
    ) -> MessageRead:  # fmt: skip
        silent = role not in ("user", "assistant")
        kind = "tool_result" if role == "tool" else "speech" if spoken.strip() else "other"
        return MessageRead(
            ordinal=self.ordinal,
            ext_id=ext_id,
            parent_ext_id=parent,
            role=role,
            speaker=sanitise(name)[0][:100] or role,
            sent_at=when[0],
            sent_at_original=when[1],
            kind=kind,
            hidden=role == "system",
            text=text,
            spoken="" if silent else sanitise(spoken)[0],
            repaired=repaired,
        )

    def end(self) -> HarvestEvent:
        """The talk is complete."""
        item_id, by_place = self._reading.identity(self.facts)
        date, stem = self._reading.fallback()
        title = sanitise(title_of(self.facts) or "")[0].strip() or (stem if by_place else None)
        if not self._count:
            return ItemSkipped(self.ordinal, item_id, title, "no messages in file")
        began, changed = talk_times(self.facts)
        stamp = self._reading.time(began)[0] or (None if self._timed else date)
        linked = {name for name, _ in self._parents}
        parents = tuple(self._parents) if any(parent in linked for _, parent in self._parents) else ()
        return ItemEnded(
            self.ordinal, item_id, title, stamp, self._reading.time(changed)[0], None, parents, named_by_place=by_place
        )


def _inside(row: Row) -> Iterator[tuple[str, str | None, Any]]:
    """Members of a talk; where its messages are one object further in, those of that object."""
    if isinstance(row.whole, dict) and isinstance(row.whole.get("chat"), dict):
        inner = row.whole["chat"]
        outer = ((key, None, value) for key, value in row.whole.items() if key != "chat")
        return chain(_members(inner), outer)
    return row.members


def _members(value: dict[str, Any]) -> Iterator[tuple[str, str | None, Any]]:
    for key, member in value.items():
        if isinstance(member, list) and any(isinstance(one, dict) for one in member[:20]):
            yield from ((key, str(number), one) for number, one in enumerate(member))
        else:
            yield key, None, member


def _id(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    text = sanitise(str(value))[0].strip()
    return text if len(text) <= 200 else hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
