"""How a waiting effect is settled: chosen, carried out or declined, or dropped when nothing can be (SA-4.32, SA-6.11 to SA-6.20)."""  # noqa: E501

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.rules import Flow
from engines.sanctuary import offers
from engines.sanctuary.cards import move_to_front
from engines.sanctuary.collecting import (
    collect_moved,
    collect_open_area,
    gain,
    placement_bonus,
    site_of,
)  # fmt: skip
from engines.sanctuary.counts import number
from engines.sanctuary.piles import discard, discard_from_hand, draw, take, tell_refreshed, turn_up
from engines.sanctuary.placing import moves
from engines.sanctuary.state import Game, Laid, Waiting, as_told, keys_of, tile_of, zoo_of
from engines.sanctuary.words import Draw, OpenArea, Pouch, Relocate, Reveal, Shift, Take


def settle(table: Game) -> Flow[None]:
    """Settle one effect of the seat's choice, or drop all if none can be carried out (SA-4.32, SA-4.33)."""
    state = table.state
    able = [waiting for waiting in state.pending if is_possible(table, waiting)]
    if not able:
        for waiting in sorted(state.pending, key=lambda one: one.number):
            table.emit("effect_skipped", seat=state.active, **as_told(state, waiting))
        state.pending = []
        return
    (act,) = yield offers.effects_prompt(table, able)
    waiting = next(one for one in state.pending if one.number == act["effect"])
    if act["do"] == "decline_effect":
        state.pending.remove(waiting)
        table.emit("effect_declined", seat=state.active, **as_told(state, waiting))
        return
    yield from CARRY_OUT[type(waiting.effect)](table, waiting)


def is_possible(table: Game, waiting: Waiting) -> bool:
    """Say whether an effect can be carried out now: by public facts (SA-6.20)."""
    state = table.state
    zoo = zoo_of(table.match, state, state.active)
    match waiting.effect:
        case Draw(n=n):
            return bool(state.pile) and number(n, site_of(table, waiting)) >= 1
        case Reveal():
            return bool(state.pile)
        case Take(filter=wanted):
            return any(n is not None and tile_of(table, n).matches(wanted) for n in state.display)
        case Pouch():
            return bool(state.mine.hand)
        case OpenArea():
            return bool(state.pile) and bool(zoo.building_sites())
        case Relocate():
            return any(True for _ in moves(zoo, len(state.mine.hand), len(state.mine.supported)))
        case _:
            return True


def _begin(table: Game, waiting: Waiting) -> None:
    """Take an effect off the list and tell that it is being carried out."""
    state = table.state
    state.pending.remove(waiting)
    table.emit("effect_resolved", seat=state.active, **as_told(state, waiting))


def _draw(table: Game, waiting: Waiting) -> Flow[None]:
    """SA-6.11; a count is taken now (SA-6.21)."""
    assert isinstance(waiting.effect, Draw)
    count = number(waiting.effect.n, site_of(table, waiting))
    _begin(table, waiting)
    draw(table, table.state.active, count)
    yield from ()


def _take(table: Game, waiting: Waiting) -> Flow[None]:
    """SA-6.12: any position (SA-4.4)."""
    assert isinstance(waiting.effect, Take)
    acts = yield offers.take_prompt(table, waiting.number, waiting.effect)
    _begin(table, waiting)
    for act in acts:
        take(table, table.state.active, act["position"], "effect")


def _pouch(table: Game, waiting: Waiting) -> Flow[None]:
    """SA-6.14."""
    assert isinstance(waiting.effect, Pouch)
    acts = yield offers.pouch_prompt(table, waiting.number, waiting.effect.max)
    _begin(table, waiting)
    seat = table.state.active
    discard_from_hand(table, seat, offers.picked(table, acts), "pouch")
    gain(table, "pouch", len(acts), "pouch")


def _open_area(table: Game, waiting: Waiting) -> Flow[None]:
    """Put the top tile of the pile face down, unseen by anybody (SA-2.6, SA-6.15)."""
    state = table.state
    (act,) = yield offers.area_prompt(table, waiting.number)
    _begin(table, waiting)
    (tile,), sizes = turn_up(table, 1)
    state.mine.zoo[act["space"]] = [Laid(tile, False, "pile")]
    table.emit("open_area_placed", seat=state.active, space=act["space"], source="pile")
    tell_refreshed(table, sizes)
    placement_bonus(table, act["space"])
    collect_open_area(table)


def _shift(table: Game, waiting: Waiting) -> Flow[None]:
    """SA-6.16."""
    (act,) = yield offers.shift_prompt(table, waiting.number)
    _begin(table, waiting)
    move_to_front(table, act["card"])


def _reveal(table: Game, waiting: Waiting) -> Flow[None]:
    """Turn tiles up for everybody; if more match than may be kept, the seat picks next (SA-2.8, SA-6.17)."""
    state = table.state
    assert isinstance(waiting.effect, Reveal)
    _begin(table, waiting)
    state.revealed, sizes = turn_up(table, waiting.effect.n)
    table.emit("tiles_revealed", seat=state.active, tiles=keys_of(state, state.revealed))
    tell_refreshed(table, sizes)
    state.reveal = waiting
    found = matching(table)
    if len(found) <= waiting.effect.keep:
        keep(table, found)
    yield from ()


def matching(table: Game) -> list[int]:
    """Give the revealed tiles that may be kept, in the order turned up."""
    state = table.state
    assert state.reveal is not None
    assert isinstance(state.reveal.effect, Reveal)
    wanted = state.reveal.effect.filter
    return [number for number in state.revealed if tile_of(table, number).matches(wanted)]


def pick_revealed(table: Game) -> Flow[None]:
    """Let the seat keep some of what was turned up; this cannot be declined (SA-6.17)."""
    state = table.state
    assert state.reveal is not None
    assert isinstance(state.reveal.effect, Reveal)
    acts = yield offers.reveal_prompt(table, matching(table), state.reveal.effect.keep)
    keep(table, offers.picked_from(state, matching(table), acts))


def keep(table: Game, kept: list[int]) -> None:
    """Take tiles that were turned up into the hand, and discard the others in the order turned up."""
    state = table.state
    for number_kept in kept:
        table.emit("tile_kept", seat=state.active, tile=state.keys[number_kept])
    rest = [one for one in state.revealed if one not in kept]
    state.mine.hand += kept
    state.revealed, state.reveal = [], None
    if rest:
        discard(table, state.active, rest, "reveal")


def _relocate(table: Game, waiting: Waiting) -> Flow[None]:
    """Move a whole stack (SA-6.18, SA-6.19)."""
    state, seat = table.state, table.state.mine
    (act,) = yield offers.relocate_prompt(table, waiting.number)
    _begin(table, waiting)
    start, to = act["from"], act["to"]
    seat.zoo[to] = seat.zoo.pop(start)
    top = seat.zoo[to][-1]
    route: dict[str, Any] = {"from": start, "to": to}
    known = {state.active: {"tile": state.keys[top.tile]}} if top.source == "hand" else {}  # SA-2.6
    told = state.keys[top.tile] if top.up else "open area"
    table.emit("tile_relocated", seat=state.active, **route, tile=told, secret=known)
    collect_moved(table, to)


CARRY_OUT: dict[type, Callable[[Game, Waiting], Flow[None]]] = {
    Draw: _draw,
    Take: _take,
    Pouch: _pouch,
    OpenArea: _open_area,
    Shift: _shift,
    Reveal: _reveal,
    Relocate: _relocate,
}
