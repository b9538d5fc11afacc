"""What lies on the table of probe, and what a match may be set to. Knows no rule but the bounds of options."""

from __future__ import annotations

from msgspec import Struct

from probe.leaks import LEAKS

DECK = 8
HAND = 3

HONEST = (
    "draw", "pick", "both", "peek", "number", "offer", "order", "hold", "shuffle", "give", "dice", "long", "draw",
    "offer", "pick", "hold",
)  # fmt: skip
BREAKING = (
    "raise", "deadline", "crash", "loop", "flood", "nobody", "twice", "wrong", "stray", "endless", "spin",
)  # fmt: skip
BOUNDS = {"laps": (1, 100), "hold_ms": (0, 60_000), "tricks": (1, 300), "target": (1, 1_000)}
MOST_STEPS = 400

__all__ = ["BOUNDS", "BREAKING", "DECK", "HAND", "HONEST", "LEAKS", "MOST_STEPS", "Card", "Options", "State"]


class Options(Struct, frozen=True):
    """``plan``: the steps of a lap (RULES.md PR-3 to PR-5). ``leak``: one of PR-6.1, or empty."""

    plan: tuple[str, ...] = HONEST
    laps: int = 2
    hold_ms: int = 1_500
    tricks: int = 12
    target: int = 8
    leak: str = ""


class Card(Struct):
    """One kind of card of a pack."""

    name: str
    suit: str
    worth: int
    copies: int
    shield: bool = False


class State(Struct):
    """A card is a slot number; what lies in the slot is its face.

    ``marks``: slot → handle for each audience, the public first. ``known``: slot → seats that were shown it.
    ``stock``: how many of each face there are in all. Decks lie top first.
    """

    faces: list[str] = []
    owners: list[int] = []
    marks: list[list[str]] = []
    known: list[list[int]] = []
    decks: list[list[int]] = []
    hands: list[list[int]] = []
    pile: list[int] = []
    scores: list[int] = []
    stock: dict[str, int] = {}
    step: int = 0
    leader: int = 0
