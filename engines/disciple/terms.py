"""The smallest terms of card data: virtues, sides, numbers, and which cards are meant (DI-6.4, DI-6.6).

Owns the words that effects, conditions and cards share. Knows no state.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Virtue = Literal["book", "drop", "fire", "heart", "prayer"]
VIRTUES: tuple[Virtue, ...] = ("book", "drop", "fire", "heart", "prayer")  # DI-2.1
Kind = Literal["saint", "deed"]
Rarity = Literal["common", "uncommon", "rare", "miraculous"]
Tag = Literal[
    "life", "nature", "place", "protection", "work", "family", "people", "health", "poverty", "children", "travel",
    "learning",
]  # fmt: skip
Who = Literal["own", "enemy"]
Side = Literal["any", "own", "enemy"]
Face = Literal["any", "saint", "disciple"]
Place = Literal["any", "here", "book", "drop", "fire", "heart", "prayer"]
Near = Literal["here", "book", "drop", "fire", "heart", "prayer"]
PickWord = Literal["choose", "all", "self", "event", "same"]
Op = Literal[">=", "<=", "="]
Duration = Literal["this_turn", "until_own_next_turn"]  # DI-6.19
Trigger = Literal[
    "enter", "flip_down", "flip_up", "moved", "leave", "abundance", "ally_enter", "enemy_enter", "turn_start",
    "turn_end", "reaction", "play", "static",
]  # fmt: skip
Shield = Literal[
    "move", "flip_down", "flip_up", "return_hand", "return_bottom", "discard_card", "switch_side", "silence", "boost",
    "all",
]  # fmt: skip

Cards30 = Annotated[int, Meta(ge=1, le=30)]
UpTo30 = Annotated[int, Meta(ge=0, le=30)]
Number = Annotated[int, Meta(ge=0, le=99)]
Bonus = Annotated[int, Meta(ge=-3, le=3)]


class Word(Struct, frozen=True, forbid_unknown_fields=True):
    """Any table of the vocabulary: what it does not know it refuses."""


class Scope(Word, frozen=True, kw_only=True):
    """Which cards on the board (DI-6.6), without how they are picked; seen from the ability's controller."""

    side: Side = "any"
    face: Face = "any"
    column: Place = "any"
    other: bool = False
    tag: Tag | None = None
    symbol: Virtue | None = None


class Target(Scope, frozen=True):
    """Which cards a primitive treats (DI-6.6). "Up to X" is ``min = 0, max = X``."""

    pick: PickWord
    min: UpTo30 = 1
    max: Cards30 = 1

    def __post_init__(self) -> None:
        check_order(self.min, self.max)


class CardFilter(Word, frozen=True):
    """Which cards of a hand, deck or discard; no key: every card."""

    kind: Kind | None = None
    symbol: Virtue | None = None
    tag: Tag | None = None
    rarity: Rarity | None = None


class EventFilter(Word, frozen=True):
    """Which event saints wake an ability (DI-6.4); ``column`` is the one the saint lies in."""

    column: Virtue | None = None
    symbol: Virtue | None = None
    tag: Tag | None = None


def check_order(least: int, most: int) -> None:
    """Raise ValueError if a card asks for at least more than it allows."""
    if least > most:
        raise ValueError("`min` is greater than `max`")
