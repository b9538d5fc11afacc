"""The table as text for a terminal: columns with both sides, piles, hand; events and options as sentences.

Owns plain drawing from one audience's zones. Knows no state and no terminal.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from engines.disciple.naming import Zones, name_by_id, name_of, names
from engines.disciple.pack import printed
from engines.disciple.telling import line
from engines.disciple.terms import VIRTUES
from engines.disciple.text import branch_texts

__all__ = ["line", "option", "table"]

GOAL = 7
LEGEND = "B D F H P symbols   (Name) disciple   * the other seat's card   + Abundance reached"


def table(zones: Zones, seat: int | None, width: int = 100) -> str:
    """Draw all that an audience sees, in lines of at most ``width``; the looking seat (else seat 0) is below."""
    near = seat or 0
    far = 1 - near
    rows = [
        _heading(zones),
        "=" * width,
        *_piles(zones, far, seat, width),
        "-" * width,
        *_columns(zones, near, far, width),
        "-" * width,
        *_piles(zones, near, seat, width),
        *_waiting(zones, width),
    ]
    return "\n".join(row.rstrip()[:width] for row in rows)


def option(act: Mapping[str, Any], zones: Zones) -> str:
    """Say what an option means."""
    card = name_by_id(zones, act["card"]) if "card" in act else ""
    column = act["column"].title() if "column" in act else ""
    match act["do"]:
        case "play_card":
            return f"Play {card} into {column}" if column else f"Play {card}"
        case "react":
            return f"React with {card} in {column}" if column else f"React with {card}"
        case "move_card" | "move":
            return f"Move {card}{_lies(zones, act['card'])} to {column}"
        case "flip_card":
            return f"Turn {card}{_lies(zones, act['card'])} into a disciple"
        case "choose":
            return f"Choose {card}{_lies(zones, act['card'])}"
        case "column":
            return f"Into the {column} column"
        case "option":
            return _branch(zones, act["index"])
        case "trigger":
            return f"Resolve {_pending(zones, act['pending'])}"
        case "place":
            return card
        case word:
            return SAID.get(word) or str(word).replace("_", " ").capitalize()


SAID: dict[str, str] = {
    "draw_card": "Draw a card",
    "end_turn": "End the turn",
    "pass_turn": "Pass",
    "decline": "Do not react",
    "divider": "(below this: to the bottom of the deck)",
}


def _heading(zones: Zones) -> str:
    turn = zones["turn"]
    extra = f", {turn['extra_plays']} extra" if turn["extra_plays"] else ""
    over = ""
    if (result := zones["result"]) is not None:
        over = " - over: " + ("drawn" if result["winner"] is None else f"seat {result['winner']} has won")
    return f"Turn {turn['turn']}, seat {turn['active']} is active, {turn['phase']}{extra}{over}"


def _piles(zones: Zones, of: int, seat: int | None, width: int) -> Iterator[str]:
    """Say what a seat has outside the columns; its hand card by card if the audience sees it."""
    hand = zones["hand"][str(of)]
    pile = zones["discard"][str(of)]
    you = " (you)" if of == seat else ""
    yield f"Seat {of}{you}   hand {hand['count']}   deck {zones['deck'][str(of)]}   discard {len(pile)}"
    if pile:
        yield from _wrapped("  discard, latest first: ", names(reversed(pile)), width)
    for at, card in enumerate(hand.get("cards", ()), 1):
        yield from _wrapped(f"  {at}. ", _face(zones, card["card"]), width)


def _face(zones: Zones, key: str) -> str:
    """Describe a card in full: name, symbols, rarity, text."""
    card = printed(key)
    marks = " ".join(symbol.title() for symbol in zones["cards"][key]["symbols"]) or "deed"
    if card is None:
        return f"{name_of(key)} [{marks}]"
    return f"{card.name} [{marks}] {card.rarity}{' - ' if card.text else ''}{card.text}"


def _columns(zones: Zones, near: int, far: int, width: int) -> Iterator[str]:
    """Draw the five columns beside each other: the far side above, the near side below."""
    cell = (width - len(VIRTUES) + 1) // len(VIRTUES)
    stacks = {side: [zones[virtue][str(side)] for virtue in VIRTUES] for side in (near, far)}
    yield from reversed(list(_side(zones, stacks[far], far, cell)))
    yield _row((_count(zones, far, virtue) for virtue in VIRTUES), cell)
    yield _row((f"--- {virtue.upper()} ".ljust(cell, "-") for virtue in VIRTUES), cell)
    yield _row((_count(zones, near, virtue) for virtue in VIRTUES), cell)
    yield from _side(zones, stacks[near], near, cell)


def _side(zones: Zones, stacks: Sequence[Sequence[Mapping[str, Any]]], side: int, cell: int) -> Iterator[str]:
    """Draw one side, the earliest card next to the middle."""
    for cards in zip_longest(*stacks):
        yield _row((_card(zones, card, side, cell) if card else "" for card in cards), cell)


def _card(zones: Zones, card: Mapping[str, Any], side: int, cell: int) -> str:
    """Draw a card in one cell: name, symbols, marks."""
    up = card["face"] == "up"
    marks = "".join(symbol[0].upper() for symbol in zones["cards"][card["card"]]["symbols"]) if up else "1"
    marks += ("*" if card["owner"] != side else "") + ("+" if card["abundant"] else "")
    room = cell - len(marks) - (1 if up else 3)
    name = _cut(name_of(card["card"]), room)
    return f"{name if up else f'({name})'} {marks}"


def _cut(name: str, room: int) -> str:
    return name if len(name) <= room else f"{name[: room - 1].rstrip()}."


def _count(zones: Zones, side: int, virtue: str) -> str:
    count = zones["symbols"][str(side)][virtue]
    return f"{count} of {GOAL}{'  complete' if count >= GOAL else ''}"


def _waiting(zones: Zones, width: int) -> Iterator[str]:
    """Say what waits or lasts: looked-at cards, abilities, temporary effects."""
    if zones["limbo"]:
        yield f"Being resolved: {names(zones['limbo'])}"
    if zones["look"]:
        yield from _wrapped("You look at: ", names(zones["look"]), width)
    if zones["pending"]:
        waiting = "; ".join(_pending(zones, pending["pending"]) for pending in zones["pending"])
        yield from _wrapped("Waiting: ", waiting, width)
    if zones["lasting"]:
        yield from _wrapped("Lasting: ", "; ".join(map(_lasting, zones["lasting"])), width)
    yield LEGEND


def _lasting(effect: Mapping[str, Any]) -> str:
    what = f"{effect['n']:+d} symbols" if effect["kind"] == "boost" else "silenced"
    until = "this turn" if effect["until"] == "this_turn" else f"until seat {effect['seat']}'s next turn"
    return f"{name_of(effect['card']['card'])} {what} {until}"


def _branch(zones: Zones, index: int) -> str:
    """Word a branch of the deed that is being resolved; of another card only its place is known."""
    deeds = [printed(card["card"]) for card in zones["limbo"]]
    texts = branch_texts(deeds[0]) if deeds and deeds[0] else []
    return f"Choice {index + 1}{f': {texts[index]}' if texts else ''}"


def _pending(zones: Zones, number: int) -> str:
    found = next((pending for pending in zones["pending"] if pending["pending"] == number), None)
    if found is None:
        return f"ability {number}"
    return f"{name_of(found['source']['card'])} ({found['trigger'].replace('_', ' ')}, seat {found['seat']})"


def _lies(zones: Zones, card: str) -> str:
    """Say where a card of the board lies: " (seat 1, Fire)"."""
    for virtue in VIRTUES:
        for side in ("0", "1"):
            if any(shown["id"] == card for shown in zones[virtue][side]):
                return f" (seat {side}, {virtue.title()})"
    return ""


def _row(cells: Iterator[str], cell: int) -> str:
    return " ".join(text.ljust(cell) for text in cells)


def _wrapped(label: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=label, subsequent_indent=" " * min(len(label), 8))
