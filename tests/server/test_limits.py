"""What one account or address may ask for is counted by whoever asks, and forgotten when it no longer matters."""

from __future__ import annotations

from server.limits import Rates, Tally


def test_a_bucket_outlives_whoever_took_from_it() -> None:
    rates = Rates(per_s=1, burst=2)
    assert [rates.take("ann", 0) for _ in range(3)] == [0, 0, 1000]
    rates.forget(1)
    assert rates.take("ann", 1) == 0
    assert rates.take("ann", 1) > 0


def test_a_bucket_that_is_full_again_is_forgotten() -> None:
    rates = Rates(per_s=1, burst=2)
    rates.take("ann", 0)
    rates.take("bob", 1)
    rates.take("ann", 1.5)
    rates.forget(3)
    assert len(rates) == 1
    rates.forget(3.5)
    assert len(rates) == 0


def test_each_has_a_bucket_of_its_own() -> None:
    rates = Rates(per_s=1, burst=1)
    assert [rates.take(who, 0) for who in ("ann", "bob")] == [0, 0]


def test_a_tally_counts_up_to_its_bound_and_keeps_nothing_of_who_has_left() -> None:
    tally = Tally(2)
    assert [tally.enter("ann") for _ in range(3)] == [True, True, False]
    assert tally.enter("bob")
    tally.leave("ann")
    assert tally.enter("ann")
    for who in ("ann", "ann", "bob"):
        tally.leave(who)
    assert len(tally) == 0


def test_what_costs_more_takes_more_and_what_costs_too_much_takes_all() -> None:
    rates = Rates(per_s=1, burst=10)
    assert [rates.take("ann", 0, cost) for cost in (6, 6, 4)] == [0, 2_000, 0]
    assert rates.take("bob", 0, 1_000) == 0
    assert rates.take("bob", 0) == 1_000
