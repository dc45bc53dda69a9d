"""The before_write check that holds back what reads like orders to an AI, unless the owner wrote it."""

from __future__ import annotations

from typing import Any

from hivemind.domain.frames import Finding, FrameDraft, Provenance
from hivemind.domain.injection import reason_of, scan


def held_reason(text: str, client: str | None, source: Provenance) -> str | None:
    """Why a text is held back, or None. What a person states is theirs to state, however it sounds."""
    if client is None and source in (Provenance.USER_STATED, Provenance.SYSTEM):
        return None
    found = scan(text, tool=source is Provenance.TOOL_VERIFIED)
    return reason_of(found) if found.held else None


def hold_back(draft: FrameDraft, _reader: Any) -> list[Finding]:
    """As a `BeforeWrite`: a finding of kind quarantine; the frame is written all the same, and kept from AIs."""
    reason = held_reason(draft.content, draft.client, draft.source)
    return [] if reason is None else [Finding("quarantine", None, reason=reason)]
