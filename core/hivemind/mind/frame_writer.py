"""Writing frames: the row, its hashes and flags, the CJK table, the feed and what is owed to the embedder."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hivemind.domain.frames import Derived, FrameDraft, FrameType, PatchKind
from hivemind.domain.indexed_text import INDEXED_VERSION, derive, indexed_text
from hivemind.domain.masking import mask
from hivemind.domain.scripts import has_unspaced_script, padded_bigrams
from hivemind.domain.text import sanitise
from hivemind.errors import InvalidFrame
from hivemind.mind.feed import FrameFeed
from hivemind.mind.outbox import OutboxStore
from hivemind.mind.speakers import SpeakerStore
from hivemind.mind.suppressions import SuppressionStore
from hivemind.storage import Connection

MAX_CONTENT = 4_000_000
_NAMES = (
    "frame_type", "gop_id", "t", "base_frame_id", "content", "importance", "source", "created_at", "last_accessed",
    "uuid", "event_at", "recorded_at", "event_at_original", "origin", "patch_kind", "patch_target_id", "quarantine",
    "content_hash", "norm_hash", "client", "author", "agent_id", "speaker_id", "role", "position", "part", "branch",
    "captions", "indexed_version", "flags",
)  # fmt: skip
_INSERT = f"INSERT INTO memory_frames ({', '.join(_NAMES)}) VALUES ({', '.join('?' * len(_NAMES))})"  # noqa: S608


class FrameWriter:
    """Inserts and rewrites rows of `memory_frames` and `memory_frames_cjk`. FTS follows by trigger."""

    def __init__(
        self,
        connection: Connection,
        now: str,
        speakers: SpeakerStore,
        feed: FrameFeed,
        outbox: OutboxStore,
        suppressions: SuppressionStore,
    ) -> None:
        self._connection = connection
        self._now = now
        self._speakers = speakers
        self._feed = feed
        self._outbox = outbox
        self._allowed = suppressions.not_secrets

    def insert(
        self,
        draft: FrameDraft,
        session_id: str,
        frame_type: FrameType,
        *,
        base: int | None = None,
        patch: PatchKind | None = None,
        target: int | None = None,
    ) -> int:
        """Write one frame and return its id. Raises InvalidFrame for an empty body (but for a retract)."""
        draft = cleaned(draft, may_be_empty=patch is PatchKind.RETRACT, allowed=self._allowed)
        t, derived = self._next_t(session_id), _derived(draft)
        self._connection.execute(_INSERT, self._values(draft, derived, session_id, frame_type, t, base, patch, target))
        frame_id = self._connection.last_insert_rowid()
        if frame_type is not FrameType.B and patch is not PatchKind.RETRACT:
            self._index(frame_id, draft, derived)
            self._feed.append("text", (frame_id,))
            self._outbox.owe("embedding", (frame_id,))
        return frame_id

    def insert_many(self, drafts: Sequence[FrameDraft], session_id: str, base: int) -> list[int]:
        """P(add) frames on one base, in order, by one prepared statement. Returns their ids."""
        clean = [cleaned(draft, allowed=self._allowed) for draft in drafts]
        t = self._next_t(session_id)
        ids: list[int] = []
        for offset, draft in enumerate(clean):
            derived = _derived(draft)
            values = self._values(draft, derived, session_id, FrameType.P, t + offset, base, PatchKind.ADD, None)
            self._connection.execute(_INSERT, values)
            ids.append(self._connection.last_insert_rowid())
            self._index(ids[-1], draft, derived)
        self._feed.append("text", ids)
        self._outbox.owe("embedding", ids)
        return ids

    def rewrite(self, frame_id: int, speaker: str | None, content: str, captions: str | None) -> None:
        """Replace a frame's body in place (an import's own summary; users' edits are patches)."""
        body = cleaned(FrameDraft(content=content), allowed=self._allowed).content
        derived = derive(speaker, body, captions)
        self._connection.execute(
            "UPDATE memory_frames SET content = ?, content_hash = ?, norm_hash = ?, flags = ?, indexed_version = ?"
            " WHERE id = ?",
            (body, derived.content_hash, derived.norm_hash, derived.flags, INDEXED_VERSION, frame_id),
        )
        self._connection.execute("DELETE FROM memory_frames_cjk WHERE rowid = ?", (frame_id,))
        self._index(frame_id, FrameDraft(content=body, speaker=speaker, captions=captions), derived)
        self._feed.append("text", (frame_id,))
        self._outbox.owe("embedding", (frame_id,))

    def index_unspaced(self, frame_id: int, text: str) -> None:
        """The CJK row of a frame, when its indexed text needs one."""
        if has_unspaced_script(text):
            self._connection.execute(
                "INSERT INTO memory_frames_cjk (rowid, content, bigrams) VALUES (?, ?, ?)",
                (frame_id, text, padded_bigrams(text)),
            )

    def _index(self, frame_id: int, draft: FrameDraft, derived: Derived) -> None:
        if derived.unspaced:
            self.index_unspaced(frame_id, indexed_text(draft.speaker, draft.content, draft.captions))

    def _next_t(self, session_id: str) -> int:
        row = self._connection.execute(
            "SELECT coalesce(max(t), -1) + 1 FROM memory_frames WHERE gop_id = ?", (session_id,)
        ).fetchone()
        return int(row[0]) if row else 0

    def _values(
        self,
        draft: FrameDraft,
        derived: Derived,
        session_id: str,
        frame_type: FrameType,
        t: int,
        base: int | None,
        patch: PatchKind | None,
        target: int | None,
    ) -> tuple[Any, ...]:
        body = draft.content
        speaker = None if draft.speaker is None else self._speakers.id_of(draft.speaker)
        return (
            frame_type, session_id, t, base, body, draft.importance, draft.source, self._now,
            draft.event_at or self._now, uuid.uuid4().hex, draft.event_at, self._now, draft.event_at_original,
            draft.origin, patch, target, draft.quarantine, derived.content_hash, derived.norm_hash, draft.client,
            draft.author, draft.agent_id, speaker, draft.role, draft.position, draft.part, draft.branch,
            draft.captions, INDEXED_VERSION, derived.flags,
        )  # fmt: skip


