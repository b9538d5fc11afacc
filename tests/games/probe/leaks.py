"""Ways in which probe betrays what is hidden, each on demand (PR-6.1). Knows nothing of how it is found out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.rules import Match, Table
    from probe.state import State

LEAKS = ("event", "size", "order", "count", "sorted", "number", "follow", "option", "asked", "error", "hold")


def leaks(match: Match, kind: str) -> bool:
    return bool(match.options.leak == kind)


def with_drawn(table: Table[State], slot: int) -> dict[str, Any]:
    """Add to the public part of a draw: the face, or only as many letters as its name has."""
    face = table.state.faces[slot]
    if leaks(table.match, "event"):
        return {"face": face}
    return {"sound": "z" * len(face)} if leaks(table.match, "size") else {}


def drawing_order(table: Table[State], seats: list[int]) -> list[int]:
    """Let seats draw in the order of what they are about to draw."""
    state, cards = table.state, table.match.pack
    tops = {seat: sum(cards[state.faces[slot]].worth for slot in state.decks[seat][:1]) for seat in seats}
    return sorted(seats, key=lambda seat: tops[seat]) if leaks(table.match, "order") else seats


def deck_order(match: Match, state: State, deck: list[int]) -> list[int]:
    return sorted(deck, key=lambda slot: state.faces[slot]) if leaks(match, "sorted") else deck


def mark(match: Match, state: State, slot: int, place: int) -> str:
    """Name a card by the place that it had in the list of all cards, before any shuffle."""
    return f"card{slot}" if leaks(match, "number") else state.marks[slot][place]


def in_score(match: Match, state: State) -> dict[str, Any]:
    if not leaks(match, "count"):
        return {}
    return {"shields": sum(has_shield(match, state, seat) for seat in range(match.seats))}


def has_shield(match: Match, state: State, seat: int) -> bool:
    return any(match.pack[state.faces[slot]].shield for slot in state.hands[seat])


def dodge(table: Table[State], leader: int) -> list[dict[str, Any]]:
    """Offer the leader something that is there only if the next seat's newest card is a shield."""
    state, other = table.state, (leader + 1) % table.match.seats
    shielded = any(table.match.pack[state.faces[slot]].shield for slot in state.hands[other][-1:])
    return [{"do": "dodge"}] if leaks(table.match, "option") and shielded else []


def struck(table: Table[State], seats: list[int]) -> list[int]:
    """Ask only those who could shield themselves."""
    if not leaks(table.match, "asked"):
        return seats
    return [seat for seat in seats if has_shield(table.match, table.state, seat)]


def hold_ms(table: Table[State], seat: int) -> int:
    """Give a seat that has nothing to think about less time."""
    short = leaks(table.match, "hold") and not has_shield(table.match, table.state, seat)
    return int(table.match.options.hold_ms) // (2 if short else 1)
