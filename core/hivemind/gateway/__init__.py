"""The audited door for calls: the interaction log of a mind, its hash chain and its recomputation."""

from __future__ import annotations

from hivemind.gateway.anchors import Anchor, AnchorFile, anchor_path, anchored_size, read_anchors
from hivemind.gateway.chain import append_entry, genesis
from hivemind.gateway.checkpoints import entries_since_checkpoint, make_checkpoint
from hivemind.gateway.entries import Entry
from hivemind.gateway.log import (
    list_call_ids,
    list_interactions,
    list_texts,
    log_size,
    record_ended,
    record_event,
    record_started,
)
from hivemind.gateway.recorder import Recorder
from hivemind.gateway.signing import SigningKey, find_or_make_key
from hivemind.gateway.verification import verify_log

__all__ = [
    "Anchor",
    "AnchorFile",
    "Entry",
    "Recorder",
    "SigningKey",
    "anchor_path",
    "anchored_size",
    "append_entry",
    "entries_since_checkpoint",
    "find_or_make_key",
    "genesis",
    "list_call_ids",
    "list_interactions",
    "list_texts",
    "log_size",
    "make_checkpoint",
    "read_anchors",
    "record_ended",
    "record_event",
    "record_started",
    "verify_log",
]
