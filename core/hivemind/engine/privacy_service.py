"""What left this computer, from the outbound ledger: every place something went to, how much, when, and the sum."""

from __future__ import annotations

from datetime import timedelta

from hivemind.clock import stamp
from hivemind.domain.upkeep import Destination
from hivemind.engine.context import Context
from hivemind.net import LedgerLine, OutboundStore
from hivemind.storage import Database


class PrivacyService:
    """`install` holds the ledger: it is outside the minds, so a restored mind cannot take back what was sent."""

    def __init__(self, context: Context, install: Database) -> None:
        self._context = context
        self._install = install

    async def destinations(self, days: int = 30) -> list[Destination]:
        """Every host and purpose of the last `days`, most bytes first. Empty when nothing was sent."""
        now = self._context.clock()
        since, today = stamp(now - timedelta(days=days)), stamp(now)[:10]
        lines = await self._install.read(lambda connection: OutboundStore(connection).list_lines(since))
        found: dict[tuple[str, str], list[LedgerLine]] = {}
        for line in lines:
            found.setdefault((line.host, line.feature), []).append(line)
        rows = [
            Destination(
                host,
                feature,
                len(of),
                sum(line.bytes_out for line in of if line.at[:10] == today),
                sum(line.bytes_out for line in of),
                max(line.at for line in of),
            )
            for (host, feature), of in found.items()
        ]
        return sorted(rows, key=lambda row: (-row.bytes_month, row.host, row.feature))
