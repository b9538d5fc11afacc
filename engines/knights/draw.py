"""The table as text for a terminal: both fields with their spaces in position, piles, hand; options as sentences.

Owns plain drawing from one audience's zones. Knows no state and no terminal.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engines.knights.naming import Zones, knight_at, name_of, names
from engines.knights.pack import printed
from engines.knights.phrases import AFFLICTED, STATS
from engines.knights.saying import option
from engines.knights.telling import line

__all__ = ["line", "option", "table"]

STANCES = {"attack": "attacks", "defend": "DEFENDS", "evade": "EVADES"}
MODES = {"up": "", "down": "down"}


def table(zones: Zones, seat: int | None, width: int = 100) -> str:
    """Draw all that an audience sees, in lines of at most ``width``; the looking seat (else seat 0) is below."""
    near = seat or 0
    far = 1 - near
    cell = (width - 3) // 4
    rows = [
        _heading(zones),
        "=" * width,
        _summary(zones, far, seat),
        *_support(zones, far, cell),
        *_knights(zones, far, cell),
        _middle(zones, width),
        *_knights(zones, near, cell),
        *_support(zones, near, cell),
        _summary(zones, near, seat),
        *_piles(zones, width),
        *_lasting(zones, width),
        *_hands(zones, width),
    ]
    return "\n".join(row.rstrip()[:width] for row in rows)


def _heading(zones: Zones) -> str:
    turn, over = zones["turn"], ""
    if (result := zones["result"]) is not None:
        over = " - over: " + ("drawn" if result["winner"] is None else f"seat {result['winner']} has won")
    asked = ", ".join(f"seat {one['seat']}: {one['kind'].replace('_', ' ')}" for one in zones["pending"])
    phase = turn["phase"].replace("_", " ")
    return f"Turn {turn['turn']}, seat {turn['active']} is active, {phase}{over}{f' ({asked})' if asked else ''}"


def _summary(zones: Zones, of: int, seat: int | None) -> str:
    """Say what a seat has beside its field: deity, divine life, counts, helper."""
    side, life = str(of), zones["pvd"][str(of)]
    god = zones["deity"][side]
    helper = zones["helper"][side]
    return (
        f"Seat {of}{' (you)' if of == seat else ''}  {god.title() if god else '?'}  "
        f"PvD {life['pvd']}/{life['most']} {'#' * life['pvd']}  hand {zones['hand'][side]['count']}  "
        f"deck {zones['deck'][side]}  helper: {name_of(helper['card']) if helper else '-'}"
    )


def _middle(zones: Zones, width: int) -> str:
    lying = zones["scenario"]
    told = f" {name_of(lying['card'])} (seat {lying['owner']}) " if lying else " no scenario "
    return told.center(width, "-")


def _row(cells: Sequence[str], cell: int) -> str:
    return "|".join(text[:cell].ljust(cell) for text in cells)


def _knights(zones: Zones, side: int, cell: int) -> Iterator[str]:
    """Draw the four knight spaces: name, life and cosmos, values, stance, states."""
    blocks = [_knight(space, slot, cell) for slot, space in enumerate(zones["knights"][str(side)], 1)]
    for at in range(max(map(len, blocks))):
        yield _row([block[at] if at < len(block) else "" for block in blocks], cell)


def _knight(space: Mapping[str, Any] | None, slot: int, cell: int) -> list[str]:
    if space is None:
        return [f"{slot} -", "", "", ""]
    if "reserved" in space:
        return [f"{slot} reserved for", f"  {name_of(space['reserved']['card'])}", "", ""]
    done = "*" if space["acted"] else ""
    states = [AFFLICTED[key] + (f" {turns}" if turns else "") for key, turns in space["states"].items()]
    marks = [word.replace("_", " ") for word in space["keywords"]]
    return [
        f"{slot} {_cut(name_of(space['card']), cell - 3)}{done}",
        f"  Pv {space['pv']}/{space['max_pv']}  Pc {space['pc']}/{space['max_pc']}",
        f"  Ce {space['ce']}  Ar {space['ar']}  {STANCES[space['stance']]}",
        f"  {', '.join([*states, *marks])}",
    ]


def _cut(name: str, room: int) -> str:
    return name if len(name) <= room else f"{name[: room - 1].rstrip()}."


def _support(zones: Zones, side: int, cell: int) -> Iterator[str]:
    """Draw the four support spaces: what lies there, face, and for whom."""
    row = zones["support"][str(side)]
    yield _row([_card(space, slot, cell) for slot, space in enumerate(row, 1)], cell)
    yield _row([_link(space) for space in row], cell)


def _card(space: Mapping[str, Any] | None, slot: int, cell: int) -> str:
    if space is None:
        return f"s{slot} -"
    return f"s{slot} {_cut(name_of(space['card']), cell - 3) if 'card' in space else '[face down]'}"


def _link(space: Mapping[str, Any] | None) -> str:
    if space is None or "card" not in space:
        return ""
    parts = [MODES[space["face"]], f"of {space['host']['slot']}" if space["host"] else "", _cost(space["card"])]
    return f"   {', '.join(part for part in parts if part)}"


def _cost(key: str) -> str:
    card = printed(key)
    return "" if card is None or card.cost is None else f"L{card.level} {card.cost} Pc"


def _piles(zones: Zones, width: int) -> Iterator[str]:
    """List the public piles of both seats, latest card first."""
    for zone, title in (("discard", "Yomotsu"), ("exile", "Cocytos")):
        for side in ("0", "1"):
            if pile := zones[zone][side]:
                yield from _wrapped(f"{title} of seat {side} ({len(pile)}): ", names(reversed(pile)), width)


def _lasting(zones: Zones, width: int) -> Iterator[str]:
    """Say how the latest damage came about, and what lasts."""
    for strike in zones["strikes"]:
        yield from _wrapped("Last damage: ", _strike(strike), width)
    if zones["modifiers"]:
        yield from _wrapped("Lasting: ", "; ".join(_modifier(zones, one) for one in zones["modifiers"]), width)
    if zones["restrictions"]:
        told = "; ".join(f"seat {one['seat']}: no {one['what'].replace('_', ' ')}" for one in zones["restrictions"])
        yield from _wrapped("Forbidden: ", told, width)
    if zones["look"]:
        yield from _wrapped("You look at: ", names(zones["look"]), width)


def _strike(strike: Mapping[str, Any]) -> str:
    how = {"acn": "plain", "counter": "counter"}.get(strike["how"]) or name_of(strike["how"])
    coin = f", coin {strike['coin']}" if strike["coin"] else ""
    sums = f"attack {strike['aa']} against armour {strike['armor']} gives {strike['raw']}, damage {strike['damage']}"
    return f"{name_of(strike['attacker'])} on {name_of(strike['target'])} ({how}{coin}): {sums}"


def _modifier(zones: Zones, one: Mapping[str, Any]) -> str:
    what = STATS.get(one["what"]) or one["what"].replace("_", " ")
    amount = f"{one['n']:+d} " if one["kind"] == "stat" else ""
    until = {"turns": f"to turn {one['until']}", "my_next_turn": f"until seat {one['until']}'s turn"}
    span = until.get(one["duration"], one["duration"].replace("_", " "))
    return f"{knight_at(zones, one['target'])} {amount}{what} ({span})"


def _hands(zones: Zones, width: int) -> Iterator[str]:
    """List an open hand card by card, in full."""
    for side in ("0", "1"):
        for at, card in enumerate(zones["hand"][side].get("cards", ()), 1):
            yield from _wrapped(f"  {at}. ", _face(card["card"]), width)


def _face(key: str) -> str:
    """Describe a card in full: name, kind, values, text."""
    card = printed(key)
    if card is None:
        return name_of(key)
    if card.kind == "knight":
        about = f"{card.rank} knight, Pv {card.pv} Ce {card.ce} Ar {card.ar} Pc {card.pc}"
    elif card.kind == "technique":
        about = f"technique {card.level}, {card.cost} Pc"
    else:
        about = card.kind
    return f"{card.name} [{about}]{f' {card.text}' if card.text else ''}"


def _wrapped(label: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=label, subsequent_indent=" " * min(len(label), 8))