def cleaned(
    draft: FrameDraft, *, may_be_empty: bool = False, allowed: Callable[[], frozenset[bytes]] = frozenset
) -> FrameDraft:
    """The draft with storable text, its secrets masked. Raises InvalidFrame when nothing is left or it is too long.

    `allowed`: digests of what is no secret, asked for only when there seems to be one. A draft with `derived` has been
    through this, or through an import's reader, and is not looked through again: that takes a second for a million
    characters.
    """
    content = draft.content if draft.derived is not None else _storable(draft.content, allowed)
    if not content.strip() and not may_be_empty:
        raise InvalidFrame("A memory needs words", "Write something to remember.")
    if len(content) > MAX_CONTENT:
        raise InvalidFrame(
            "This memory is too long", f"Keep it under {MAX_CONTENT:,} characters, or import it as a file."
        )
    captions = (sanitise(draft.captions)[0] or None) if draft.captions else None
    if captions is not None and draft.derived is None:
        captions = _storable(captions, allowed)
    speaker = None if draft.speaker is None else (sanitise(draft.speaker)[0].strip() or "unknown")
    if draft.derived is not None and (content, captions, speaker) == (draft.content, draft.captions, draft.speaker):
        return draft
    derived = draft.derived or derive(speaker, content, captions)
    return replace(draft, content=content, captions=captions, speaker=speaker, derived=derived)


def _storable(text: str, allowed: Callable[[], frozenset[bytes]]) -> str:
    clean = sanitise(text)[0]
    return mask(clean, allowed()).text if mask(clean).secrets else clean


def _derived(draft: FrameDraft) -> Derived:
    return draft.derived or derive(draft.speaker, draft.content, draft.captions)
