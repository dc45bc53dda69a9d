"""The audited door for calls: the interaction log of a mind, its hash chain and its recomputation."""

from __future__ import annotations

from hivemind.gateway.chain import append_entry, genesis
from hivemind.gateway.entries import Entry
from hivemind.gateway.log import list_interactions, record_event
from hivemind.gateway.recorder import Recorder
from hivemind.gateway.verification import verify_log

__all__ = ["Entry", "Recorder", "append_entry", "genesis", "list_interactions", "record_event", "verify_log"]
