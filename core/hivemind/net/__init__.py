"""The only way out of this computer: one HTTP client's protocol, and the ledger of everything that leaves."""

from __future__ import annotations

from hivemind.net.ledger import LedgerLine, OutboundLedger, OutboundStore
from hivemind.net.protocol import HttpClient, HttpRequest, HttpResponse

__all__ = ["HttpClient", "HttpRequest", "HttpResponse", "LedgerLine", "OutboundLedger", "OutboundStore"]
