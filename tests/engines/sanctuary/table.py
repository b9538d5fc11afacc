"""Lay a table of ``sanctuary`` in the notation of the examples: ``lay(zoo0="C3:t1_bird D3:x01~", cards0="P F R W2")``.

A zoo: ``space:tile``; ``~`` face down from hand, ``!`` face down from the pile, ``below+above`` a release on an animal.
Cards: slots 1 to 4, P F R W for projects, forest, rock, water, ``2`` behind a card that shows side 2. Piles and
displays are lists of ids, ``-`` an empty position; the first of a pile is drawn first. Only tiles that are named are
in the match, so a test says where everything lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from engines.rules import Act, Match, Pack
from engines.sanctuary import Sanctuary
from engines.sanctuary.options import Options
from engines.sanctuary.scoring import sheet_of
from engines.sanctuary.state import Laid, Seat, State, Trigger, zoo_of
from engines.sanctuary.terms import Card
from engines.sanctuary.tiles import Atlas, Tile
from tests.scene import Scene

RULES = Sanctuary()
CARDS: dict[str, Card] = {"P": "projects", "F": "forest", "R": "rock", "W": "water"}
OBJECTIVES = ("ob_bird", "ob_reptile", "ob_africa", "ob_building", "ob_predator")
DISPLAY = "x35 x36 x37 x38 x39 x40"
PILE = "x21 x22 x23 x24 x25 x26 x27 x28 x29 x30"


@cache
def fixture() -> Pack:
    """Read the fixture pack."""
    return RULES.read_pack((files("tests.engines.sanctuary") / "fixture.toml").read_bytes())


def tile(**fields: Any) -> Tile:
    """Make a tile for one test, as a pack would."""
    plain = {"kind": "building", "name": fields["id"], "icons": []}
    if fields.get("kind") == "animal":
        plain |= {"species": f"s_{fields['id']}", "sex": "n", "level": 1}
    if fields.get("kind") == "project":
        plain |= {"level": 1}
    return msgspec.convert(plain | fields, Tile)


class Zoos(Scene):
    """A scene in which whole plays are one line."""

    @property
    def table(self) -> State:
        state: State = self.state
        return state

    def play(self, seat: int, card: str, animal: str, space: str, *areas: str) -> None:
        """Play an animal, with tiles for its open areas in the order of its arrows."""
        self.act(seat, "play_animal", card=card, tile=animal)
        self._put(seat, animal, space, areas)

    def second(self, seat: int, animal: str, space: str, *areas: str) -> None:
        self.act(seat, "play_second_animal", tile=animal)
        self._put(seat, animal, space, areas)

    def project(self, seat: int, project: str, space: str) -> None:
        self.act(seat, "play_project", tile=project)
        self._put(seat, project, space, ())

    def build(self, seat: int, building: str, space: str, *areas: str) -> None:
        self.act(seat, "play_building", tile=building)
        self._put(seat, building, space, areas)

    def _put(self, seat: int, name: str, space: str, areas: Sequence[str]) -> None:
        self.act(seat, "place", tile=name, space=space)
        for area in areas:
            self.act(seat, "put_open_area", space=self.offered(seat)[0]["space"], tile=area)

    def use(self, seat: int, effect: int, *acts: Act) -> None:
        """Settle an effect, and answer what it asks."""
        self.act(seat, "resolve_effect", effect=effect)
        if acts:
            self.answer(seat, *acts)

    def decline(self, seat: int, effect: int) -> None:
        self.act(seat, "decline_effect", effect=effect)

    def take(self, seat: int, position: int = 1) -> None:
        self.act(seat, "take_tile", position=position)

    def pass_turn(self, seat: int) -> None:
        """Play a turn as silence does, to its very end."""
        turn = self.table.turn_no
        while self.outcome is None and self.table.turn_no == turn and self.table.active == seat:
            self.stay_silent(seat)

    def finish(self, seat: int) -> None:
        self.act(seat, "finish_turn")

    def hand(self, seat: int) -> str:
        return self._spell(self.table.seats[seat].hand)

    def pile(self) -> str:
        """Spell the pile, the next tile first."""
        return self._spell(self.table.pile[::-1])

    def discards(self) -> str:
        return self._spell(self.table.discard)

    def display(self) -> str:
        keys = self.table.keys
        return " ".join("-" if number is None else keys[number] for number in self.table.display)

    def cards(self, seat: int) -> str:
        """Spell the cards as ``lay`` takes them."""
        lying = self.table.seats[seat]
        return " ".join(name + ("2" if lying.sides[CARDS[name]] == 2 else "") for name in map(_short, lying.slots))

    def zoo(self, seat: int, space: str) -> str:
        """Spell what lies on a space, as ``lay`` takes it."""
        stack = self.table.seats[seat].zoo.get(space, [])
        marks = {"play": "", "hand": "~", "pile": "!"}
        return "+".join(self.table.keys[laid.tile] + marks[laid.source] for laid in stack)

    def waiting(self) -> list[tuple[int, str]]:
        """Give the effects that wait: number and word."""
        return [(one.number, type(one.effect).__struct_config__.tag) for one in self.table.pending]  # type: ignore[misc]

    def places(self, seat: int) -> list[str]:
        return [act["space"] for act in self.offered(seat)]

    def offers(self, seat: int, do: str) -> list[Act]:
        return [act for act in self.offered(seat) if act["do"] == do]

    def _spell(self, numbers: Sequence[int]) -> str:
        return " ".join(self.table.keys[number] for number in numbers)


def _short(card: Card) -> str:
    return next(name for name, whole in CARDS.items() if whole == card)


class _Box:
    """Numbers for the tiles of a scene as they are named."""

    def __init__(self, printed: dict[str, Tile]) -> None:
        self.printed = printed
        self.keys: list[str] = []

    def number(self, key: str) -> int:
        assert key in self.printed, f"no tile {key}"
        self.keys.append(key)
        return len(self.keys) - 1

    def numbers(self, keys: str) -> list[int]:
        return [self.number(key) for key in keys.split()]


def lay(
    *, seats: int = 2, extra: Sequence[Tile] = (), phase: str = "action", active: int = 0, display: str = DISPLAY,
    pile: str = PILE, discard: str = "", objectives: Sequence[str] = OBJECTIVES, trigger: Trigger | None = None,
    queue: Sequence[int] = (), stage: int = 0, turn_no: int = 1, solo_left: int = 0,
    options: dict[str, Any] | None = None, **of_seats: Any,
) -> Zoos:  # fmt: skip
    """Lay a table. For seat n: ``handN zooN cardsN consN pouchN achN takenN pairsN usedN endN``."""
    chosen = Options(**(options or {}))
    printed = {one.id: one for one in (*fixture().cards, *extra)}
    box = _Box(printed)
    state = State(phase=phase, active=active, stage=stage, turn_no=turn_no, trigger=trigger)  # type: ignore[arg-type]
    state.seats = [_seat(box, at, of_seats) for at in range(seats)]
    assert not of_seats, f"not understood: {sorted(of_seats)}"
    state.display = [None if key == "-" else box.number(key) for key in display.split()]
    state.display += [None] * (6 - len(state.display))
    state.discard = box.numbers(discard)
    upwards = box.numbers(pile)[::-1]
    state.pile = [*_second_copies(box, chosen.pile_copies), *upwards]
    state.final_queue, state.solo_left = list(queue), solo_left
    atlas = Atlas([printed[key] for key in dict.fromkeys(box.keys)], fixture().cards.objectives.values(), _groups())
    state.keys = [*box.keys, *atlas.objectives]
    state.objectives = [state.keys.index(name) for name in objectives]
    beyond = range(len(box.keys), len(state.keys))
    state.unseen = [number for number in beyond if number not in state.objectives]
    match = Match(seats, chosen, atlas)
    for at, lying in enumerate(state.seats):
        lying.sheet = sheet_of(zoo_of(match, state, at), atlas.group_scores, lying, solo_left)
    return Zoos(RULES, match, state)


def _groups() -> Sequence[Any]:
    groups: Sequence[Any] = fixture().cards.group_scores
    return groups


def _second_copies(box: _Box, copies: int) -> list[int]:
    """With two copies of everything, those that a test does not name lie at the bottom of the pile."""
    missing = [key for key in dict.fromkeys(box.keys) for _ in range(copies - box.keys.count(key))]
    return [box.number(key) for key in missing]


def _seat(box: _Box, at: int, given: dict[str, Any]) -> Seat:
    lying = Seat()
    lying.hand = box.numbers(given.pop(f"hand{at}", ""))
    for word in given.pop(f"zoo{at}", "").split():
        space, _, names = word.partition(":")
        lying.zoo[space] = [_laid(box, name) for name in names.split("+")]
    words = given.pop(f"cards{at}", "P F R W").split()
    lying.slots = [CARDS[word[0]] for word in words]
    lying.sides = {CARDS[word[0]]: 2 if word.endswith("2") else 1 for word in words}
    lying.conservation = given.pop(f"cons{at}", 0)
    lying.pouch = given.pop(f"pouch{at}", 0)
    lying.end_marker = given.pop(f"end{at}", 0)
    lying.bonus_taken = given.pop(f"taken{at}", "").split()
    lying.pair_taken = given.pop(f"pairs{at}", "").split()
    lying.upgrade_used = given.pop(f"used{at}", "").split()
    for word in given.pop(f"ach{at}", "").split():
        needed, _, objective = word.partition(":")
        lying.achievements[needed] = objective
    return lying


def _laid(box: _Box, name: str) -> Laid:
    if name.endswith("~"):
        return Laid(box.number(name[:-1]), False, "hand")
    if name.endswith("!"):
        return Laid(box.number(name[:-1]), False, "pile")
    return Laid(box.number(name))
