"""Names to addresses: what the guard then looks at, one by one."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable

from hivemind.errors import HostUnreachable

#: Host and port to addresses, best first.
Resolver = Callable[[str, int], Awaitable[list[str]]]


async def system_resolver(host: str, port: int) -> list[str]:
    """What the system's resolver says. Raises HostUnreachable."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as fault:
        raise HostUnreachable(f"{host} was not found", details=type(fault).__name__) from fault
    return list(dict.fromkeys(str(address[0]) for *_, address in found))
