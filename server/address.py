"""Whose connection this is: the peer's address, or what a trusted proxy says of it."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address

from server.settings import Network, Settings

Address = IPv4Address | IPv6Address
UNKNOWN = "unknown"


class Addresses:
    """Tells clients apart by their addresses, as far as limits do."""

    def __init__(self, settings: Settings) -> None:
        self._trusted = settings.trusted_proxies
        self._exempt = settings.exempt_addresses

    def block(self, peer: str, forwarded: Iterable[str] = ()) -> str:
        """Give what one household has: a whole IPv4 address, or the first half of an IPv6 one.

        ``forwarded``: every X-Forwarded-For header, in order. It is read from its end, as far as the senders are
        trusted: what stands before that was written by the client.
        """
        found = self._client(peer, forwarded)
        if found is None:
            return UNKNOWN
        return str(found) if found.version == 4 else found.exploded[:19]

    def counted(self, peer: str, forwarded: Iterable[str] = ()) -> str | None:
        """Give the block that a limit per address counts, or None where it counts nobody."""
        found = self._client(peer, forwarded)
        nobody = _within(found, self._exempt) or _within(found, self._trusted)  # a proxy that does not say for whom
        return None if nobody else self.block(peer, forwarded)

    def is_line_of_one(self, peer: str) -> bool:
        """Say whether a line comes from one client, as far as can be told before its first byte."""
        found = _read(peer)
        return found is not None and not _within(found, self._exempt) and not _within(found, self._trusted)

    def _client(self, peer: str, forwarded: Iterable[str]) -> Address | None:
        told = [part.strip() for header in forwarded for part in header.split(",") if part.strip()]
        while told and _within(_read(peer), self._trusted):
            peer = told.pop()
        return _read(peer)


def _within(found: Address | None, networks: tuple[Network, ...]) -> bool:
    return found is not None and any(found in network for network in networks)


def _read(text: str) -> Address | None:
    """Read an address, with the port that some proxies put behind it. IPv4 inside IPv6 counts as what it is."""
    bare = text[1:].partition("]")[0] if text.startswith("[") else text
    if bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        found = ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if found.version == 6 else found
