"""What a person sees of a room: who sits there, the table, what happened, the open prompt, how it ended.

Owns the arrangement on a terminal. What cards and boards look like is the game's drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from protocol.client import Room
from server.commands.answers import default_of, expected
from server.commands.drawing import Drawing, drawing_of, inline, plain, room_line, spaced, without_ids

MAX_WIDTH = 100
BROUGHT_UP = ("pick", "order")


class Screen:
    """One room on one console. ``clock``: service time in milliseconds (None: that of the last frame)."""

    def __init__(self, console: Console, room: Room, clock: Callable[[], int] | None = None) -> None:
        self.console = console
        self.room = room
        self._clock = clock or (lambda: room.at)
        self.width = min(console.width, MAX_WIDTH)
        self._drawing: Drawing | None = None

    @property
    def drawing(self) -> Drawing:
        """The drawing of the game that is played here, known from the first frame on."""
        if self._drawing is None:
            self._drawing = drawing_of(self.room.zones["room"]["game"])
        return self._drawing

    @property
    def status(self) -> str:
        return str(self.room.zones.get("room", {}).get("status", "lobby"))

    def head(self) -> RenderableType:
        """Give one line: which game, which room, where it stands, who plays."""
        zone = self.room.zones["room"]
        title = Text.assemble((zone["game"], "bold"), f"  room {zone['id']}  version {self.room.v}  {zone['status']}")
        return Rule(Text.assemble(title, "  ", *self._seats(zone["seats"])), style="dim", align="left")

    def _seats(self, seats: Iterable[Mapping[str, Any]]) -> Iterable[str | tuple[str, str]]:
        waited = {waiting["seat"] for waiting in self.room.waiting_for}
        for seat in seats:
            name = f"{seat['seat']}: {name_of(seat)}"
            yield (f"  {name}", "bold yellow" if seat["seat"] in waited else "")

    def table(self) -> Text:
        """Give the table as this client sees it; in the lobby, who is missing."""
        if len(self.room.zones) > 1:
            return Text(plain(self.drawing.table(self.room.zones, self.room.seat, self.width)), no_wrap=True)
        seats = self.room.zones["room"]["seats"]
        rows = (f"  seat {seat['seat']}: {name_of(seat)}{', ready' if seat['ready'] else ''}" for seat in seats)
        return Text("\n".join(rows))

    def told(self, events: Iterable[Mapping[str, Any]]) -> list[str]:
        """Put events into lines."""
        lines = (room_line(event) or self.drawing.line(event, self.room.zones) for event in events)
        return [part for line in lines for part in plain(line).splitlines() if part.strip()]

    def whole(self, recent: Sequence[str] = ()) -> RenderableType:
        """Give everything at once; below the table the latest events, as many as the terminal has lines for."""
        table = self.table()
        spare = self.console.height - table.plain.count("\n") - 4 if self.console.is_terminal else len(recent)
        latest = recent[-spare:] if spare > 0 else ()
        return Group(self.head(), table, Text("\n".join(f"  {line}" for line in latest), style="dim"))

    def left_ms(self, prompt: Mapping[str, Any]) -> int:
        """Give the time that is left for a prompt."""
        return max(0, int(prompt["deadline"]) - self._clock())

    def ask(self, prompt: Mapping[str, Any]) -> None:
        """Show the open prompt with numbered options, and what silence means until when."""
        out = self.console
        left_s = round(self.left_ms(prompt) / 1_000)
        rule = f"  ({prompt['rule']})" if prompt.get("rule") else ""
        out.print(Text.assemble((f"{spaced(prompt['kind'])}", "bold cyan"), f": {expected(prompt)}{rule}"))
        if about := inline(without_ids(prompt.get("about", {}))):
            out.print(Text(f"  about {about}", style="dim"))
        if prompt.get("shape", "pick") in BROUGHT_UP:
            self._number(prompt.get("options", ()))
        out.print(Text(f"  {left_s} s; Enter or silence: {default_of(prompt)}", style="dim"))

    def _number(self, options: Iterable[Mapping[str, Any]]) -> None:
        for at, option in enumerate(options, 1):
            meaning = plain(self.drawing.option(option["act"], self.room.zones))
            group = f"  [{option['group']}]" if option.get("group") else ""
            self.console.print(Text.assemble((f"{at:>4}  ", "bold"), meaning, (group, "dim")))

    def result(self, ended: Mapping[str, Any]) -> RenderableType:
        """Say how the match ended."""
        seats = self.room.zones["room"]["seats"]
        winners = [name_of(seats[seat]) for seat in ended.get("winners", ())]
        how = f"{' and '.join(winners)} won" if winners else "nobody won"
        return Text.assemble((f"{how}: ", "bold green"), f"{spaced(ended['reason'])} ({ended['status']})")


def name_of(seat: Mapping[str, Any]) -> str:
    """Name who sits on a seat."""
    if seat.get("bot"):
        return f"{seat['bot']} (bot)"
    return plain(str(seat.get("name") or "free"))
