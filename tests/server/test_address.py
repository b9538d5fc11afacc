"""A client's address, which proxies may tell only if they are trusted."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from server.address import Addresses
from server.settings import read_settings

TRUSTED = (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))
ADDRESSES = Addresses(read_settings(trusted_proxies=TRUSTED))


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
        ("::ffff:198.51.100.7", None, "198.51.100.7"),
        ("::ffff:10.0.0.1", "203.0.113.9:4711", "203.0.113.9"),
        ("10.0.0.1", "[2001:db8:1:2::9]:443", "2001:0db8:0001:0002"),
    ],
)
def test_only_trusted_proxies_are_believed(peer: str, forwarded: str | None, address: str) -> None:
    assert ADDRESSES.block(peer, [] if forwarded is None else [forwarded]) == address


def test_every_header_counts_and_the_last_was_written_nearest() -> None:
    assert ADDRESSES.block("10.0.0.1", ["6.6.6.6", "203.0.113.9"]) == "203.0.113.9"


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted"),
    [
        ("198.51.100.7", [], "198.51.100.7"),
        ("127.0.0.1", [], None),
        ("::1", [], None),
        ("::ffff:127.0.0.1", [], None),
        ("127.0.0.1", ["203.0.113.9"], None),
        ("10.0.0.1", [], None),
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["no address"], "unknown"),
    ],
)
def test_this_machine_and_proxies_that_name_nobody_are_not_counted(
    peer: str, forwarded: list[str], counted: str | None
) -> None:
    assert ADDRESSES.counted(peer, forwarded) == counted


def test_a_line_may_be_counted_at_once_only_if_no_proxy_can_have_brought_it() -> None:
    assert [ADDRESSES.is_line_of_one(peer) for peer in ("198.51.100.7", "10.0.0.1", "127.0.0.1", "")] == [
        True, False, False, False,
    ]  # fmt: skip


def test_an_operator_may_exempt_others_or_nobody() -> None:
    assert Addresses(read_settings(exempt_addresses="none")).counted("127.0.0.1") == "127.0.0.1"
    school = Addresses(read_settings(exempt_addresses="198.51.100.0/24"))
    assert [school.counted(peer) for peer in ("198.51.100.7", "127.0.0.1")] == [None, "127.0.0.1"]
