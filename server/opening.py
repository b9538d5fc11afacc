"""How a room begins: everything that a new room is asked to be is looked at before it is made."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo

from engines.bots import bots_of
from engines.rules import Pack, Rules
from protocol.errors import Refused
from protocol.messages import Create, Ok, RoomPlan, SeatPlan
from server.decisions import deck_of
from server.room import Ruleset
from server.rooms import Caller, Rooms
from server.state import Open
from server.timing import LEAST_MS, terms_of

CODE_CHARS = 8
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
ROOM_TRIES = 8


async def open_room(rooms: Rooms, caller: Caller, command: Create, kept_for: Mapping[int, str] | None = None) -> Ok:
    """Make the room that a command asks for; sent again, the command meets the room that it made.

    ``kept_for``: accounts by the seats that wait for them.

    Raises Refused (unknown_game, unknown_pack, bad_options, bad_seats, bad_deck), Unavailable.
    """
    rules = rooms.rulesets.rules(command.game)
    pack = rooms.rulesets.pack(rules, command.pack)
    plans = command.seats or (SeatPlan(),) * rules.seats[0]
    _require_options(rules, command.options, len(plans))
    _require_time(rules, command.room)
    bots, decks = _plan_seats(Ruleset(rules, pack), plans)
    await rooms.rulesets.keep(pack)
    kept = dict(sorted((kept_for or {}).items()))
    code = "".join(secrets.choice(_LETTERS) for _ in range(CODE_CHARS)) if command.room.private else None
    for n in range(ROOM_TRIES):
        room = rooms.store.room_id(caller.account, caller.id, n)
        given = _opening(room, rules, pack, command, bots, decks, tuple(kept))
        ok = await rooms.create(room, Ruleset(rules, pack), given, caller, code, kept)
        if ok is not None:
            return ok
    raise Refused("busy", retry_after_ms=1_000)


def _opening(
    room: str,
    rules: Rules[Any],
    pack: Pack,
    command: Create,
    bots: tuple[str | None, ...],
    decks: tuple[Any, ...],
    kept: tuple[int, ...],
) -> Open:
    return Open(
        room, rules.name, rules.version, pack.id, pack.hash, command.options, command.room, bots, decks,
        secrets.token_bytes(32), kept,
    )  # fmt: skip


def _require_options(rules: Rules[Any], options: dict[str, Any], seats: int) -> None:
    faults = option_faults(rules, options, seats)
    if faults:
        raise Refused("bad_options", faults=faults)


def _require_time(rules: Rules[Any], plan: RoomPlan) -> None:
    """Let no room begin in which a seat has no time at all."""
    terms = terms_of(rules.pace, plan)
    if terms.turn + terms.bank < LEAST_MS:
        text = "a clock gives at least a second: set turn_s, decision_s or bank_s"
        raise Refused("bad_options", faults=[{"where": "room.bank_s", "text": text}])


@cache
def _fields(kind: type[Struct]) -> dict[str, FieldInfo]:
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def option_faults(rules: Rules[Any], options: dict[str, Any], seats: int) -> list[dict[str, str]]:
    """List all that is wrong with a match's options: unknown names, values of the wrong kind, misfits."""
    fields = _fields(rules.Options)
    faults = [
        {"where": name, "text": f"no such option; there are: {', '.join(fields)}"}
        for name in options
        if name not in fields
    ]
    for name in fields.keys() & options.keys():
        try:
            msgspec.convert(options[name], fields[name].type)
        except msgspec.ValidationError as error:
            faults.append({"where": name, "text": str(error)})
    if faults:
        return sorted(faults, key=lambda fault: fault["where"])
    typed = msgspec.convert(options, rules.Options)
    return [{"where": fault.where, "text": fault.text} for fault in rules.option_faults(typed, seats)]


def _plan_seats(ruleset: Ruleset, plans: tuple[SeatPlan, ...]) -> tuple[tuple[str | None, ...], tuple[Any, ...]]:
    rules = ruleset.rules
    fewest, most = rules.seats
    if not fewest <= len(plans) <= most:
        raise Refused("bad_seats", f"{rules.name} has {fewest} to {most} seats", fewest=fewest, most=most)
    unknown = sorted({plan.bot for plan in plans if plan.bot is not None and plan.bot not in bots_of(rules)})
    if unknown:
        raise Refused("bad_seats", f"no such bot: {', '.join(unknown)}", bots=sorted(bots_of(rules)))
    decks = tuple(_bot_deck(ruleset, plan, at) if plan.bot is not None else None for at, plan in enumerate(plans))
    return tuple(plan.bot for plan in plans), decks


def _bot_deck(ruleset: Ruleset, plan: SeatPlan, seat: int) -> Any:
    """Give a bot its deck: the one planned, or a ready-made one, another for each seat."""
    ready = list(ruleset.rules.ready_decks(ruleset.pack)) if ruleset.rules.brings_decks else []
    if plan.deck is not None or not ready:
        return deck_of(ruleset, plan.deck)
    return deck_of(ruleset, ready[seat % len(ready)])
