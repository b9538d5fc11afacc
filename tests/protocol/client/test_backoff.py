"""Coming back: when, and when not."""

from __future__ import annotations

from random import Random

import pytest

from protocol.client.backoff import FIRST_S, LONGEST_S, STEADY_S, Backoff, comes_back


@pytest.mark.parametrize("code", [1001, 1005, 1006, 1011, 1012, 1013, 4503, 4508, 4510, 4513, 4599])
def test_a_client_returns_after(code: int) -> None:
    assert comes_back(code)


@pytest.mark.parametrize("code", [1000, 1002, 1003, 1007, 1009, 3000, 4000, 4400, 4401, 4404, 4429, 4499, 4999])
def test_a_client_stays_away_after(code: int) -> None:
    assert not comes_back(code)


def test_waits_double_up_to_the_longest_and_are_spread() -> None:
    backoff = Backoff(Random(1))
    for failure in range(1, 40):
        whole = min(LONGEST_S, FIRST_S * 2.0**failure)
        assert whole / 2 <= backoff.after(0) <= whole


def test_a_connection_that_lasted_starts_afresh_and_one_that_did_not_does_not() -> None:
    backoff = Backoff(Random(1))
    for _ in range(10):
        backoff.after(0)
    assert backoff.after(STEADY_S - 0.1) > FIRST_S
    assert backoff.after(STEADY_S) <= FIRST_S


def test_two_clients_do_not_come_back_together() -> None:
    assert Backoff(Random(1)).after(0) != Backoff(Random(2)).after(0)
