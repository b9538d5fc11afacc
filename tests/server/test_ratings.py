"""What matches do to ratings."""

from __future__ import annotations

from engines.record import encode
from server.ratings import Rating, decode_rating, rated


def test_a_newcomer_is_shown_at_1000() -> None:
    assert Rating("Ann").shown == 1_000


def test_who_wins_rises_and_who_loses_falls() -> None:
    ann, bob = rated([Rating("Ann"), Rating("Bob")], [2, 1])
    assert bob.mu > 25 > ann.mu
    assert (ann.matches, bob.matches) == (1, 1)
    assert bob.points > ann.points
    assert bob.shown > ann.shown


def test_a_draw_of_equals_moves_nobody_apart() -> None:
    ann, bob = rated([Rating("Ann"), Rating("Bob")], [1, 1])
    assert (ann.mu, ann.sigma) == (bob.mu, bob.sigma)
    assert ann.sigma < Rating("Ann").sigma


def test_any_number_of_seats_is_ranked() -> None:
    after = rated([Rating(str(n)) for n in range(5)], [3, 1, 2, 3, 5])
    assert sorted(range(5), key=lambda n: -after[n].mu) == [1, 2, 0, 3, 4]
    assert after[0].mu == after[3].mu


def test_beating_the_better_counts_more() -> None:
    strong, weak = Rating("S", 35.0, 3.0, 40), Rating("W", 20.0, 3.0, 40)
    upset = rated([strong, weak], [2, 1])
    usual = rated([strong, weak], [1, 2])
    assert upset[1].mu - weak.mu > usual[0].mu - strong.mu > 0


def test_a_rating_is_read_as_it_was_kept() -> None:
    rating = rated([Rating("Ann"), Rating("Bob")], [1, 2])[0]
    assert decode_rating(encode(rating)) == rating
