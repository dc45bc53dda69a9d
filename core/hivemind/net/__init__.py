"""The only way out of this computer: one HTTP client, and the ledger of everything that leaves."""

from __future__ import annotations

from hivemind.net.guard import Reach, check_target
from hivemind.net.ledger import LedgerLine, OutboundLedger, OutboundStore

__all__ = ["LedgerLine", "OutboundLedger", "OutboundStore", "Reach", "check_target"]
