"""Whose request this is: the peer's address, or what a trusted proxy says of it."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request

    from server.settings import Network


def client_address(request: Request, trusted: tuple[Network, ...]) -> str:
    """Give the client's address. X-Forwarded-For is read from its end, as far as the senders are trusted."""
    peer = request.client.host if request.client is not None else ""
    forwarded = [part.strip() for part in request.headers.get("x-forwarded-for", "").split(",") if part.strip()]
    while forwarded and _trusted(peer, trusted):
        peer = forwarded.pop()
    return _block(peer)


def _trusted(address: str, trusted: tuple[Network, ...]) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in trusted)


def _block(address: str) -> str:
    """Give what one household has: a whole IPv4 address, or the first half of an IPv6 one."""
    try:
        found = ip_address(address)
    except ValueError:
        return "unknown"
    return str(found) if found.version == 4 else found.exploded[:19]
