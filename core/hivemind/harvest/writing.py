"""One batch of prepared conversations into the mind, in one transaction: the unit of commit of every import."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from hivemind.domain.frames import Derived, Frame, FrameDraft, Origin, Provenance
from hivemind.domain.sessions import Session, SessionKind
from hivemind.errors import InternalFault
from hivemind.harvest.documents import SAME_TEXT, KnownContents, move_messages, retire, returned
from hivemind.harvest.items import ClaimStore, Item, ItemStore
from hivemind.harvest.prepared import Batch, ItemOutcome, Piece, PreparedChunk, PreparedItem, PreparedMessage
from hivemind.harvest.protection import in_trash, protected
from hivemind.harvest.runs import RunStore
from hivemind.mind import MindTransaction
from hivemind.mind.archive import NewMessage, message_hash
from hivemind.mind.suppressions import TITLE, suppression_key

ERASED = "erased earlier"
#: What heads a session whose title was erased.
UNTITLED = "An imported conversation. Its title was erased."
_COUNTED = (
    "messages", "i", "p", "repaired", "attachments_text", "attachments_missing", "other", "quarantined", "masked",
)  # fmt: skip


class Written(NamedTuple):
    """What a batch came to."""

    items: int
    messages: int
    frames: int


@dataclass(slots=True)
class _Sorted:
    """The messages of a chunk, by what has to be done with them."""

    fresh: list[PreparedMessage] = field(default_factory=list)
    changed: list[tuple[int, PreparedMessage]] = field(default_factory=list)
    known: list[tuple[int, PreparedMessage]] = field(default_factory=list)


class BatchWriter:
    """Writes the batches of one run in order. Keeps what it knows of a large item between its chunks."""

    def __init__(self, run_id: int, source: str) -> None:
        self._run_id = run_id
        self._source = source
        self._suppressed: frozenset[bytes] | None = None
        self._known: tuple[str, dict[tuple[str, int], tuple[int, bytes]]] | None = None
        self._contents = KnownContents(run_id, source)

    def write(self, tx: MindTransaction, batch: Batch, seconds: float) -> Written:
        """Everything of the batch, its items' states and the run's counts, or nothing."""
        if self._suppressed is None:
            self._suppressed = tx.suppressions.keys(self._source)
        counts = dict.fromkeys(_COUNTED, 0)
        counts["attachments_missing"] = batch.missing
        items = 0
        for entry in batch.entries:
            if isinstance(entry, ItemOutcome):
                outcome = Item(entry.ordinal, entry.item_id, entry.title, None, entry.state, entry.reason, 0)
                ItemStore(tx.connection).save(self._run_id, outcome)
                items += 1
            else:
                self._chunk(tx, entry, counts)
                items += entry.last
        RunStore(tx.connection, tx.now).add(self._run_id, counts, seconds)
        return Written(items, counts["messages"], counts["i"] + counts["p"])

    def _chunk(self, tx: MindTransaction, chunk: PreparedChunk, counts: dict[str, int]) -> None:
        items = ItemStore(tx.connection)
        row = items.find(self._run_id, chunk.item.ordinal)
        if chunk.first and (row is None or row.state != "partial"):
            if row is not None and row.reason in (ERASED, SAME_TEXT):
                return
            raise InternalFault(details=f"chunk {chunk.first} of item {chunk.item.ordinal} without its beginning")
        if not chunk.first and self._is_suppressed(chunk.item.item_id):
            # Its title was erased with it.
            items.save(self._run_id, replace(_row(chunk, None, "skipped", ERASED), title=""), chunk.item.hash)
            return
        if self._is_suppressed(chunk.item.item_id, TITLE):
            chunk = chunk._replace(item=chunk.item._replace(title="", summary=UNTITLED))
        if not chunk.first and self._is_twin(tx, chunk.item):
            items.save(self._run_id, _row(chunk, None, "skipped", SAME_TEXT), chunk.item.hash)
            return
        session, outcome = self._session(tx, chunk, row)
        if self._merge(tx, chunk, session, fresh=outcome == "new", counts=counts) and outcome == "unchanged":
            outcome = "updated"
        if chunk.last and chunk.item.document and retire(tx, self._run_id, session.id) and outcome == "unchanged":
            outcome = "updated"
        if chunk.last and outcome != "new" and self._refresh(tx, chunk.item, session, grown=outcome == "updated"):
            outcome = "updated"
        state, reason = (outcome, "") if chunk.last else ("partial", outcome)
        items.save(self._run_id, _row(chunk, session.id, state, reason), chunk.item.hash)
        if chunk.last:
            self._contents.remember(chunk.item, session.id)

    def _is_twin(self, tx: MindTransaction, item: PreparedItem) -> bool:
        """Whether this very import already brought the same content from another place."""
        if not item.named_by_place or tx.sessions.find_item(self._source, item.item_id) is not None:
            return False
        twin = self._contents.find(tx.connection, item)
        return twin is not None and twin[1]

    def _session(self, tx: MindTransaction, chunk: PreparedChunk, row: Item | None) -> tuple[Session, str]:
        if chunk.first and row is not None and row.session is not None:
            return tx.sessions.get(row.session), row.reason
        item = chunk.item
        session = tx.sessions.find_item(self._source, item.item_id)
        if session is not None:
            return session, "unchanged"
        twin = self._contents.find(tx.connection, item)
        if twin is not None:
            return tx.sessions.get(twin[0]), "unchanged"
        kind = SessionKind.DOCUMENT if item.document else SessionKind.CONVERSATION
        session = tx.sessions.create(
            kind, item.title, source=self._source, item_id=item.item_id, started_at=item.started_at
        )
        tx.sessions.set_span(session.id, None, item.ended_at)
        return session, "new"

    def _is_suppressed(self, item_id: str, ext_id: str | None = None, occurrence: int = 0) -> bool:
        if not self._suppressed:
            return False
        return suppression_key(self._source, item_id, ext_id, occurrence) in self._suppressed

    def _merge(
        self, tx: MindTransaction, chunk: PreparedChunk, session: Session, *, fresh: bool, counts: dict[str, int]
    ) -> bool:
        """Bring the chunk's messages in. True when anything differs from before."""
        known = {} if fresh else self._ids_of(tx, session.id, again=not chunk.first)
        work = self._sort(chunk, known)
        ids = tx.archive.append(session.id, [_archived(tx, message) for message in work.fresh])
        pairs = list(zip(ids, work.fresh, strict=True))
        for message_id, message in work.changed:
            tx.archive.update(message_id, _archived(tx, message))
            frames = tx.archive.frames_of([message_id])
            if not protected(tx.connection, frames) and not in_trash(tx.connection, frames):
                tx.frames.remove(frames)
                pairs.append((message_id, message))
        if chunk.item.document:
            pairs.extend(returned(tx, work.known))
        self._add_frames(tx, chunk.item, session, pairs, counts)
        moved = move_messages(tx, [(i, message.branch, message.position) for i, message in work.known])
        touched = [*work.fresh, *(message for _, message in work.changed)]
        _count(touched, counts)
        claimed = [*ids, *(i for i, _ in work.changed), *(i for i, _ in work.known)]
        ClaimStore(tx.connection).claim(self._run_id, claimed)
        return bool(touched) or moved

    def _ids_of(self, tx: MindTransaction, session: str, *, again: bool) -> dict[tuple[str, int], tuple[int, bytes]]:
        if again or self._known is None or self._known[0] != session:
            self._known = (session, tx.archive.find_ids(session))
        return self._known[1]

    def _sort(self, chunk: PreparedChunk, known: dict[tuple[str, int], tuple[int, bytes]]) -> _Sorted:
        work = _Sorted()
        for message in chunk.messages:
            if self._is_suppressed(chunk.item.item_id, message.ext_id, message.occurrence):
                continue
            before = known.get((message.ext_id, message.occurrence))
            if before is None:
                work.fresh.append(message)
            elif before[1] != message_hash(message.role, message.kind, message.text):
                work.changed.append((before[0], message))
            else:
                work.known.append((before[0], message))
        return work

    def _add_frames(
        self,
        tx: MindTransaction,
        item: PreparedItem,
        session: Session,
        pairs: Sequence[tuple[int, PreparedMessage]],
        counts: dict[str, int],
    ) -> None:
        base = self._base(tx, item, session, counts) if pairs else None
        if base is None:
            return
        drafts: list[FrameDraft] = []
        spans: list[tuple[int, int, int]] = []
        for message_id, message in pairs:
            for part, piece in enumerate(message.pieces):
                drafts.append(_draft(message, piece, part))
                counts["quarantined"] += piece.quarantine is not None
                counts["masked"] += piece.masked
                spans.append((message_id, piece.start, piece.end))
        frame_ids = tx.frames.add_imported(drafts, base.id)
        tx.archive.link_many((frame, *span) for frame, span in zip(frame_ids, spans, strict=True))
        counts["p"] += len(frame_ids)

    def _base(self, tx: MindTransaction, item: PreparedItem, session: Session, counts: dict[str, int]) -> Frame:
        base = tx.frames.base_of(session.id)
        if base is None:
            base = tx.frames.create_i_frame(
                FrameDraft(
                    item.summary,
                    session.id,
                    source=Provenance.IMPORT,
                    origin=Origin.IMPORT,
                    event_at=item.started_at,
                    quarantine=item.quarantine,
                )
            )
            counts["i"] += 1
            counts["quarantined"] += item.quarantine is not None
            counts["masked"] += item.masked
        return base

    def _refresh(self, tx: MindTransaction, item: PreparedItem, session: Session, *, grown: bool) -> bool:
        """Title, span and summary after an update, where nobody made them their own. True when the title changed."""
        renamed = False
        last = ItemStore(tx.connection).last_title(session.id, self._run_id)
        own_file = session.item_id == item.item_id
        if own_file and last is not None and item.title != last and " ".join(last.split()) == session.title:
            tx.sessions.set_title(session.id, item.title)
            renamed = True
        if not grown and not renamed:
            return False
        if item.ended_at and item.ended_at > (session.ended_at or ""):
            tx.sessions.set_span(session.id, None, item.ended_at)
        base = tx.frames.base_of(session.id)
        own = base is not None and base.origin is Origin.IMPORT and base.speaker is None
        if base is not None and own and base.content != item.summary and not protected(tx.connection, [base.id]):
            tx.frames.rewrite(base.id, item.summary)
            if base.quarantine != item.quarantine:
                tx.frames.set_quarantine(base.id, item.quarantine)
        return renamed


