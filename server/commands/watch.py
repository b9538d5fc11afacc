"""``sanctum watch``: a room as a spectator sees it, until the match is over."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from contextlib import nullcontext
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from protocol.client import Client, CommandRefused, ConnectionLost
from server.commands.config import settings_or_stop
from server.commands.ends import UNAVAILABLE, USAGE, stdout, stop
from server.commands.screen import Screen
from server.commands.service import Service

RECENT = 8


def watch(
    room: Annotated[str, typer.Argument(help="The room's id.")],
    url: Annotated[str | None, typer.Option(help="The service (default: as the settings say).")] = None,
    code: Annotated[str | None, typer.Option(help="The code of a private room.")] = None,
) -> None:
    """Watch a room: drawn anew with each move on a terminal, else one line an event."""
    settings = settings_or_stop()
    service = Service(url or f"http://{settings.host}:{settings.port}")
    service.require()
    try:
        asyncio.run(_watch(service, room, code))
    except ConnectionLost as lost:
        stop(UNAVAILABLE, f"the connection is lost: {lost}")
    except CommandRefused as refused:
        stop(USAGE, f"room {room}: {refused}")


async def _watch(service: Service, room: str, code: str | None) -> None:
    async with Client(service.socket_url, name="sanctum watch") as client:
        await client.join(room, role="spectator", code=code)
        await show(client, room, stdout(), live=sys.stdout.isatty())


async def show(client: Client, room: str, console: Console, *, live: bool) -> None:
    """Show a followed room to its end, then the last table and the result. ``live``: draw over what was there."""
    screen = Screen(console, client.room(room))
    recent: deque[str] = deque(maxlen=RECENT)
    with _canvas(console) if live else nullcontext() as canvas:
        if screen.room.v is None:
            console.print("spectators see this room late; what comes first is still to come", style="italic")
        async for update in client.updates(room):
            if screen.room.v is None:
                continue
            lines = screen.told(update.events)
            recent.extend(lines)
            if canvas is not None:
                canvas.update(screen.whole(tuple(recent)), refresh=True)
            elif update.kind == "now" or "why" in update.message:
                console.print(screen.whole())
            else:
                for line in lines:
                    console.print(f"{screen.room.v:>5}  {line}")
            if screen.room.ended is not None:
                break
    if screen.room.v is not None:
        console.print(screen.whole())
    if screen.room.ended is not None:
        console.print(screen.result(screen.room.ended))


def _canvas(console: Console) -> Live:
    return Live(console=console, auto_refresh=False, transient=True, vertical_overflow="crop")
