"""What reaches an audience is what it may see: events, zones, its own prompt, for whom the table waits."""

from __future__ import annotations

import pytest
from probe.driver import Driver

from engines.rules import Event
from engines.sight import Waiting, audiences, see


def test_what_is_secret_is_told_to_its_seat_alone() -> None:
    event = Event("drawn", {"seat": 1}, {1: {"face": "coal"}})
    assert event.seen_by(1) == {"event": "drawn", "seat": 1, "face": "coal"}
    assert event.seen_by(0) == event.seen_by(None) == {"event": "drawn", "seat": 1}


def test_an_event_for_some_is_not_told_to_others() -> None:
    event = Event("peeked", {"face": "coal"}, only=frozenset({0}))
    assert event.seen_by(0) == {"event": "peeked", "face": "coal"}
    assert event.seen_by(1) is None
    assert event.seen_by(None) is None


def test_events_arrive_in_the_order_in_which_they_were_told() -> None:
    """PR-3.4."""
    game = Driver("number", "peek", "dice", "pick").take(0, 0)
    assert game.told(None) == ["dared", "scored", "looked", "rolled"]
    assert game.told(1) == ["dared", "scored", "looked", "peeked", "rolled"]


def test_only_the_asked_seat_sees_its_prompt() -> None:
    game = Driver("pick")
    assert game.seen(0).prompt == game.asked(0)
    assert game.seen(1).prompt is None
    assert game.seen(None).prompt is None


def test_everybody_sees_for_whom_the_table_waits_but_not_the_options() -> None:
    game = Driver("give", seats=3)
    assert all(game.seen(seat).waiting == (Waiting(0, "give", {"to": 1}),) for seat in (None, 0, 1, 2))


def test_offers_are_not_waited_for() -> None:
    game = Driver("offer", seats=3)
    assert game.seen(1).prompt is not None
    assert [waiting.seat for waiting in game.seen(1).waiting] == [0]


def test_nobody_is_waited_for_when_the_match_is_over() -> None:
    game = Driver("number").take(0, 2)
    assert game.seen(0).waiting == ()
    assert game.seen(0).prompt is None


@pytest.mark.parametrize("seats", [1, 3])
def test_audiences_are_the_public_and_every_seat(seats: int) -> None:
    assert audiences(seats) == (None, *range(seats))


def test_a_position_without_events_tells_none() -> None:
    game = Driver("pick")
    assert see(game.rules, game.position, 0).events == ()


def test_a_hand_is_shown_to_its_seat_alone() -> None:
    """PR-1.4."""
    hands = {seat: Driver("pick").seen(seat).zones["hands"] for seat in (None, 0, 1)}
    assert len(hands[0][0]["cards"]) == 3
    assert hands[0][1] == {"count": 3}
    assert hands[None] == [{"count": 3}, {"count": 3}]
