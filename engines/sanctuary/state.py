"""The table of a match as it lies between two steps (SA-2): what the rules name, and nothing half done.

Owns the form of the state, which can be stored at every prompt (SA-2.12). Knows no rule of play and sends nothing.
Tiles and objectives are named by internal numbers, places in ``State.keys``; the numbers never leave the engine, so
copies cannot be told apart (SA-2.5a).
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field, to_builtins

from engines.rules import Match, Table
from engines.sanctuary.grid import SPACES
from engines.sanctuary.maps import Ground, shipped_maps
from engines.sanctuary.terms import ACHIEVEMENTS, CARDS, DISPLAY, MARKERS, Card, Marker, Phase, Status
from engines.sanctuary.tiles import Atlas, Tile
from engines.sanctuary.words import Effect
from engines.sanctuary.zoo import Zoo

Source = Literal["play", "hand", "pile"]


class Laid(Struct, array_like=True):
    """A tile on a space (SA-2.6). Face down it is an open area, from a hand or from the pile."""

    tile: int
    up: bool = True
    source: Source = "play"


class Sheet(Struct, frozen=True, kw_only=True):
    """Points by part (SA-8.12), and for ties the animals that lie in the zoo (SA-8.13)."""

    animals: int = 0
    buildings: int = 0
    projects: int = 0
    open_areas: int = 0
    achievements: int = 0
    pouch: int = 0
    conservation: int = 0
    end_marker: int = 0
    solo: int = 0
    total: int = 0
    animal_tiles: int = 0


class Waiting(Struct, frozen=True):
    """An effect that waits to be settled (SA-4.30). ``tile``: the number of its source, -1: the bonus of ``space``."""

    number: int
    effect: Effect
    tile: int = -1
    space: str = ""


class Used(Struct):
    """The card in use during the action (SA-4.7). ``animals``: played so far; ``budget``: left for the second."""

    card: Card
    mode: Literal["play", "gather"]
    budget: int = 0
    animals: int = 0


class Trigger(Struct, frozen=True):
    """Who set off the final round, and why (SA-8.2)."""

    seat: int
    reasons: tuple[str, ...]


class Result(Struct, frozen=True):
    """That the match is over by the rules, and why (SA-8.12). ``won``: in solo."""

    reasons: tuple[str, ...]
    won: bool | None = None


class Seat(Struct):
    """What lies before one seat (SA-2.2). ``slots``: cards from slot 1 on. ``achievements``: needed → objective."""

    hand: list[int] = field(default_factory=list)
    zoo: dict[str, list[Laid]] = field(default_factory=dict)
    slots: list[Card] = field(default_factory=lambda: list(CARDS))
    sides: dict[Card, int] = field(default_factory=lambda: dict.fromkeys(CARDS, 1))
    achievements: dict[str, str | None] = field(default_factory=lambda: dict.fromkeys(map(str, ACHIEVEMENTS)))
    upgrade_used: list[Marker] = field(default_factory=list)
    conservation: int = 0
    pouch: int = 0
    end_marker: int = 0
    bonus_taken: list[str] = field(default_factory=list)
    pair_taken: list[str] = field(default_factory=list)
    status: Status = "active"
    turns: int = 0
    sheet: Sheet = Sheet()

    def strength(self, card: Card) -> int:
        """Give the slot, one more on side 2 (SA-4.6)."""
        return self.slots.index(card) + 1 + (self.sides[card] == 2)

    @property
    def supported(self) -> list[str]:
        return [objective for objective in self.achievements.values() if objective is not None]

    @property
    def spare_markers(self) -> list[Marker]:
        return [marker for marker in MARKERS if marker not in self.upgrade_used]

    def where(self, tile: int) -> str:
        """Give the space on which a tile of this zoo lies, covered or not."""
        return next(space for space in SPACES if any(laid.tile == tile for laid in self.zoo.get(space, ())))


class State(Struct):
    """Everything that SA-2 names. ``keys``: what each number is, tiles first; ``pile``: the last one is the top.

    ``unseen``: objectives that no seat will see. ``taken``: an optional step was taken this turn (SA-4.37).
    ``upgrades``: made this turn. ``revealed``: turned up, in progress (SA-6.17).
    """

    keys: list[str] = field(default_factory=list)
    pile: list[int] = field(default_factory=list)
    discard: list[int] = field(default_factory=list)
    display: list[int | None] = field(default_factory=lambda: [None] * DISPLAY)
    objectives: list[int] = field(default_factory=list)
    unseen: list[int] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    first_seat: int = 0
    active: int = 0
    phase: Phase = "start"
    turn_no: int = 0
    used: Used | None = None
    stage: int = 0
    taken: bool = False
    upgrades: int = 0
    pending: list[Waiting] = field(default_factory=list)
    deferred: list[Waiting] = field(default_factory=list)
    revealed: list[int] = field(default_factory=list)
    reveal: Waiting | None = None
    effect_seq: int = 0
    trigger: Trigger | None = None
    final_queue: list[int] = field(default_factory=list)
    solo_left: int = 0
    result: Result | None = None

    @property
    def mine(self) -> Seat:
        """What lies before the active seat."""
        return self.seats[self.active]

    def shown(self) -> list[str]:
        """Give the ids of the five revealed objectives, in order."""
        return [self.keys[number] for number in self.objectives]


Game = Table[State]
"""A table of this game."""


def atlas_of(match: Match) -> Atlas:
    atlas: Atlas = match.pack
    return atlas


def ground_of(match: Match) -> Ground:
    """Give the map on which all seats of a match build (SA-2.5)."""
    return shipped_maps()[match.options.map]


def zoo_of(match: Match, state: State, seat: int) -> Zoo:
    """Give what lies on top of each space of a seat's map (SA-1.1)."""
    tiles, keys = atlas_of(match).tiles, state.keys
    stacks = state.seats[seat].zoo
    tops = {space: tiles[keys[stack[-1].tile]] if stack[-1].up else None for space, stack in stacks.items()}
    return Zoo(ground_of(match), tops)


def tile_of(table: Game, number: int) -> Tile:
    return atlas_of(table.match)[table.state.keys[number]]


def keys_of(state: State, numbers: list[int]) -> list[str]:
    return [state.keys[number] for number in numbers]


def held(state: State, seat: int, tile: str) -> int:
    """Find a tile in a hand by its id: of several copies any, as nothing tells them apart (SA-2.5a)."""
    return next(number for number in state.seats[seat].hand if state.keys[number] == tile)


def source_of(state: State, waiting: Waiting) -> str:
    """Name what an effect comes from: a tile, or the space of a placement bonus."""
    return waiting.space if waiting.tile < 0 else state.keys[waiting.tile]


def as_told(state: State, waiting: Waiting) -> dict[str, Any]:
    """Give an effect as events and views name it: what it is, is public (SA-2.2)."""
    return {"effect": waiting.number, "what": to_builtins(waiting.effect), "source": source_of(state, waiting)}
