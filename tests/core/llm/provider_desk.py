"""A mind with its log and the list of what was sent, for tests of any provider: what a service did shows in both."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from hivemind.domain.calls import Interaction
from hivemind.domain.chat import ChatEvent
from hivemind.gateway import Recorder, genesis, list_interactions, verify_log
from hivemind.mind import Mind
from hivemind.net import LedgerLine, OutboundLedger, OutboundStore
from hivemind.storage import Database, SchemaKind


class ProviderDesk:
    """`ledger` and `recorder`: for the provider under test, which a test's own desk makes."""

    def __init__(self, folder: Path, workspace: str = "personal") -> None:
        self.mind = Mind.open(folder / "one.mind", workspace, create=True, seeders=(genesis(),))
        self.install = Database.open(folder / "install.db", create=True, kind=SchemaKind.INSTALL)

    @property
    def ledger(self) -> OutboundLedger:
        return OutboundLedger(self.install)

    @property
    def recorder(self) -> Recorder:
        return Recorder(self.mind)

    async def interactions(self) -> list[Interaction]:
        return await self.mind.read(lambda tx: list_interactions(tx.connection))

    async def lines(self) -> list[LedgerLine]:
        return await self.install.read(lambda connection: OutboundStore(connection).list_lines())

    async def check_log(self) -> None:
        assert (await self.mind.read(lambda tx: verify_log(tx.connection))).findings == ()

    def close(self) -> None:
        self.mind.close()
        self.install.close()


async def heard(events: AsyncIterator[ChatEvent]) -> list[ChatEvent]:
    return [event async for event in events]
