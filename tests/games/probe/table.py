"""Moves of cards in probe: dealing, drawing, shuffling, discarding. Asks nobody."""

from __future__ import annotations

from collections import Counter

from engines.rules import Table
from probe.leaks import leaks, with_drawn
from probe.state import DECK, HAND, State


def set_up(table: Table[State]) -> State:
    """Deal: PR-1.1 to PR-1.3."""
    match = table.match
    owned = [list(deck) for deck in match.decks] or _dealt(table)
    faces = [face for deck in owned for face in deck]
    table.state = State(
        faces, [seat for seat, deck in enumerate(owned) for _ in deck],
        [[""] * (match.seats + 1) for _ in faces], [[] for _ in faces],
        [list(range(seat * DECK, seat * DECK + DECK)) for seat in range(match.seats)],
        [[] for _ in owned], [], [0] * match.seats, dict(sorted(Counter(faces).items())),
    )  # fmt: skip
    for seat in range(match.seats):
        shuffle(table, seat)
    for seat in [seat for seat in range(match.seats) for _ in range(HAND)]:  # PR-1.3
        draw(table, seat)
    return table.state


def _dealt(table: Table[State]) -> list[list[str]]:
    """Deal decks from all cards of the pack: PR-1.2."""
    stock = [card.name for card in table.match.pack.values() for _ in range(card.copies)]
    table.chance.shuffle(stock, "deal")
    return [stock[seat * DECK : seat * DECK + DECK] for seat in range(table.match.seats)]


def shuffle(table: Table[State], seat: int) -> None:
    """Shuffle a deck: new handles, and nobody knows any card of it any more (PR-1.5)."""
    state, deck = table.state, table.state.decks[seat]
    table.chance.shuffle(deck, f"deck {seat}")
    for slot in deck:
        if not leaks(table.match, "follow") or not state.marks[slot][0]:
            state.marks[slot] = [table.handle(place - 1 if place else None) for place in range(table.match.seats + 1)]
        state.known[slot] = []
    table.emit("shuffled", seat=seat)


def draw(table: Table[State], seat: int) -> None:
    """Draw the top card, which only its seat sees (PR-1.4)."""
    state = table.state
    if not state.decks[seat]:
        table.emit("drawn", seat=seat, count=0)
        return
    slot = state.decks[seat].pop(0)
    state.hands[seat].append(slot)
    secret = {seat: {"card": state.marks[slot][seat + 1], "face": state.faces[slot]}}
    table.emit("drawn", seat=seat, count=1, secret=secret, **with_drawn(table, slot))


def discard(table: Table[State], seat: int, slot: int) -> None:
    state = table.state
    state.hands[seat].remove(slot)
    state.pile.append(slot)
    table.emit("discarded", seat=seat, face=state.faces[slot])


def named(state: State, seat: int, handle: str) -> int:
    """Find the card that a seat names by its own handle."""
    return next(slot for slot, marks in enumerate(state.marks) if marks[seat + 1] == handle)


def score(table: Table[State], seat: int, points: int) -> None:
    table.state.scores[seat] = max(0, table.state.scores[seat] + points)
    table.emit("scored", seat=seat, points=points)
