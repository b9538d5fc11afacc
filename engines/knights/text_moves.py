"""The text of ops on hands, decks and piles: move_cards and peek. Knows no state."""

from __future__ import annotations

from engines.knights.phrases import PILES, a, noun_of, number, several
from engines.knights.words import MoveCards, Peek

GOALS = {
    "hand": "into {0} hand", "discard": "into {0} Yomotsu", "deck_top": "on top of {0} deck",
    "deck_bottom": "under {0} deck", "exile": "into {0} Cocytos", "field": "into play",
}  # fmt: skip


def moved(op: MoveCards) -> str:
    """Say what a move of cards does."""
    whose = "the foe's" if op.who == "foe" else "your"
    goal = GOALS[op.to].format(whose)
    noun = noun_of(op.wanted, "card")
    chosen = op.pick == "choose"
    if op.source == "deck" and chosen:
        reveal = ", reveal" if op.reveals and op.to in ("hand", "deck_top", "deck_bottom") else ""
        return f"search {whose} deck for {_some(op, noun)}{reveal} and put {_it(op)} {goal}"
    if op.source == "hand" and op.to == "discard":
        return _discarded(op, noun)
    if op.pick == "top":
        top = "the top card" if op.n == 1 else f"the top {number(op.n)} cards"
        return f"put {top} of {whose} deck {goal}"
    picked = {"all": f"every {noun}", "random": f"{_some(op, noun)} at random"}.get(op.pick, _some(op, noun))
    return f"put {picked} from {whose} {PILES[op.source]} {goal}"


def _discarded(op: MoveCards, noun: str) -> str:
    """Say a discard from a hand: who loses what, and who chooses."""
    if op.pick == "all":
        return f"{'the foe discards' if op.who == 'foe' else 'discard'} every {noun} of the hand"
    if op.who == "foe" and op.by == "me" and op.pick == "choose":
        return f"look at the foe's hand and discard {_some(op, noun)} from it"
    chance = " at random" if op.pick == "random" else ""
    return f"{'the foe discards' if op.who == 'foe' else 'discard'} {_some(op, noun)}{chance}"


def _some(op: MoveCards, noun: str) -> str:
    if op.n == 1:
        return f"up to one {noun}" if op.up_to or (op.source == "deck" and op.pick == "choose") else a(noun)
    most = op.up_to or (op.source == "deck" and op.pick == "choose")
    return f"{'up to ' if most else ''}{number(op.n)} {several(noun)}"


def _it(op: MoveCards) -> str:
    return "it" if op.n == 1 else "them"


def peeked(op: Peek) -> str:
    whose = "the foe's" if op.who == "foe" else "your"
    if op.zone == "hand":
        return f"look at {whose} hand"
    top = "the top card" if op.n == 1 else f"the top {op.n} cards"
    back = " and put them back in any order" if op.reorder else ""
    return f"look at {top} of {whose} deck{back}"
