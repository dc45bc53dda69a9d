"""Saving one memory: the checks before the write, exact duplicates, the notes of the day."""

from __future__ import annotations

from dataclasses import replace

from hivemind.domain.frames import Access, Finding, Frame, FrameDraft, Importance, Saved
from hivemind.domain.masking import labels_in
from hivemind.mind.frame_writer import cleaned
from hivemind.mind.transaction import MindTransaction

_ORDER = (
    Importance.DEPRECATED,
    Importance.TEMPORARY,
    Importance.NORMAL,
    Importance.IMPORTANT,
    Importance.CRITICAL,
)


def save(tx: MindTransaction, draft: FrameDraft) -> Saved:
    """Write a draft as I (first of its GOP) or P(add), unless the same text is already there.

    An exact match returns the existing frame: the access is counted, its importance rises to the draft's when that is
    higher, and a deprecated frame is revived. Findings of the before_write checks come back with the frame; a
    contradiction is data and never stops the write.
    """
    draft = cleaned(draft, allowed=tx.suppressions.not_secrets)
    masked = labels_in(draft.content)
    findings = [finding for check in tx.checks for finding in check(draft, tx)]
    contradicts = tuple(f for f in findings if f.kind == "contradiction")
    twin = tx.frames.find_exact(draft.content)
    if twin is not None and draft.session_id in (None, twin.session_id):
        return Saved(_met_again(tx, twin, draft), duplicate_of=twin.id, contradicts=contradicts, masked=masked)
    frame = _write(tx, draft, findings)
    return Saved(frame, contradicts=contradicts, masked=masked)


def _write(tx: MindTransaction, draft: FrameDraft, findings: list[Finding]) -> Frame:
    session = tx.sessions.get(draft.session_id) if draft.session_id else tx.sessions.notes_of_day(tx.now[:10])
    quarantine = next((f.reason for f in findings if f.kind == "quarantine"), draft.quarantine)
    whole = replace(draft, session_id=session.id, quarantine=quarantine)
    base = tx.frames.base_of(session.id)
    return tx.frames.create_i_frame(whole) if base is None else tx.frames.create_p_frame(whole, base.id)


def _met_again(tx: MindTransaction, twin: Frame, draft: FrameDraft) -> Frame:
    if _ORDER.index(draft.importance) > _ORDER.index(twin.importance):
        tx.frames.set_importance(twin.id, draft.importance)
    tx.accesses.record([Access(twin.id, "saved again", draft.client)])
    return tx.frames.get(twin.id)
