"""Saints and graces come into play and leave it; friends are chosen (PA-4.9, PA-4.13, PA-4.14, PA-4.16, PA-4.20).

Owns the zones ``terra``, ``graces`` and ``friend``. Knows no cost and no phase but that of PA-4.13.
"""

from __future__ import annotations

from typing import Any

from engines.patron.progress import note
from engines.patron.state import Game, State, shown
from engines.patron.triggers import fire
from engines.patron.zones import arrive, into_discard, make_public, tell_move
from engines.rules import Flow


def duplicates(state: State, seat: int, key: str) -> bool:
    """Say whether a seat has a saint of this name in play (PA-4.11, PA-9.8)."""
    return any(state.key(number) == key for number in state.sides[seat].terra)


def enter(table: Game, number: int, kind: str, **told: Any) -> None:
    """Put a saint into its owner's Terra Sanctorum, tell it with an event of ``kind``, and let triggers fire."""
    state = table.state
    card = state.cards[number]
    seat, side = card.owner, state.sides[card.owner]
    _come(state, number)
    side.terra.append(number)
    side.saints_played_turn += 1
    if state.phase == "intercession" and seat == state.active:
        state.saints_this_phase += 1  # PA-4.13, PA-9.11
    if number == side.patron:
        side.in_play = True  # PA-4.42: its own entry is no progress
    else:
        note(table, seat, "saint_played", number)
    table.emit(kind, seat=seat, card=shown(card), **told)
    fire(table, "played", (seat,), number)
    fire(table, "saint_played", (seat,), number)


def _come(state: State, number: int) -> None:
    state.entries += 1
    state.cards[number].entered = state.entries


def stack(table: Game, number: int) -> None:
    """Put a grace that is public on top of its owner's graces: it is played (PA-4.20)."""
    state = table.state
    card = state.cards[number]
    side = state.sides[card.owner]
    _come(state, number)
    side.graces.append(number)
    side.graces_played_turn += 1
    note(table, card.owner, "grace_played", number)
    table.emit("grace_played", seat=card.owner, card=shown(card))
    fire(table, "played", (card.owner,), number)
    fire(table, "grace_played", (card.owner,), number)


def befriend(table: Game, number: int) -> None:
    """Make a saint in play its patron's friend, in place of any other (PA-4.14, PA-4.16)."""
    state = table.state
    card = state.cards[number]
    side = state.sides[card.owner]
    previous = None if side.friend is None else shown(state.cards[side.friend])
    side.friend = number
    table.emit("friend_set", seat=card.owner, card=shown(card), previous=previous)
    fire(table, "friend_set", (card.owner,), number)


def leave(table: Game, number: int, zone: str, goal: str) -> Flow[None]:
    """Take a saint, grace or face-down event from the table to its owner's discard, hand or deck bottom (PA-6.5)."""
    state = table.state
    seat = state.cards[number].owner
    side = state.sides[seat]
    public = zone != "event"
    more = {"was": state.cards[number].id} if public else {"slot": _take_slot(state, seat, number)}
    if zone == "saint":
        side.terra.remove(number)
        side.friend = None if side.friend == number else side.friend  # PA-6.5: the place is left empty
    elif zone == "grace":
        side.graces.remove(number)
    if goal == "hand":
        yield from arrive(table, number, ZONES[zone], reveal=public, more=more)
    elif goal == "discard":
        if not public:
            make_public(state, number)  # PA-2.7
        into_discard(table, number)
        tell_move(table, number, ZONES[zone], "discard", public=True, **more)
    else:
        tell_move(table, number, ZONES[zone], "deck", public=public, **more)
        state.cards[number].id = ""
        side.deck.append(number)


ZONES = {"saint": "terra", "grace": "graces", "event": "events"}


def _take_slot(state: State, seat: int, number: int) -> str:
    """Take a face-down event out of its slot; nobody has been shown that slot any more (PA-2.5 ``peeked``)."""
    side = state.sides[seat]
    slot = next(slot for slot in side.events if slot.card == number)
    side.events.remove(slot)
    for other in state.sides:
        if slot.slot in other.peeked:
            other.peeked.remove(slot.slot)
    return slot.slot


def reveal(table: Game, seat: int, slot: str) -> int:
    """Turn a face-down event up: it leaves its slot and is in no zone while it is contested (PA-4.30, PA-2.6)."""
    state = table.state
    found = next(one for one in state.sides[seat].events if one.slot == slot)
    _take_slot(state, seat, found.card)
    make_public(state, found.card)
    state.resolving = found.card
    return found.card
