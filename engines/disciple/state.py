"""The table of a match as it lies between two steps (DI-2): what the rulebook names, and nothing half done.

Owns the form of the state and where every card lies. Knows no rule of play and sends nothing.
A card is named by its internal number, its place in ``State.cards``; that number never leaves the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct, field

from engines.disciple.cards import Cards
from engines.disciple.terms import VIRTUES, Duration, Trigger, Virtue
from engines.rules import Table

PUBLIC = 2
EVERYBODY = (0, 1, PUBLIC)
Phase = Literal["start", "main", "followup", "extra", "end"]
Step = Literal["start", "empty_hand", "main", "followup", "extra", "end", "fade", "over"]
"""What the engine does at the next quiet point: a phase, or a part of ``start`` or ``end`` (DI-4.1)."""


class Instance(Struct, array_like=True):
    """One card of a deck (DI-2.2). In a hand ``id`` is the owner's handle, in a deck it is empty, else public.

    ``mark`` differs after every change of zone. ``column``, ``side``, ``up`` and ``abundant`` say where and how it
    lies on the board; off the board ``column`` is None. ``known``: who has been shown which card this is, while it
    lies hidden (DI-2.7): seats, and PUBLIC.
    """

    key: str
    owner: int
    id: str = ""
    mark: int = 0
    column: Virtue | None = None
    side: int = 0
    up: bool = False
    abundant: bool = False
    known: list[int] = []

    def change_zone(self) -> None:
        """Become another thing for abilities that mean the card where it was (DI-2.2 ``zcc``)."""
        self.mark += 1
        self.known = []

    def reveal(self, *audiences: int) -> None:
        """Note who has been shown a hidden card."""
        self.known = sorted({*self.known, *audiences})


class Mention(Struct, array_like=True, frozen=True):
    """A card as everybody knew it at one moment, whatever became of it since (DI-2.6)."""

    card: int
    mark: int
    id: str
    key: str


class Pending(Struct, frozen=True):
    """An activated ability that waits (DI-4.13). ``ability``: its place among those of its card."""

    number: int
    seat: int
    trigger: Trigger
    ability: int
    source: Mention
    event: Mention | None = None


class Lasting(Struct, frozen=True):
    """A temporary effect on a card of the board (DI-6.19). ``seat``: who controlled the ability."""

    kind: Literal["boost", "silence"]
    card: int
    until: Duration
    seat: int
    n: int = 0


class Result(Struct, frozen=True):
    """How the match ended by the rules (DI-8.1)."""

    winner: int | None
    reason: Literal["virtues", "empty", "turn_limit"]


def _two() -> list[list[int]]:
    return [[], []]


def _columns() -> dict[Virtue, list[list[int]]]:
    return {virtue: [[], []] for virtue in VIRTUES}


def no_symbols() -> list[dict[Virtue, int]]:
    """Give the counts of an empty board: one table a seat, in the order of virtues (DI-2.1)."""
    return [dict.fromkeys(VIRTUES, 0) for _ in range(2)]


class State(Struct):
    """Everything that DI-2 names. Lists of cards hold internal numbers; decks lie top first.

    ``next``: see Step. ``symbols`` is what the last mutation left (DI-2.8). ``used`` counts the activations of
    this turn by instance and ability (DI-6.12). ``look``: deck cards that ``looker`` is being shown.
    """

    cards: list[Instance] = field(default_factory=list)
    deck: list[list[int]] = field(default_factory=_two)
    hand: list[list[int]] = field(default_factory=_two)
    discard: list[list[int]] = field(default_factory=_two)
    columns: dict[Virtue, list[list[int]]] = field(default_factory=_columns)
    limbo: int | None = None
    turn: int = 0
    active: int = 0
    first_seat: int = 0
    phase: Phase = "start"
    next: Step = "start"
    extra_plays: int = 0
    symbols: list[dict[Virtue, int]] = field(default_factory=no_symbols)
    pending: list[Pending] = field(default_factory=list)
    activated: int = 0
    used: dict[str, int] = field(default_factory=dict)
    lasting: list[Lasting] = field(default_factory=list)
    public_ids: int = 0
    look: list[int] = field(default_factory=list)
    looker: int = 0
    result: Result | None = None

    def on_board(self) -> Iterator[int]:
        """Give the cards on the board in canonical order: side, column, place in the list (DI-5.6)."""
        for side in (0, 1):
            for column in self.columns.values():
                yield from column[side]

    def mention(self, card: int) -> Mention:
        """Name a card as it is known now."""
        instance = self.cards[card]
        return Mention(card, instance.mark, instance.id, instance.key)

    def lies(self, mention: Mention) -> bool:
        """Say whether a card is on the board and has not left it since it was mentioned (DI-4.14)."""
        card = self.cards[mention.card]
        return card.column is not None and card.mark == mention.mark

    def silenced(self, card: int) -> bool:
        """Say whether a card has lost its abilities for a time (DI-6.8)."""
        return any(effect.card == card and effect.kind == "silence" for effect in self.lasting)


Game = Table[State]
"""A table of this game."""


def cards_of(table: Game) -> Cards:
    """Give the printed cards of the match's pack."""
    cards: Cards = table.match.pack
    return cards


def shown(card: Mention | Instance) -> dict[str, Any]:
    """Give a card as events and views name it."""
    return {"id": card.id, "card": card.key}
