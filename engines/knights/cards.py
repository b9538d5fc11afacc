"""The cards of a pack: what is printed on each, ranks and deities, looked up by id (KN-10.1).

Owns what follows from the printed card alone. Knows no state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from msgspec import Meta

from engines.knights.conditions import Condition, Filter, Form
from engines.knights.terms import SLOTS, Kind, Level, Rarity, Slot, Trigger
from engines.knights.words import Ability, Effects

Id = Annotated[str, Meta(pattern="^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=40)]
Name = Annotated[str, Meta(min_length=1, max_length=60)]
Text = Annotated[str, Meta(max_length=400)]
Stat30 = Annotated[int, Meta(ge=0, le=30)]


class Rank(Form, frozen=True, kw_only=True):
    id: Id
    letter: Annotated[str, Meta(max_length=3)]
    subranks: tuple[Id, ...] = ()
    text: Text = ""
    ability: Ability | None = None


class HouseRules(Form, frozen=True):
    """What a deity changes of a seat's counts (KN-10.3)."""

    opening_hand: Annotated[int, Meta(ge=4, le=7)] = 5
    hand_limit: Annotated[int, Meta(ge=6, le=10)] = 8


class Deity(Form, frozen=True, kw_only=True):
    id: Id
    name: Name
    pvd: Annotated[int, Meta(ge=1, le=30)]
    text: Text = ""
    rules: HouseRules = HouseRules()
    bonus: tuple[Ability, ...] = ()
    devotion: Ability | None = None


class Users(Form, frozen=True):
    """Which knights may use a technique: listed, or matching (KN-10.1)."""

    cards: tuple[Id, ...] = ()
    filter: Filter | None = None


class Blow(Form, frozen=True, kw_only=True):
    """The attack of a technique of level 1 to 3 (KN-10.1)."""

    bonus: Stat30 | None = None
    fixed: Stat30 | None = None
    reach: Literal["any", "front", "adjacent", "flanks"] | tuple[Slot, ...]
    select: Literal["one", "all"]
    ignore_armor: bool = False

    def __post_init__(self) -> None:
        if (self.bonus is None) == (self.fixed is None):
            raise ValueError("an attack has either `bonus` or `fixed`")

    def reaches(self, slot: int) -> tuple[int, ...]:
        """Give the enemy slots in reach of an attacker in ``slot`` (KN-10.1)."""
        if isinstance(self.reach, tuple):
            return tuple(sorted(set(self.reach)))
        steps = {"any": (-3, -2, -1, 0, 1, 2, 3), "front": (0,), "flanks": (-1, 1), "adjacent": (-1, 0, 1)}
        return tuple(slot + step for step in steps[self.reach] if slot + step in SLOTS)


class Card(Form, frozen=True, kw_only=True, rename={"abilities": "ability"}):
    """One printed card (KN-10.1)."""

    id: Id
    kind: Kind
    name: Name
    rarity: Rarity
    text: Text
    limit: Annotated[int, Meta(ge=1, le=3)] | None = None
    reference: Name | None = None
    rank: Id | None = None
    subrank: Id | None = None
    patron: Id | None = None
    elite: bool = False
    pv: Annotated[int, Meta(ge=1, le=60)] = 0
    ce: Stat30 = 0
    ar: Stat30 = 0
    pc: Stat30 = 0
    abilities: tuple[Ability, ...] = ()
    level: Level | None = None
    cost: Stat30 | None = None
    users: Users | None = None
    attack: Blow | None = None
    on_use: Effects = ()
    on_hit: Effects = ()
    react: Effects = ()
    own: Effects = ()
    protects: Literal["self", "ally"] = "self"
    when: tuple[Condition, ...] = ()
    effects: Effects = ()
    host_filter: Filter | None = None

    @property
    def most(self) -> int:
        """Give how many copies a deck may hold (KN-7.4)."""
        return self.limit or {"C": 3, "R": 2, "E": 1}[self.rarity]


class Deck(Form, frozen=True, kw_only=True):
    """A ready-made deck of a pack."""

    name: Name
    deity: Id
    cards: dict[str, Annotated[int, Meta(ge=1, le=3)]]


NO_ABILITIES: tuple[tuple[int, Ability], ...] = ()


class Cards:
    """All of a pack. ``abilities`` of a knight are 1 its own, 2 its rank's, 3 its patron's devotion (KN-6.1)."""

    __slots__ = ("_abilities", "_passives", "_triggered", "by_id", "decks", "deities", "id", "ranks", "title")

    def __init__(
        self, pack: str, title: str, ranks: Iterable[Rank], deities: Iterable[Deity], cards: Iterable[Card],
        decks: Iterable[Deck],
    ) -> None:  # fmt: skip
        self.id = pack
        self.title = title
        self.ranks = {rank.id: rank for rank in ranks}
        self.deities = {deity.id: deity for deity in deities}
        self.by_id = {card.id: card for card in cards}
        self.decks = tuple(decks)
        self._abilities = {card.id: tuple(self._numbered(card)) for card in self}
        self._passives = {
            key: tuple((at, one) for at, one in found if one.kind == "passive")
            for key, found in self._abilities.items()
        }
        self._triggered: dict[tuple[str, Trigger], tuple[tuple[int, Ability], ...]] = {}
        for key, found in self._abilities.items():
            for at, ability in found:
                if ability.trigger is not None:
                    earlier = self._triggered.get((key, ability.trigger), NO_ABILITIES)
                    self._triggered[key, ability.trigger] = (*earlier, (at, ability))

    def _numbered(self, card: Card) -> Iterator[tuple[int, Ability]]:
        yield from enumerate(card.abilities, 1)
        if card.kind == "knight":
            rank, patron = self.ranks.get(card.rank or ""), self.deities.get(card.patron or "")
            if rank is not None and rank.ability is not None:
                yield 2, rank.ability
            if patron is not None and patron.devotion is not None:
                yield 3, patron.devotion

    def __getitem__(self, key: str) -> Card:
        return self.by_id[key]

    def __contains__(self, key: object) -> bool:
        return key in self.by_id

    def __iter__(self) -> Iterator[Card]:
        return iter(self.by_id.values())

    def abilities(self, key: str) -> tuple[tuple[int, Ability], ...]:
        """Give a card's abilities with their numbers, whether or not they are in force."""
        return self._abilities[key]

    def passives(self, key: str) -> tuple[tuple[int, Ability], ...]:
        return self._passives[key]

    def triggered(self, key: str, trigger: Trigger) -> tuple[tuple[int, Ability], ...]:
        return self._triggered.get((key, trigger), NO_ABILITIES)
