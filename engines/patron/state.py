"""The table of a match as it lies between two steps (PA-2): what the rulebook names, and nothing half done.

Owns the form of the state and where every card lies. Knows no rule of play and sends nothing.
A card is named by its internal number, its place in ``State.cards``; that number never leaves the engine.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from engines.patron.cards import Cards, fits
from engines.patron.terms import Duration, Filter, Role
from engines.patron.words import Holding
from engines.rules import Table

Phase = Literal[
    "setup_first", "setup_mulligan", "start", "intercession", "friendship", "effects", "graces", "events",
    "milestones", "recursion", "end", "game_over",
]  # fmt: skip
Step = Literal["choose_first", "deal", "mulligan", "start", "roll", "act", "pass_on", "end", "fade"]
"""What the engine does at the next quiet point (PA-4.1); ``act`` asks whoever has to decide."""


class Instance(Struct, array_like=True):
    """One card of a deck (PA-2.4). In a hand ``id`` is the owner's handle, in a deck and face down it is empty,
    else public. ``entered``: when it last came into play, counted over the match.
    """

    key: str
    owner: int
    id: str = ""
    entered: int = 0


class Slot(Struct, array_like=True):
    """One face-down event (PA-2.4): its public name, its card, and the turn in which it was set."""

    slot: str
    card: int
    set_turn: int


class Ongoing(Struct):
    """A lasting operation in force for one seat (PA-6.9). ``card``: the printed card that made it."""

    id: int
    card: str
    controller: int
    seat: int
    effect: Holding
    duration: Duration
    turn: int


class Fired(Struct, array_like=True):
    """A trigger that has fired and waits (PA-6.3). ``card``: its number; ``index``: its place among the effects."""

    card: int
    key: str
    id: str
    controller: int
    index: int


class Asking(Struct, frozen=True):
    """That a seat is asked something besides its turn is public (PA-2.6)."""

    seat: int
    kind: str


class Result(Struct, frozen=True):
    """How the match ended by the rules (PA-8)."""

    winner: int | None
    reason: Literal["milestones", "deck_out", "max_turns"]


class Side(Struct):
    """What belongs to one seat (PA-2.5). Lists of cards hold internal numbers; the deck lies top first.

    ``used``: stones as "card id#effect". ``peeked``: slots of the other seat that this one has been shown.
    ``trigger_uses``: "number#effect" → how often this turn.
    """

    patron: int = 0
    in_play: bool = False
    deck: list[int] = field(default_factory=list)
    hand: list[int] = field(default_factory=list)
    discard: list[int] = field(default_factory=list)
    terra: list[int] = field(default_factory=list)
    friend: int | None = None
    graces: list[int] = field(default_factory=list)
    events: list[Slot] = field(default_factory=list)
    tokens: int = 0
    milestones: int = 0
    progress: int = 0
    stored: int = 0
    used: list[str] = field(default_factory=list)
    peeked: list[str] = field(default_factory=list)
    mulliganed: bool = False
    cycled: int = 0
    friend_acted: bool = False
    milestone_tried: bool = False
    events_won_turn: int = 0
    saints_played_turn: int = 0
    graces_played_turn: int = 0
    trigger_uses: dict[str, int] = field(default_factory=dict)


def _sides() -> list[Side]:
    return [Side(), Side()]


class State(Struct):
    """Everything that PA-2 names. ``next``: see Step. ``chooser``: who chooses the first seat.

    ``look``: cards that ``looker`` is being shown. ``last_check``: the latest check as it was told.
    ``slots``, ``ongoings``, ``entries`` and ``public_ids`` count what was ever made of each.
    """

    cards: list[Instance] = field(default_factory=list)
    sides: list[Side] = field(default_factory=_sides)
    turn: int = 0
    active: int = 0
    first_seat: int = 0
    chooser: int = 0
    phase: Phase = "setup_first"
    next: Step = "choose_first"
    pass_index: int = 0
    pool: int | None = None
    saints_this_phase: int = 0
    priority: int | None = None
    passes: int = 0
    resolving: int | None = None
    ongoing: list[Ongoing] = field(default_factory=list)
    queue: list[Fired] = field(default_factory=list)
    slots: int = 0
    ongoings: int = 0
    entries: int = 0
    public_ids: int = 0
    look: list[int] = field(default_factory=list)
    looker: int = 0
    asking: Asking | None = None
    last_check: dict[str, Any] | None = None
    result: Result | None = None

    def key(self, number: int) -> str:
        return self.cards[number].key

    def in_play(self) -> list[int]:
        """Give saints and graces in play, the active seat's first, each by entry into play (PA-6.3)."""
        found: list[int] = []
        for seat in (self.active, 1 - self.active):
            side = self.sides[seat]
            found += sorted((*side.terra, *side.graces), key=lambda number: self.cards[number].entered)
        return found

    def milestones_of(self, number: int) -> int:
        """Give the milestone count of a card in play: the seat's for patron, friend and graces.

        All others have none (PA-4.16, PA-4.19, PA-9.19).
        """
        side = self.sides[self.cards[number].owner]
        shares = number in (side.patron, side.friend) or number in side.graces
        return side.milestones if shares else 0

    def role(self, number: int) -> Role | None:
        """Give the place of a saint in play (PA-6.13); None for any other card."""
        side = self.sides[self.cards[number].owner]
        if number not in side.terra:
            return None
        if number == side.patron:
            return "patron"
        return "friend" if number == side.friend else "other"

    def slot(self, name: str) -> tuple[int, Slot] | None:
        """Find a face-down event by its slot: whose it is, and the slot."""
        for seat, side in enumerate(self.sides):
            for slot in side.events:
                if slot.slot == name:
                    return seat, slot
        return None


Game = Table[State]
"""A table of this game."""


def cards_of(table: Game) -> Cards:
    """Give the printed cards of the match's pack."""
    cards: Cards = table.match.pack
    return cards


def suits(cards: Cards, state: State, number: int, wanted: Filter | None) -> bool:
    """Say whether a card where it lies fits a filter, ``role`` included (PA-6.13)."""
    if wanted is None:
        return True
    return fits(cards[state.key(number)], wanted) and wanted.role in (None, state.role(number))


def shown(card: Instance) -> dict[str, Any]:
    """Give a card as events and views name it."""
    return {"id": card.id, "card": card.key}
