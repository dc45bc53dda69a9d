"""Where requests may go: tricks with addresses are refused, and one's own network only where a person asked for it."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.errors import AddressRefused
from hivemind.net.guard import Reach, Target, check_address, check_target

HTTPS = Target("https", "api.example.org", 443)
HTTP = Target("http", "models.example.org", 80)

REFUSED_URLS = [
    "http://api.example.org/v1",
    "ftp://api.example.org/v1",
    "file:///etc/passwd",
    "//api.example.org/v1",
    "https://",
    "https:///v1",
    "https://key@api.example.org/v1",
    "https://user:key@api.example.org/v1",
    "https://api.example.org:0/v1",
    "https://api.example.org:99999/v1",
    "https://0x7f.1/v1",
    "https://0x7f000001/v1",
    "https://2130706433/v1",
    "https://127.1/v1",
    "https://0177.0.0.1/v1",
    "https://api..example.org/v1",
    "https://api example.org/v1",
    "https://[::1/v1",
    "https://exa\u200bmple.org/v1",
]

REFUSED_ADDRESSES = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.0.0.8",
    "172.16.3.4",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "192.0.2.7",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "::10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "2001:0:4136:e378:8000:63bf:f5ff:fffe",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001:db8::1",
]
NEVER = ["169.254.169.254", "fe80::1", "fd00:ec2::254", "100.100.100.200", "224.0.0.1", "ff02::1", "0.0.0.0", "::"]
OWN_NETWORK = ["127.0.0.1", "::1", "10.0.0.8", "172.16.3.4", "192.168.1.1", "fd12::1", "::ffff:192.168.1.1"]


@pytest.mark.parametrize("url", REFUSED_URLS)
def test_a_url_in_disguise_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused) as refused:
        check_target(url, Reach.PUBLIC)
    assert "Nothing was sent." in refused.value.hint


@pytest.mark.parametrize("address", REFUSED_ADDRESSES)
def test_no_way_to_ones_own_network_and_the_special_ones(address: str) -> None:
    with pytest.raises(AddressRefused):
        check_address(address, HTTPS, Reach.PUBLIC)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "64:ff9b::808:808"])
def test_the_public_internet_is_reached(address: str) -> None:
    check_address(address, HTTPS, Reach.PUBLIC)


@pytest.mark.parametrize("address", OWN_NETWORK)
def test_a_model_on_ones_own_network_is_reached_when_asked_for(address: str) -> None:
    check_address(address, HTTP, Reach.LOCAL)
    with pytest.raises(AddressRefused):
        check_address(address, HTTPS, Reach.PUBLIC)


@pytest.mark.parametrize("address", NEVER)
def test_some_addresses_are_refused_even_then(address: str) -> None:
    with pytest.raises(AddressRefused):
        check_address(address, HTTP, Reach.LOCAL)


def test_what_leaves_the_own_network_is_encrypted() -> None:
    with pytest.raises(AddressRefused, match="https"):
        check_address("8.8.8.8", HTTP, Reach.LOCAL)
    check_address("8.8.8.8", Target("https", "models.example.org", 443), Reach.LOCAL)


def test_targets() -> None:
    assert check_target("https://API.example.org/v1?x=1", Reach.PUBLIC) == Target("https", "api.example.org", 443)
    assert check_target("http://localhost:11434/v1", Reach.LOCAL) == Target("http", "localhost", 11434)
    assert check_target("https://[2606:4700::1]:8443/", Reach.PUBLIC) == Target("https", "2606:4700::1", 8443)


@given(st.integers(0, 2**32 - 1))
def test_an_address_is_judged_alike_in_every_clothing(number: int) -> None:
    plain = str(IPv4Address(number))
    clothed = [
        str(IPv6Address((0xFFFF << 32) | number)),
        str(IPv6Address((0x64FF9B << 96) | number)),
        str(IPv6Address((0x2002 << 112) | (number << 80))),
    ]
    for reach in Reach:
        verdicts = {_allowed(address, reach) for address in [plain, *clothed]}
        assert len(verdicts) == 1


def _allowed(address: str, reach: Reach) -> bool:
    try:
        check_address(address, HTTPS, reach)
    except AddressRefused:
        return False
    return True
