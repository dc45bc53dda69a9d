"""An SDK's client for one call: its key looked up, its requests through the call's own connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import Any

from hivemind.domain.chat import Endpoint
from hivemind.net import Reach
from hivemind.net.client import OpenCall

#: A key by whatever way it is kept; may block.
KeyFinder = Callable[[], str | None]


async def openai_client(
    endpoint: Endpoint, opened: OpenCall, find_key: KeyFinder, *, feature: str, silence: float, limit: int
) -> Any:
    """`openai.AsyncOpenAI` that never tries again by itself. `silence`: seconds without a byte; `limit`: bytes."""
    # The SDK takes a second to load and the key store may ask the person: neither holds up the loop.
    openai = await asyncio.to_thread(import_module, "openai")
    key = await asyncio.to_thread(find_key)
    return openai.AsyncOpenAI(
        api_key=key or "none",
        base_url=endpoint.base_url,
        http_client=opened.http(feature, reach_of(endpoint), timeout=silence, limit=limit),
        max_retries=0,
        timeout=silence,
    )


def reach_of(endpoint: Endpoint) -> Reach:
    """How far its requests may go: a local service nowhere else, any other one not into this network."""
    return Reach.LOCAL if endpoint.local else Reach.PUBLIC
