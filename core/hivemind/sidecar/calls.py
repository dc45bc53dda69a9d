"""One call of the engine from the command line: opened, asked, closed, inside the one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import typer

from hivemind.engine import Engine
from hivemind.paths import PERSONAL
from hivemind.sidecar.answers import Answer

Asking = Callable[[Engine, str], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Place:
    """The options before the command: which data folder, which mind, which form of answer."""

    data_dir: Path | None = None
    workspace: str = PERSONAL
    as_json: bool = False


def place_of(context: typer.Context) -> Place:
    """The options before the command."""
    return cast(Place, context.find_root().obj)


def ask(context: typer.Context, asking: Asking) -> Answer:
    """Open the engine, ask it about the chosen mind, close it. Raises what the engine raises."""
    place = place_of(context)
    with asyncio.Runner() as runner:
        return runner.run(_asked(place, asking))


def ask_quietly(context: typer.Context, asking: Asking) -> Answer:
    """The same for what must leave no trace in the mind that it looks at."""
    place = place_of(context)
    with asyncio.Runner() as runner:
        return runner.run(_asked(place, asking, told=False))


async def _asked(place: Place, asking: Asking, *, told: bool = True) -> Answer:
    engine = Engine(place.data_dir, leads=False)
    engine.redaction.watch_logs()
    try:
        await engine.open()
        answer = await asking(engine, place.workspace)
        if told and place.workspace != PERSONAL:
            # Before anything is shown: a mind's own log tells who looked into it from outside the window.
            await engine.workspaces.visited(place.workspace, channel="cli")
        return answer
    finally:
        await engine.close()