def _row(chunk: PreparedChunk, session: str | None, state: str, reason: str) -> Item:
    item = chunk.item
    return Item(item.ordinal, item.item_id, item.title, session, state, reason, chunk.first + len(chunk.messages))


def _archived(tx: MindTransaction, message: PreparedMessage) -> NewMessage:
    return NewMessage(
        message.ext_id,
        message.parent_ext_id,
        message.occurrence,
        tx.speakers.id_of(message.speaker) if message.speaker else None,
        message.role,
        message.kind,
        message.sent_at,
        message.hidden,
        message.branch,
        message.position,
        message.text,
        message.attachments,
    )


def _draft(message: PreparedMessage, piece: Piece, part: int) -> FrameDraft:
    return FrameDraft(
        piece.text,
        source=Provenance.IMPORT,
        origin=Origin.IMPORT,
        event_at=message.event_at,
        event_at_original=message.sent_at_original,
        speaker=message.speaker or None,
        role=message.role,
        position=message.position,
        part=part,
        branch=message.branch,
        captions=(message.captions or None) if part == 0 else None,
        quarantine=piece.quarantine,
        derived=Derived(piece.content_hash, piece.norm_hash, piece.flags, piece.unspaced),
    )


def _count(messages: Sequence[PreparedMessage], counts: dict[str, int]) -> None:
    counts["messages"] += len(messages)
    for message in messages:
        counts["repaired"] += message.repaired
        # A message that is an attachment's text names that one; every other names what did not come along.
        came = "attachments_text" if message.kind == "document" else "attachments_missing"
        counts[came] += len(message.attachments)
        counts["other"] += message.kind == "other"
