"""Connections to checked addresses: a name is looked up once, and what is connected to is what was checked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import httpcore2

from hivemind.errors import HostUnreachable
from hivemind.net.client.resolving import Resolver
from hivemind.net.guard import Reach, Target, check_address


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Connects one target. Every address of its name must be allowed: one that is not refuses the name."""

    def __init__(self, target: Target, reach: Reach, resolver: Resolver) -> None:
        self._target = target
        self._reach = reach
        self._resolver = resolver
        self._backend = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        addresses = await self._resolver(self._target.host, port)
        if not addresses:
            raise HostUnreachable(f"{self._target.host} was not found")
        for address in addresses:
            check_address(address, self._target, self._reach)
        for address in addresses[:-1]:
            try:
                return await self._backend.connect_tcp(address, port, timeout, local_address, socket_options)
            except httpcore2.ConnectError:
                continue  # The next address of the same name, as browsers do.
        return await self._backend.connect_tcp(addresses[-1], port, timeout, local_address, socket_options)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
