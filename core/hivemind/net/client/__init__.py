"""The one HTTP client: a request leaves only during a recorded call, and with a line in the ledger."""

from __future__ import annotations

from hivemind.net.client.calls import Client, OpenCall

__all__ = ["Client", "OpenCall"]
