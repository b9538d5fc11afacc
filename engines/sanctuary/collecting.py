"""What putting a tile sets off: effects in the order in which they are collected (SA-4.25, SA-4.30, SA-4.31).

Gains and the pair bonus are carried out at once; everything else waits until the seat settles it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec import Struct

from engines.sanctuary.counts import Site, number
from engines.sanctuary.state import Game, Waiting, as_told, ground_of, tile_of, zoo_of
from engines.sanctuary.terms import Counter
from engines.sanctuary.tiles import Tile
from engines.sanctuary.words import Ability, Effect, Gain, OnOpenArea, OnPair, OnPlay, OnSupport, OpenArea, Shift

A = TypeVar("A", bound=Ability)


class Played(Struct, frozen=True):
    """What has just been put down. ``areas``: spaces of its open areas; ``covered``: what a release lies on."""

    tile: int
    space: str
    areas: tuple[str, ...] = ()
    covered: Tile | None = None


def collect_played(table: Game, played: Played) -> None:
    """Collect what playing a tile from hand sets off (SA-4.29, SA-4.30)."""
    if played.covered is None:  # SA-4.27: a covered space was covered before
        placement_bonus(table, played.space)
    for area in played.areas:
        placement_bonus(table, area)
    tile = tile_of(table, played.tile)
    for effect in tile.effects:
        collect(table, effect, played.tile, covered=played.covered)
    paired = pair_bonus(table, played.space)
    for source, ability in _abilities(table, OnPlay):
        if tile.shows(ability.icon):  # SA-4.34: once, however often it shows the icon
            collect_all(table, ability.effects, source)
    for _ in played.areas:
        collect_open_area(table)
    if paired:
        collect_pair(table)


def collect_moved(table: Game, to: str) -> None:
    """Collect what moving a stack sets off: bonus and pair, nothing else (SA-6.19)."""
    placement_bonus(table, to)
    if pair_bonus(table, to):
        collect_pair(table)


def collect_open_area(table: Game) -> None:
    """Collect what putting an open area sets off (SA-6.32)."""
    for source, ability in _abilities(table, OnOpenArea):
        collect_all(table, ability.effects, source)


def collect_pair(table: Game) -> None:
    for source, ability in _abilities(table, OnPair):  # SA-6.33
        collect_all(table, ability.effects, source)


def collect_support(table: Game) -> None:
    for source, ability in _abilities(table, OnSupport):  # SA-6.34
        collect_all(table, ability.effects, source)


def placement_bonus(table: Game, space: str) -> None:
    """Collect the bonus of a space that is covered for the first time (SA-4.25)."""
    state, seat = table.state, table.state.mine
    effect = ground_of(table.match).bonus(space)
    if effect is None or space in seat.bonus_taken:
        return
    seat.bonus_taken.append(space)
    table.emit("placement_bonus", seat=state.active, space=space)
    collect(table, effect, -1, space)


def pair_bonus(table: Game, space: str) -> bool:
    """Give the marker for a completed pair, once a species (SA-4.28); say whether it was given."""
    state, seat = table.state, table.state.mine
    zoo = zoo_of(table.match, state, state.active)
    tile = zoo.tops[space]
    if tile is None or tile.species is None or tile.species in seat.pair_taken or not zoo.mates(space, tile):
        return False
    seat.pair_taken.append(tile.species)
    table.emit("pair_completed", seat=state.active, species=tile.species)
    gain(table, "conservation", 1, "pair")
    return True


def gain(table: Game, marker: Counter, delta: int, reason: str) -> None:
    """Add or take markers; the supply has no end (SA-6.13)."""
    seat = table.state.mine
    if not delta:
        return
    setattr(seat, marker, getattr(seat, marker) + delta)
    table.emit("markers_changed", seat=table.state.active, marker=marker, delta=delta, reason=reason)


def collect_all(table: Game, effects: Iterable[Effect], source: int) -> None:
    for effect in effects:
        collect(table, effect, source)


def collect(table: Game, effect: Effect, source: int, space: str = "", covered: Tile | None = None) -> None:
    """Carry a gain out, or let an effect wait under its number (SA-4.31)."""
    table.spend()
    if isinstance(effect, Gain):
        gain(table, effect.marker, _gained(table, effect, source, space, covered), "effect")
        return
    for one in _apart(effect):
        state = table.state
        state.effect_seq += 1
        waiting = Waiting(state.effect_seq, one, source, space)
        if isinstance(one, Shift) and state.phase in ("action", "second"):  # SA-6.16
            state.deferred.append(waiting)
        else:
            state.pending.append(waiting)
            table.emit("effect_pending", seat=state.active, **as_told(state, waiting))


def _apart(effect: Effect) -> Iterator[Effect]:
    """Several open areas are several effects (SA-6.15)."""
    if isinstance(effect, OpenArea):
        yield from (OpenArea(1) for _ in range(effect.n))
    else:
        yield effect


def _gained(table: Game, effect: Gain, source: int, space: str, covered: Tile | None) -> int:
    """Count a gain as it is collected (SA-6.21)."""
    if effect.by_size is not None:
        size = covered.size if covered is not None else None
        return (effect.by_size.large if size == "large" else effect.by_size.small) or 0
    return number(effect.n or 0, site_of(table, Waiting(0, effect, source, space)))


def site_of(table: Game, waiting: Waiting) -> Site:
    """Say where an effect counts from: the space of its tile, wherever that lies now, or the bonus space (SA-4.30)."""
    state, seat = table.state, table.state.mine
    space = waiting.space if waiting.tile < 0 else seat.where(waiting.tile)
    tile = None if waiting.tile < 0 else tile_of(table, waiting.tile)
    zoo = zoo_of(table.match, state, state.active)
    return Site(zoo, space, tile, len(seat.hand), len(seat.supported))


def undefer(table: Game) -> None:
    """Let the shifts of an action wait with the rest, now that its card has moved (SA-4.15, SA-6.16)."""
    state = table.state
    for waiting in state.deferred:
        state.pending.append(waiting)
        table.emit("effect_pending", seat=state.active, **as_told(state, waiting))
    state.deferred = []


def _abilities(table: Game, kind: type[A]) -> list[tuple[int, A]]:
    """List the abilities of one kind in the zoo, the new tile's included, by space and data order (SA-4.35)."""
    state = table.state
    zoo = zoo_of(table.match, state, state.active)
    return [
        (state.mine.zoo[space][-1].tile, ability)
        for space, tile in zoo.placed()
        for ability in tile.abilities
        if isinstance(ability, kind)
    ]
