"""Events of a reader gathered into conversations: bodies wait in a spool, ids and parents in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from hivemind.domain.harvest import (
    AttachmentsSeen,
    HarvestEvent,
    ItemEnded,
    ItemFailed,
    ItemSkipped,
    ItemStarted,
    MessageRead,
)
from hivemind.domain.masking import labels_in
from hivemind.harvest.choices import Choice
from hivemind.harvest.frames import document_summary, summary, title_of
from hivemind.harvest.prepared import (
    CHUNK_FRAMES,
    CHUNK_MESSAGES,
    ItemOutcome,
    PreparedChunk,
    PreparedItem,
    PreparedMessage,
)
from hivemind.harvest.screening import Screening
from hivemind.harvest.spool import Spool
from hivemind.harvest.threads import Place, arrange

_EXCERPT_SOURCE = 2_000


class Assembly:
    """One conversation at a time. `take` an event; what is ready comes back.

    `first` items are passed over (an earlier attempt finished them); of item number `first`, `skip` messages are.
    """

    def __init__(
        self,
        source: str,
        label: str,
        spool: str | None,
        *,
        first: int = 0,
        skip: int = 0,
        screening: Screening | None = None,
        choice: Choice | None = None,
    ) -> None:
        self._source = source
        self._label = label
        self._folder = spool
        self._first = first
        self._skip = skip
        self._screening = screening or Screening()
        self._choice = choice or Choice(None)
        self._spool = Spool(spool)
        self._document_ids: set[str] = set()
        self.attachments_missing = 0
        self._reset()

    def _reset(self) -> None:
        self._spool.close()
        self._spool = Spool(self._folder)
        self._times: list[str | None] = []
        self._ids: list[tuple[str, int]] = []
        self._nodes: dict[str, int] = {}
        self._counts: dict[str, int] = {}

    def close(self) -> None:
        """Drop the conversation in hand and its spool."""
        self._reset()

    def take(self, event: HarvestEvent) -> Iterator[PreparedChunk | ItemOutcome]:
        """Feed one event. Chunks of a conversation come when its end is read."""
        if isinstance(event, ItemEnded) and event.document:
            event = self._told_apart(event)
        ordinal = getattr(event, "ordinal", None)
        if ordinal is not None and ordinal < self._first:
            return
        if isinstance(event, ItemStarted):
            self._reset()
        elif isinstance(event, MessageRead):
            self._keep(event)
        elif isinstance(event, ItemEnded):
            yield from self._finish(event)
            self._reset()
        elif isinstance(event, ItemSkipped):
            yield ItemOutcome(
                event.ordinal, event.item_id, self._screening.masked(event.title or ""), "skipped", event.reason
            )
            self._reset()
        elif isinstance(event, ItemFailed):
            yield ItemOutcome(event.ordinal, None, self._screening.masked(event.item), "failed", event.reason)
            self._reset()
        elif isinstance(event, AttachmentsSeen):
            self.attachments_missing += event.missing

    def _told_apart(self, end: ItemEnded) -> ItemEnded:
        """Two documents of one source never share an id: a copied note brings the id of its template along."""
        item_id, number = end.item_id or "", 1
        while item_id in self._document_ids:
            number += 1
            item_id = f"{end.item_id} ({number})"
        self._document_ids.add(item_id)
        return replace(end, item_id=item_id)

    def _keep(self, message: MessageRead) -> None:
        number = len(self._spool)
        self._spool.add(message)
        occurrence = self._counts.get(message.ext_id, 0)
        self._counts[message.ext_id] = occurrence + 1
        self._ids.append((message.ext_id, occurrence))
        self._times.append(message.sent_at)
        self._nodes[message.node_id or message.ext_id] = number

    def _finish(self, end: ItemEnded) -> Iterator[PreparedChunk | ItemOutcome]:
        places, item = self._arranged(end)
        reason = self._choice.reason(item.item_id, item.title, item.started_at, item.ended_at)
        if reason is not None:
            yield ItemOutcome(end.ordinal, item.item_id, item.title, "skipped", reason)
            return
        skip = self._skip if end.ordinal == self._first else 0
        chunk: list[PreparedMessage] = []
        frames, first = 0, 0
        for number, place in enumerate(places):
            message = self._prepare(place)
            if chunk and (len(chunk) == CHUNK_MESSAGES or frames + len(message.pieces) > CHUNK_FRAMES):
                if first >= skip:
                    yield PreparedChunk(item, first, tuple(chunk), False)
                chunk, frames, first = [], 0, number
            chunk.append(message)
            frames += len(message.pieces)
        yield PreparedChunk(item, first, tuple(chunk), True)

    def _arranged(self, end: ItemEnded) -> tuple[list[Place], PreparedItem]:
        """Where each message stands, and what is known of the whole."""
        places = arrange(end.parents, self._nodes, self._times, end.current_ext_id, end.created_at)
        if len(places) < len(self._spool):
            places.extend(self._unplaced(places, end))
        return places, self._facts(places, end)

    def _unplaced(self, places: list[Place], end: ItemEnded) -> list[Place]:
        """Messages whose node the tree does not name, or names twice: nothing may be lost."""
        placed = {place.number for place in places}
        branch = max((place.branch for place in places), default=-1) + 1
        left = [index for index in range(len(self._spool)) if index not in placed]
        return [
            Place(index, branch, position, self._times[index] or end.created_at, None)
            for position, index in enumerate(left)
        ]

    def _prepare(self, place: Place) -> PreparedMessage:
        message = self._spool.load(place.number)
        parent = None if place.parent_number is None else self._ids[place.parent_number][0]
        pieces, captions = self._screening.pieces(message)
        return PreparedMessage(
            message.ext_id,
            parent,
            self._ids[place.number][1],
            message.role,
            message.speaker,
            message.sent_at,
            message.sent_at_original,
            place.event_at,
            message.kind,
            message.hidden,
            place.branch,
            place.position,
            message.text,
            message.attachments,
            captions,
            pieces,
            message.repaired,
        )

    def _facts(self, places: list[Place], end: ItemEnded) -> PreparedItem:
        """One pass over the bodies: what the summary quotes, who spoke when, and the hash of it all."""
        digest = hashlib.blake2b(digest_size=16)
        first = last = ""
        speakers: dict[str, None] = {}
        for place in places:
            message = self._spool.load(place.number)
            key = (*self._ids[place.number], place.branch, place.position, message.role, message.kind, message.hidden)
            digest.update(repr(key).encode("utf-8", "replace") + message.text.encode("utf-8", "replace") + b"\0")
            beside = message.kind == "document" and not end.document
            if place.branch or beside or not message.spoken.strip():
                continue
            speakers.setdefault(message.speaker)
            if message.role == "user" and not first:
                first = message.spoken[:_EXCERPT_SOURCE]
            if message.role != "user" and not (end.document and last):
                last = message.spoken[:_EXCERPT_SOURCE]
        known = sorted(time for time in self._times if time)
        started = known[0] if known else end.created_at
        ended = known[-1] if known else (end.updated_at or end.created_at)
        first, last = self._screening.masked(first), self._screening.masked(last)
        title = title_of(self._screening.masked(end.title or ""), first)
        if end.document:
            text = document_summary(title, self._label, started, end.dated_by, last)
        else:
            digest.update(title.encode("utf-8", "replace"))
            text = summary(title, self._label, (started, ended), list(speakers), first, last)
        item_id = end.item_id or self._made_up_id()
        return PreparedItem(
            end.ordinal, item_id, title, started, ended, text, digest.digest(), len(places),
            end.document, end.named_by_place, self._screening.held(text), bool(labels_in(text)),
        )  # fmt: skip

    def _made_up_id(self) -> str:
        """An id for a conversation without one: from its source and first messages, the same in the next export."""
        digest = hashlib.sha256(repr((self._source, self._ids[:3])).encode("utf-8", "replace"))
        return f"made-up:{digest.hexdigest()[:32]}"
