"""Where a request may go: the form of its address, and each number that its name stands for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from hivemind.errors import AddressRefused

Address = IPv4Address | IPv6Address
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")
#: A name that looks like a number (0x7f.1, 2130706433) is an address to some resolvers and a name to others.
_DISGUISED = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)(?:\.(?:0x[0-9a-f]*|[0-9]+))*", re.IGNORECASE)
#: Networks whose addresses carry an IPv4 address that is really meant (RFC 6052, RFC 8215).
_NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
#: Where clouds tell a machine its secrets; it lies in a range that is otherwise a private network.
_METADATA = frozenset({ip_address("fd00:ec2::254"), ip_address("100.100.100.200")})
_PORTS = range(1, 65536)


class Reach(StrEnum):
    """How far a request may go. LOCAL: only for the address of a model that a person typed themselves."""

    PUBLIC = "public"
    LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes. `host`: a lower-case name or an address without brackets."""

    scheme: str
    host: str
    port: int

    @property
    def encrypted(self) -> bool:
        return self.scheme == "https"


def check_target(url: str, reach: Reach) -> Target:
    """The target of a URL. Raises AddressRefused when its form is not allowed; nothing is looked up.

    Plain http is let through for LOCAL only, and `check_address` then sees to it that it stays on the own network.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _refused("It is not a web address.") from None
    scheme, host = parts.scheme.lower(), (parts.hostname or "").lower()
    if scheme not in {"https", "http"} or (scheme == "http" and reach is Reach.PUBLIC):
        raise _refused("It must begin with https://.")
    if "@" in parts.netloc:
        raise _refused("It holds a user name or a key. Enter the key in its own field.")
    if not _is_host(host):
        raise _refused("Its host is not a name or an address.")
    if port is None:
        port = 443 if scheme == "https" else 80
    if port not in _PORTS:
        raise _refused("Its port is not between 1 and 65535.")
    return Target(scheme, host, port)


def check_address(address: str, target: Target, reach: Reach) -> None:
    """Raises AddressRefused unless a name may stand for this address, which must be the one connected to."""
    number = _meant(ip_address(address.partition("%")[0]))
    if number in _METADATA or number.is_link_local or number.is_multicast or number.is_unspecified:
        raise _refused(f"{target.host} leads to an address that no service of yours has.")
    local = number.is_loopback or (number.is_private and not number.is_reserved)
    if local:
        if reach is Reach.PUBLIC:
            raise _refused(f"{target.host} leads to this computer or its network.")
        return
    if not number.is_global or number.is_reserved:
        raise _refused(f"{target.host} leads to an address that is not on the public internet.")
    if not target.encrypted:
        raise _refused("Outside your own network an address must begin with https://, or others can read what is sent.")


def _meant(number: Address) -> Address:
    """The IPv4 address that an IPv6 address carries, else the address itself."""
    if isinstance(number, IPv4Address):
        return number
    if number.ipv4_mapped:
        return number.ipv4_mapped
    if number.sixtofour:
        return number.sixtofour
    if number.teredo:
        return number.teredo[1]
    if any(number in network for network in _NAT64) or (int(number) >> 32 == 0 and int(number) > 1):
        return IPv4Address(int(number) & 0xFFFFFFFF)
    return number


def _is_host(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return bool(_NAME.fullmatch(host)) and not _DISGUISED.fullmatch(host) and ".." not in host
    return True


def _refused(why: str) -> AddressRefused:
    return AddressRefused(hint=f"{why} Nothing was sent.")
