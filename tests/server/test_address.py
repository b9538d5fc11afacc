"""A client's address, which proxies may tell only if they are trusted."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from starlette.requests import Request

from server.address import client_address

TRUSTED = (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))


def request(peer: str, forwarded: str | None = None) -> Request:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded is not None else []
    return Request({"type": "http", "client": (peer, 1), "headers": headers})


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("198.51.100.7", None, "198.51.100.7"),
        ("198.51.100.7", "203.0.113.9", "198.51.100.7"),
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "no address", "unknown"),
        ("2001:db8:1:2:3:4:5:6", None, "2001:0db8:0001:0002"),
        ("fd00::1", "2001:db8:1:2::9", "2001:0db8:0001:0002"),
        ("", None, "unknown"),
    ],
)
def test_only_trusted_proxies_are_believed(peer: str, forwarded: str | None, address: str) -> None:
    assert client_address(request(peer, forwarded), TRUSTED) == address
