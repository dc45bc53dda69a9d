"""What left this computer, from the outbound ledger: every place something went to, how much, when, and the sum."""

from __future__ import annotations

from datetime import timedelta

from hivemind.clock import stamp
from hivemind.domain.upkeep import Destination
from hivemind.engine.context import Context
from hivemind.gateway import list_call_ids
from hivemind.net import LedgerLine, OutboundStore
from hivemind.storage import Database
from hivemind.workspaces import WorkspaceRegistry


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

    async def unrecorded(self) -> list[LedgerLine]:
        """Requests that left without an entry in any mind's log: there should be none. Oldest first.

        The two books are kept apart, in different files, so that one tells of the other's gaps.
        """
        lines = await self._install.read(lambda connection: OutboundStore(connection).list_lines())
        known: set[str] = set()
        for workspace in await self._install.read(
            lambda connection: WorkspaceRegistry(connection, "").list(self._context.data)
        ):
            mind = await self._context.mind(workspace.id)
            known |= await mind.read(lambda tx: list_call_ids(tx.connection))
        return [line for line in lines if line.call_uuid not in known]
