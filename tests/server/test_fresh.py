"""Names of versions and writes: never twice, whatever block they come from."""

from __future__ import annotations

import os
import re

import pytest

from server.fresh import Fresh


def test_names_of_one_stock_and_of_two_are_all_different() -> None:
    one, other = Fresh(), Fresh()
    tips = [fresh.tip() for fresh in (one, other) for _ in range(2_000)]
    revs = [fresh.rev() for fresh in (one, other) for _ in range(2_000)]
    assert len({*tips}) == len(tips)
    assert len({*revs}) == len(revs)


def test_a_tip_is_twelve_letters_that_fit_into_an_address_and_a_rev_is_eight_bytes() -> None:
    fresh = Fresh()
    assert all(re.fullmatch(r"[\w-]{12}", fresh.tip(), re.ASCII) for _ in range(1_000))
    assert {len(fresh.rev()) for _ in range(1_000)} == {8}


def test_no_byte_of_a_block_is_used_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    def counted(size: int) -> bytes:
        given.append(len(given).to_bytes(1, "big") * size)
        return given[-1]

    monkeypatch.setattr(os, "urandom", counted)
    fresh = Fresh()
    revs = [fresh.rev() for _ in range(3 * 512)]
    assert [revs.count(bytes([block]) * 8) for block in range(3)] == [512, 512, 512]
