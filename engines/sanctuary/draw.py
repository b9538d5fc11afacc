"""The table as text for a terminal: display, objectives, zoos as hex maps, cards, markers, points; options in words.

Owns plain drawing from one audience's zones. Knows no state and no terminal.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engines.sanctuary.hexes import SIGNS, signs, zoo_rows
from engines.sanctuary.naming import name_of, says_effect
from engines.sanctuary.reading import pending_in, seats_in, tile_in
from engines.sanctuary.telling import line
from engines.sanctuary.terms import ACHIEVEMENTS
from engines.sanctuary.text import tile_text
from engines.sanctuary.tiles import Tile

__all__ = ["line", "option", "table"]

Zones = Mapping[str, Any]

LEGEND = "a animal  b building  p project, then level and sex   ~ river   * bonus   " + " ".join(
    f"{sign} {icon}" for icon, sign in SIGNS.items()
)


def table(zones: Zones, seat: int | None, width: int = 100) -> str:
    """Draw all that an audience sees, in lines of at most ``width``; the looking seat (else seat 0) comes last."""
    near = seat or 0
    order = [at for at in range(seats_in(zones)) if at != near]
    rows = [_heading(zones), "=" * width, *_display(zones, width), *_objectives(zones, width)]
    for at in [*order, near]:
        rows += ["-" * width, *_seat(zones, at, at == seat, width)]
    rows += ["-" * width, *_waiting(zones, width), *_wrapped("", LEGEND, width)]
    return "\n".join(row.rstrip()[:width] for row in rows)


def option(act: Mapping[str, Any], zones: Zones) -> str:
    """Say what an option means."""
    do = act["do"]
    if do in SAID:
        return SAID[do](act, zones)
    if do in VERBS:
        again = f" (copy {act['copy']})" if "copy" in act else ""
        return f"{VERBS[do]} {name_of(zones, act['tile'])}{again}"
    return str(do).replace("_", " ").capitalize()


def _said_gathering(act: Mapping[str, Any], zones: Zones) -> str:
    what = " and ".join(_at(zones, position) for position in act["positions"])
    return f"Take {what or 'nothing'} with the projects card"


def _said_upgrade(act: Mapping[str, Any], zones: Zones) -> str:
    paid = f", paying with the {act['marker']} marker" if "marker" in act else ""
    return f"Turn the {act['card']} card to side 2{paid}"


SAID: dict[str, Callable[[Mapping[str, Any], Zones], str]] = {
    "take_tile": lambda act, zones: f"Take {_at(zones, act['position'])}",
    "take": lambda act, zones: f"Take {_at(zones, act['position'])}",
    "play_animal": lambda act, zones: f"With the {act['card']} card: {_face(zones, act['tile'])}",
    "play_second_animal": lambda act, zones: f"As second animal: {_face(zones, act['tile'])}",
    "play_project": lambda act, zones: f"With the projects card: {_face(zones, act['tile'])}",
    "play_building": lambda act, zones: f"Build {_face(zones, act['tile'])}",
    "draw_tiles": lambda act, zones: f"Draw 2 tiles with the {act['card']} card",
    "take_from_display": _said_gathering,
    "place": lambda act, zones: f"Put {name_of(zones, act['tile'])} on {act['space']}",
    "put_open_area": lambda act, zones: f"Face down on {act['space']}: {name_of(zones, act['tile'])}",
    "place_area": lambda act, zones: f"Put an open area on {act['space']}",
    "resolve_effect": lambda act, zones: f"Use: {_effect(zones, act['effect'])}",
    "decline_effect": lambda act, zones: f"Decline: {_effect(zones, act['effect'])}",
    "shift": lambda act, zones: f"Move the {act['card']} card to slot 1",
    "relocate": lambda act, zones: f"Move what lies on {act['from']} to {act['to']}",
    "support": lambda act, zones: f"Support {_objective(zones, act['objective'])} with {act['achievement']} icons",
    "upgrade": _said_upgrade,
}
VERBS = {"pouch": "Into the pouch:", "keep": "Keep", "discard": "Discard"}


def _heading(zones: Zones) -> str:
    turn, ending = zones["turn"], zones["ending"]
    last = ", final round" if ending["trigger"] else ""
    over = " - over" if ending["result"] else ""
    solo = f", {ending['solo_left']} solo markers face down" if seats_in(zones) == 1 else ""
    return f"Turn {turn['turn_no']}, seat {turn['active']} is active, {turn['phase']}{last}{solo}{over}"


def _display(zones: Zones, width: int) -> Iterator[str]:
    yield f"Display   (pile {zones['pile']}, discard {len(zones['discard'])})"
    for position, tile in enumerate(zones["display"], 1):
        yield from _wrapped(f"  {position}. ", "-" if tile is None else _face(zones, tile), width)


def _objectives(zones: Zones, width: int) -> Iterator[str]:
    """Name objectives, and who has put which achievement there."""
    for name in zones["objectives"]:
        marks = [
            f"seat {at}: {needed}"
            for at in range(seats_in(zones))
            for needed, where in zones[f"seat_{at}"]["achievements"].items()
            if where == name
        ]
        yield from _wrapped("  * ", f"{_objective(zones, name)}{' - ' if marks else ''}{', '.join(marks)}", width)


def _objective(zones: Zones, name: str) -> str:
    words = name.removeprefix("ob_").replace("_", " ")
    icon = zones["objectives"].get(name, words)
    return words if words == icon else f"{words} ({icon})"


def _seat(zones: Zones, at: int, own: bool, width: int) -> Iterator[str]:
    lying, hand, sheet = zones[f"seat_{at}"], zones[f"hand_{at}"], zones[f"seat_{at}"]["sheet"]
    left = "" if lying["status"] == "active" else f"   {lying['status']}"
    yield (
        f"Seat {at}{' (you)' if own else ''}   {sheet['total']} points   hand {hand['count']}   "
        f"conservation {lying['conservation']}   pouch {lying['pouch']}   end marker {lying['end_marker']}{left}"
    )
    cards = (
        f"{slot}. {card['card']}{' II' if card['side'] == 2 else ''} ({card['strength']})"
        for slot, card in enumerate(lying["cards"], 1)
    )
    spare = [str(needed) for needed in ACHIEVEMENTS if lying["achievements"][str(needed)] is None]
    left_over = f"achievements left {' '.join(spare) or '-'}   upgrades {len(lying['upgrade_used'])}"
    yield from _wrapped("  cards ", f"{'  '.join(cards)}   {left_over}", width)
    counted = [name for name in sheet if name not in ("total", "animal_tiles")]
    parts = (f"{name.replace('_', ' ')} {sheet[name]}" for name in counted)
    yield from _wrapped("  points: ", ", ".join(parts), width)
    yield from (f"  {row}" for row in zoo_rows(zones, at))
    for number, tile in enumerate(hand.get("tiles", ()), 1):
        yield from _wrapped(f"  {number}. ", _face(zones, tile), width)


def _face(zones: Zones, key: str) -> str:
    """Describe a tile in full: name, kind, level, icons, arrows, text."""
    tile: Tile = tile_in(zones, key)
    level = "" if tile.level is None else f" {tile.level}"
    arrows = f", arrows {' '.join(tile.arrows)}" if tile.arrows else ""
    text = tile_text(tile)
    return f"{name_of(zones, key)} [{tile.kind}{level}: {signs(tile) or '-'}{arrows}]{' ' if text else ''}{text}"


def _at(zones: Zones, position: int) -> str:
    tile = zones["display"][position - 1]
    return f"{name_of(zones, tile) if tile else 'nothing'} ({position})"


def _effect(zones: Zones, number: int) -> str:
    waiting = pending_in(zones, number)
    return f"effect {number}" if waiting is None else says_effect(zones, waiting)


def _waiting(zones: Zones, width: int) -> Iterator[str]:
    """Say what waits to be settled, and what is turned up."""
    effects = zones["effects"]
    if effects["pending"]:
        yield from _wrapped("Waiting: ", "; ".join(says_effect(zones, one) for one in effects["pending"]), width)
    if effects["revealed"]:
        yield from _wrapped("Turned up: ", ", ".join(name_of(zones, tile) for tile in effects["revealed"]), width)


def _wrapped(label: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=label, subsequent_indent=" " * min(len(label), 8))
