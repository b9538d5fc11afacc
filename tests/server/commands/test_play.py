"""Who sits where, before a person plays."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.client import CommandRefused
from server.commands.conversation import told
from server.commands.ends import Stop
from server.commands.play import plan_of, service_clock

ENTRY: dict[str, Any] = {
    "name": "probe", "seats": [2, 4], "bots": ["eager", "idle"], "brings_decks": True,
    "packs": [{"id": "embers", "decks": ["ash", "fire"]}],
}  # fmt: skip


def test_bots_take_all_seats_but_ones_own_and_nobody_waits_for_holds() -> None:
    plan = plan_of(ENTRY, 2, None, None)
    bot = {"bot": "eager", "deck": "fire"}
    assert plan == {"game": "probe", "seats": [bot, bot, {}], "room": {"holds": False}}


def test_seats_may_be_left_to_people() -> None:
    assert plan_of(ENTRY, 0, "people", "ash") == {"game": "probe", "seats": [{}, {}]}


def test_spectators_see_a_match_late_if_that_is_wished() -> None:
    assert plan_of(ENTRY, 0, None, None, 30)["room"] == {"holds": False, "delay_s": 30}
    assert plan_of(ENTRY, 0, "people", None, 30)["room"] == {"delay_s": 30}


def test_decks_are_given_only_where_decks_are_brought() -> None:
    assert plan_of({**ENTRY, "brings_decks": False}, 0, "idle", None)["seats"] == [{}, {"bot": "idle"}]


@pytest.mark.parametrize(
    ("entry", "seat", "against", "deck", "text"),
    [
        (ENTRY, 4, None, None, "seats 0 to 3"),
        (ENTRY, 0, "clever", None, "it has: eager, idle, people"),
        (ENTRY, 0, None, "water", "there are: ash, fire"),
        ({**ENTRY, "bots": []}, 0, None, None, "--against people"),
    ],
)
def test_what_the_game_does_not_have_is_met_with_what_it_has(
    entry: dict[str, Any], seat: int, against: str | None, deck: str | None, text: str
) -> None:
    with pytest.raises(Stop, match=text):
        plan_of(entry, seat, against, deck)


def test_all_faults_of_a_deck_are_told() -> None:
    faults = [{"where": "ann", "text": "too many"}, {"where": "deck", "text": "too small"}]
    refused = CommandRefused({"code": "bad_deck", "message": "the deck is not legal", "details": {"faults": faults}})
    assert told(refused) == "bad_deck: the deck is not legal: ann: too many; deck: too small"


async def test_the_clock_shows_service_time() -> None:
    class Service:
        async def ping(self, _: str) -> dict[str, int]:
            return {"at": 1_000_000}

    clock = await service_clock(Service(), "r1")  # type: ignore[arg-type]
    first = clock()
    assert first >= 1_000_000
    assert clock() >= first
