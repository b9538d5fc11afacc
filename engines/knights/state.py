"""The table of a match as it lies between two steps (KN-2): what the rulebook names, and nothing half done.

Owns the form of the state and where every card lies. Knows no rule of play and sends nothing.
A card is named by its internal number, its place in ``State.pieces``; that number never leaves the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct, field

from engines.knights.terms import SLOTS, AttackKind, Keyword, Stance, Stat, StateId

Phase = Literal["pregame", "turn_start", "main", "turn_end", "over"]
Step = Literal["deities", "deal", "mulligan", "first", "main"]
"""What the engine does next: a part of the pregame or of a turn (KN-4.1)."""

Zone = Literal["deck", "hand", "knight", "support", "helper", "scenario", "discard", "exile"]
FIELD = ("knight", "support", "helper", "scenario")


class Knight(Struct, array_like=True):
    """The counters of a knight in play (KN-2.11). ``states``: id to [turns (0: lasting), applied turn]."""

    pv: int
    pc: int
    max_pv: int
    max_pc: int
    stance: Stance = "attack"
    acted: bool = False
    states: dict[StateId, list[int]] = field(default_factory=dict)


class Piece(Struct, array_like=True):
    """One physical card. ``id``: the owner's handle in a hand or face down, empty in a deck, else public.

    ``mark`` moves on whenever the card leaves the field. ``side`` and ``slot`` say where it lies on the field:
    the side of a knight is its controller's (KN-2.2). ``host``: the knight that a technique or object is linked to.
    """

    key: str
    owner: int
    zone: Zone = "deck"
    id: str = ""
    mark: int = 0
    side: int = 0
    slot: int = 0
    up: bool = True
    host: int | None = None
    knight: Knight | None = None


class Mention(Struct, array_like=True, frozen=True):
    """A card as it lay at one moment: it is gone as soon as it has left the field since."""

    card: int
    mark: int


class Modifier(Struct, frozen=True, array_like=True):
    """A timed or lasting change of one knight (KN-2.13). ``until``: a turn, a seat, or 0, as the duration needs it.

    ``source`` None: a deity's bonus. ``op``: what tells one op of a source from another (KN-6.23).
    """

    kind: Literal["stat", "keyword"]
    what: Stat | Keyword
    n: int
    states: tuple[StateId, ...]
    target: Mention
    source: Mention | None
    seat: int
    duration: str
    until: int = 0
    op: str = ""


class Restriction(Struct, frozen=True, array_like=True):
    """A kind of card that a seat may not play for a time (KN-2.14). ``by``: whose effect it is."""

    seat: int
    what: str
    by: int
    duration: str
    until: int = 0
    source: Mention | None = None


class Mod(Struct, array_like=True, frozen=True):
    """A change of the current attack (KN-6.77). ``targets`` empty: every target."""

    aa: int
    ar: int
    damage: int
    percent: int
    targets: tuple[int, ...] = ()


class Attack(Struct):
    """The attack being processed (KN-4.15 to KN-4.25). ``seat``: who attacks."""

    seat: int
    kind: AttackKind
    attacker: Mention
    technique: int | None = None
    targets: list[Mention] = field(default_factory=list)
    mods: list[Mod] = field(default_factory=list)
    negated: bool = False


class Strike(Struct, frozen=True, array_like=True):
    """How the latest damage came about, for all to see (KN-4.20 to KN-4.23)."""

    attacker: str
    target: str
    how: str
    aa: int
    armor: int
    raw: int
    damage: int
    coin: str = ""


class Looked(Struct, array_like=True, frozen=True):
    """A hidden card that ``State.looker`` is being shown, under a name for it alone."""

    id: str
    card: int


class Pending(Struct, array_like=True, frozen=True):
    """An open prompt, as everybody may know it (KN-2.15)."""

    seat: int
    kind: str


class Result(Struct, frozen=True):
    """How the match ended by the rules (KN-8.1, KN-8.6)."""

    winner: int | None
    reason: Literal["pvd", "draw", "turn_limit"]


def _two() -> list[list[int]]:
    return [[], []]


def _spaces() -> list[list[int | None]]:
    return [[None] * 4, [None] * 4]


class State(Struct):
    """Everything that KN-2 names, as plain data (KN-4.31).

    Lists of cards hold internal numbers; decks lie top first, slot n at place n - 1.

    ``used`` counts uses of abilities in this turn, ``spent`` those in the match (KN-2.21).
    """

    pieces: list[Piece] = field(default_factory=list)
    deck: list[list[int]] = field(default_factory=_two)
    hand: list[list[int]] = field(default_factory=_two)
    discard: list[list[int]] = field(default_factory=_two)
    exile: list[list[int]] = field(default_factory=_two)
    knights: list[list[int | None]] = field(default_factory=_spaces)
    reserved: list[list[int | None]] = field(default_factory=_spaces)
    support: list[list[int | None]] = field(default_factory=_spaces)
    helper: list[int | None] = field(default_factory=lambda: [None, None])
    scenario: int | None = None
    deity: list[str] = field(default_factory=lambda: ["", ""])
    preferred: list[str] = field(default_factory=lambda: ["", ""])
    pvd: list[int] = field(default_factory=lambda: [0, 0])
    turn: int = 0
    active: int = 0
    starter: int = 0
    knight_played: bool = False
    phase: Phase = "pregame"
    next: Step = "deities"
    modifiers: list[Modifier] = field(default_factory=list)
    restrictions: list[Restriction] = field(default_factory=list)
    used: dict[str, int] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)
    public_ids: int = 0
    look: list[Looked] = field(default_factory=list)
    looker: int = 0
    pending: list[Pending] = field(default_factory=list)
    attack: Attack | None = None
    resolving: int | None = None
    strikes: list[Strike] = field(default_factory=list)
    result: Result | None = None

    def in_play(self) -> Iterator[int]:
        """Give all knights in play: side, then slot."""
        for side in self.knights:
            for number in side:
                if number is not None:
                    yield number

    def mention(self, card: int) -> Mention:
        return Mention(card, self.pieces[card].mark)

    def lies(self, mention: Mention) -> bool:
        """Say whether a card is on the field and has not left it since it was mentioned."""
        piece = self.pieces[mention.card]
        return piece.mark == mention.mark and piece.zone in FIELD

    def knight(self, number: int) -> Knight:
        """Give the counters of a knight in play."""
        knight = self.pieces[number].knight
        assert knight is not None  # callers name knights in play only
        return knight

    def linked(self, host: int) -> Iterator[int]:
        """Give the support cards linked to a knight, by slot: they lie on its owner's side (KN-4.10)."""
        for number in self.support[self.pieces[host].owner]:
            if number is not None and self.pieces[number].host == host:
                yield number

    def free(self, spaces: list[list[int | None]], seat: int) -> list[int]:
        """Give the empty slots of a seat; a reserved knight slot is not empty (KN-6.36)."""
        kept = self.reserved[seat] if spaces is self.knights else (None,) * 4
        return [slot for slot in SLOTS if spaces[seat][slot - 1] is None and kept[slot - 1] is None]


def shown(piece: Piece) -> dict[str, Any]:
    """Give a card as events and views name it."""
    return {"id": piece.id, "card": piece.key}
