"""How a view becomes text: by the game's own ``draw`` module, or zone by zone for games that have none.

Owns the plain drawing. Knows no game.
"""

from __future__ import annotations

import importlib
import textwrap
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, Protocol, cast

from engines.registry import games

Zones = Mapping[str, Any]

LEAST_WIDTH = 24

OF_THE_ROOM = {
    "room_opened": "The room is open.",
    "seat_taken": "{name} takes seat {seat}.",
    "seat_left": "Seat {seat} is free again.",
    "seat_ready": "Seat {seat}: ready {ready}.",
    "seat_lost": "Seat {seat} plays no more: {reason}.",
    "seat_away": "Seat {seat} is away.",
    "seat_back": "Seat {seat} is back.",
    "match_started": "The match begins.",
    "rewound": "New rules (version {rules}): the match goes on from the last checkpoint, with fresh chance.",
    "room_ended": "The match is over: {reason} ({status}).",
}
"""How the service's own events are told, whatever the game."""


class Drawing(Protocol):
    """What a ``draw`` module offers. ``seat``: who looks (None: a spectator)."""

    def table(self, zones: Zones, seat: int | None, width: int = 100) -> str:
        """Draw the whole table, no line longer than ``width``."""

    def line(self, event: Mapping[str, Any], zones: Zones) -> str:
        """Tell one event in one line; nothing if it is not worth one."""

    def option(self, act: Mapping[str, Any], zones: Zones) -> str:
        """Say what an option means, in one line."""


def drawing_of(game: str) -> Drawing:
    """Give the drawing of a game: a module ``draw`` beside its rules, if it is installed here and has one."""
    if (rules := games().get(game)) is not None:
        module = type(rules).__module__
        for folder in (module, module.rpartition(".")[0]):
            if (found := _module(f"{folder}.draw")) is not None:
                return cast("Drawing", found)
    return PlainDrawing()


def room_line(event: Mapping[str, Any]) -> str | None:
    """Tell an event of the room; None if it is the game's."""
    form = OF_THE_ROOM.get(event["event"])
    return None if form is None else form.format_map({name: inline(value) for name, value in event.items()})


def _module(path: str) -> object | None:
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as missing:
        if missing.name is not None and (path == missing.name or path.startswith(f"{missing.name}.")):
            return None
        raise


class PlainDrawing:
    """Any view, zone by zone; any event and option, word by word."""

    def table(self, zones: Zones, seat: int | None, width: int = 100) -> str:
        """Draw each zone under its name."""
        lines: list[str] = []
        for name, zone in zones.items():
            if name != "room":
                lines += [f"── {spaced(name)} ".ljust(width, "─"), *_rows(zone, width)]
        return "\n".join(lines)

    def line(self, event: Mapping[str, Any], zones: Zones) -> str:
        """Tell an event by its fields."""
        return _sentence(event, "event")

    def option(self, act: Mapping[str, Any], zones: Zones) -> str:
        """Tell an option by its parameters."""
        return _sentence(act, "do")


def spaced(word: str) -> str:
    """Write an identifier as words."""
    return word.replace("_", " ")


def _sentence(fields: Mapping[str, Any], verb: str) -> str:
    rest = ", ".join(f"{spaced(name)} {inline(value)}" for name, value in fields.items() if name != verb)
    head = spaced(str(fields.get(verb, "")))
    return f"{head}: {rest}" if head and rest else head or rest


def inline(value: Any) -> str:
    """Write plain data in one line; nothing for an empty map."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{spaced(str(name))} {inline(part)}" for name, part in value.items())
    if isinstance(value, (list, tuple)):
        between = "; " if any(isinstance(part, (dict, list, tuple)) for part in value) else " "
        return between.join(map(inline, value)) or "-"
    return "-" if value is None else str(value)


def plain(text: str) -> str:
    """Take out what a terminal would obey instead of showing. All texts of a service pass through here."""
    return "".join("·" if unicodedata.category(c) == "Cc" and c != "\n" else c for c in text)


def without_ids(value: Any) -> Any:
    """Leave out what only programs need to know."""
    if isinstance(value, dict):
        return {name: without_ids(part) for name, part in value.items() if name != "id" and not name.endswith("_id")}
    return value


def _rows(value: Any, width: int) -> Iterator[str]:
    """Spread a zone over lines: on one if it fits, else a line for each part."""
    whole = inline(value) or "-"
    if len(whole) <= width - 2 or width < LEAST_WIDTH or not isinstance(value, (dict, list, tuple)):
        yield from textwrap.wrap(whole, width, initial_indent="  ", subsequent_indent="    ")
        return
    named = value.items() if isinstance(value, dict) else (("·", part) for part in value)
    for name, part in named:
        rows = list(_rows(part, width - 4))
        label = spaced(str(name))[: width - 2]
        if len(rows) == 1 and len(label) + len(rows[0]) <= width - 2:
            yield f"  {label} {rows[0].strip()}"
        else:
            yield f"  {label}"
            yield from (f"  {row}" for row in rows)
