"""Playing again: one new room for an ended one, whoever of its seats asks, by whichever node, and how often.

First the new room is made, under an id that follows from the old one; then the old one is linked to it, which tells its
people. Whoever is interrupted in between is finished by the next one to ask.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from protocol.errors import Refused
from protocol.messages import Ok, Rematch
from server.decisions import deck_of
from server.live import Live
from server.opening import ROOM_TRIES
from server.room import Ruleset
from server.rooms import Caller, Decide, Decision, Rooms
from server.state import OVER, Next, Open, RoomState, Seat, decks_of, decode_logged


async def play_again(rooms: Rooms, caller: Caller, command: Rematch) -> Ok:
    """Give the room in which an ended one is played again, made now or before.

    Raises Refused (not_found, not_seated, wrong_status, conflict, and as for ``create``), RulesMissing, Unavailable.
    """
    if (kept := await rooms.outcome(command.room, caller)) is not None:
        return kept
    live = await rooms.fresh(command.room)
    seat = _require_seat(live.state, caller.account)
    if live.state.status not in OVER:
        raise Refused("wrong_status", "a match that goes on cannot be played again", status=live.state.status)
    if live.state.next is None:
        await rooms.act(command.room, _link(await _make(rooms, live)), None)
        live = await rooms.live(command.room)
    assert live.state.next is not None  # it was there, or has just been written by this node or another
    return Ok(command.id, live.state.next.room, seat=(seat - 1) % len(live.state.seats), code=live.state.code)


def _require_seat(state: RoomState, account: str) -> int:
    seat = state.seat_of(account)
    if seat is None:
        raise Refused("not_found" if state.plan.private else "not_seated")
    return seat


def _link(room: str) -> Decide:
    def decide(live: Live, now: int) -> Decision:
        return Decision(following=Next(room, now)) if live.state.next is None else Decision()

    return decide


async def _make(rooms: Rooms, live: Live) -> str:
    """Make the new room, or find the one that was made. Gives its id."""
    state = live.state
    rules = rooms.rulesets.rules(state.game)
    pack = rooms.rulesets.pack(rules, state.pack_id)
    await rooms.rulesets.keep(pack)
    decks = decks_of([decode_logged(raw) for raw in await rooms.store.inputs(state.id)])
    seats = [(seat, _still_legal(Ruleset(rules, pack), decks.get(at))) for at, seat in enumerate(state.seats)]
    seats = [*seats[1:], seats[0]]
    maker = Caller("", f"rematch of {state.id}", hashlib.sha256(state.id.encode()).digest()[:16])
    for n in range(ROOM_TRIES):
        room = rooms.store.rematch_id(state.id, n)
        given = Open(
            room, rules.name, rules.version, pack.id, pack.hash, state.options, state.plan,
            tuple(seat.bot for seat, _ in seats), tuple(deck for _, deck in seats), secrets.token_bytes(32),
            tuple(at for at, (seat, _) in enumerate(seats) if _waits(seat)), tuple(_name(seat) for seat, _ in seats),
        )  # fmt: skip
        accounts = {at: who for at, (seat, _) in enumerate(seats) if (who := seat.account or seat.kept_for) is not None}
        if await rooms.create(room, Ruleset(rules, pack), given, maker, state.code, accounts) is not None:
            return room
    raise Refused("busy", retry_after_ms=1_000)


def _waits(seat: Seat) -> bool:
    return seat.kept_for is not None and not seat.taken


def _name(seat: Seat) -> str:
    return seat.name if seat.bot is None else ""


def _still_legal(ruleset: Ruleset, deck: Any) -> Any:
    """Give a deck again, unless the rules or the pack have moved on so that it is not legal any more."""
    try:
        return deck_of(ruleset, deck) if deck is not None else None
    except Refused:
        return None
