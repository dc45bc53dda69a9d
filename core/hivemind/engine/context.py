"""What every service stands on: the open minds, the events, the clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from hivemind.changes import ChangeStore
from hivemind.clock import Clock
from hivemind.domain.work import Change
from hivemind.events import Area, EventHub, MindChanged
from hivemind.mind import Mind, MindTransaction
from hivemind.paths import DataDir
from hivemind.workspaces import OpenMinds

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Context:
    """Shared by the services of one engine."""

    data: DataDir
    minds: OpenMinds
    events: EventHub
    clock: Clock

    async def mind(self, workspace: str) -> Mind:
        return await self.minds.get(workspace)

    def changed(self, workspace: str, *areas: Area) -> None:
        self.events.publish(MindChanged(workspace, frozenset(areas)))

    async def act(self, workspace: str, work: Callable[[MindTransaction], tuple[T, Change | None]], *areas: Area) -> T:
        """Run one action of a person: the work and its inverse in one transaction, then the news of it.

        `work` returns its result and the change that takes it back; None = nothing happened.
        """
        mind = await self.mind(workspace)

        def recorded(tx: MindTransaction) -> tuple[T, bool]:
            result, change = work(tx)
            if change is not None:
                ChangeStore(tx).record(change)
            return result, change is not None

        result, happened = await mind.write(recorded)
        if happened:
            self.changed(workspace, Area.CHANGES, *areas)
        return result
