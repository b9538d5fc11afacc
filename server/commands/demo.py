"""``sanctum demo``: a whole match in one command, over real sockets, watched and then checked.

Owns the order of the show. Knows no game.
"""

from __future__ import annotations

import asyncio
import io
import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console

from engines.rules import Bot
from protocol.client import Client, CommandRefused, ConnectionLost, Recorder
from server.commands.ends import FAILED, UNAVAILABLE, stdout, stop
from server.commands.own_server import own_server
from server.commands.replays import told
from server.commands.robot import bot_for, take_part
from server.commands.service import Service
from server.commands.watch import show
from server.replay import CannotCheck, read, verify

NAMES = ("Ada", "Blaise", "Clara", "Dante", "Edith")
PAUSE_MS = 120
UNHURRIED = {"commands_per_second": "1000", "commands_burst": "1000"}
"""Settings of a server on which bots need not wait for each other."""


def demo(
    game: Annotated[str, typer.Argument(help="The game to show.")] = "disciple",
    pause_ms: Annotated[int | None, typer.Option(min=0, help="Before each move (default: 120 on a terminal).")] = None,
    keep: Annotated[Path | None, typer.Option(help="Folder for the replay and the frames that were seen.")] = None,
) -> None:
    """Start a server, let two bots play, watch them, and prove that the match came about as told."""
    live = sys.stdout.isatty()
    pause = pause_ms if pause_ms is not None else PAUSE_MS if live else 0
    if not perform(game, stdout(), live=live, pause_s=pause / 1_000, keep=keep):
        raise typer.Exit(FAILED)


def perform(game: str, console: Console, *, live: bool, pause_s: float, keep: Path | None = None) -> bool:
    """Give the whole show on a console. Says whether the replay was in order."""
    with own_server(**UNHURRIED) as url:
        service = Service(url)
        entry = service.game(game)
        frames = io.StringIO()
        try:
            room = asyncio.run(_match(service, entry, Recorder(frames), console, live=live, pause_s=pause_s))
        except (ConnectionLost, CommandRefused) as lost:
            stop(UNAVAILABLE, f"the match could not be played: {lost}")
        except ExceptionGroup as several:
            if (lost_ones := several.subgroup((ConnectionLost, CommandRefused))) is None:
                raise
            stop(UNAVAILABLE, f"the match could not be played: {lost_ones.exceptions[0]}")
        raw = service.replay(room)
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / "replay.json").write_bytes(raw)
        (keep / "frames.jsonl").write_text(frames.getvalue())
    return _check(raw, frames.getvalue(), console)


async def _match(
    service: Service, entry: dict[str, Any], recorder: Recorder, console: Console, *, live: bool, pause_s: float
) -> str:
    """Let clients of all kinds meet in one room; give its id at the end."""
    fewest, most = entry["seats"]
    seats = range(max(fewest, min(2, most)))
    tokens = [service.guest(NAMES[seat % len(NAMES)]) for seat in seats]
    decks = entry["packs"][0]["decks"] if entry["brings_decks"] else (None,)
    async with (
        Client(service.socket_url, token=tokens[0], name="sanctum demo", recorder=recorder) as spectator,
        asyncio.TaskGroup() as tasks,
    ):
        made = await spectator.create(entry["name"], seats=[{} for _ in seats], room={"holds": False})
        room = str(made["room"])
        await spectator.join(room, role="spectator")
        for seat in seats:
            tasks.create_task(
                _player(service, tokens[seat], room, seat, decks[seat % len(decks)], bot_for(entry["name"]), pause_s)
            )
        await show(spectator, room, console, live=live)
    return room


async def _player(
    service: Service, token: str, room: str, seat: int, deck: str | None, bot: Bot, pause_s: float
) -> None:
    async with Client(service.socket_url, token=token, name="sanctum demo") as client:
        await take_part(client, room, seat, deck, bot, pause_s)


def _check(raw: bytes, frames: str, console: Console) -> bool:
    try:
        replay = read(raw)
        verdict = verify(replay, frames.splitlines())
    except (CannotCheck, msgspec.DecodeError) as error:
        console.print(f"the replay cannot be checked: {error}", style="red")
        return False
    console.print(f"seed revealed: {replay.seed}", style="dim")
    console.print(f"committed to:  {replay.commitment}", style="dim")
    console.print(f"replay {told(verdict)}", style="red" if verdict.difference else "green")
    return verdict.difference is None
