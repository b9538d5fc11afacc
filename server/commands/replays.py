"""``sanctum replay show`` and ``verify``: a finished match read from its file, told again, and checked.

Owns how a replay is told. What makes one true is server/replay.py's.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from protocol.client import Room
from protocol.client.wire import unpack
from protocol.http import Replay
from server.commands.ends import DONE, FAILED, UNCHECKED, USAGE, stdout, stop, write_json
from server.commands.screen import Screen, name_of
from server.commands.sources import read_bytes
from server.replay import CannotCheck, Verdict, read, verify, versions

FileArgument = Annotated[Path, typer.Argument(help="A replay, as GET /v1/replays/ROOM gives it.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Machine-readable, alone on stdout.")]


def show_replay(
    file: FileArgument,
    seat: Annotated[int | None, typer.Option(min=0, help="As this seat saw it (default: as the public did).")] = None,
) -> None:
    """Tell a match again, move by move, from one point of view."""
    replay = _read(file)
    _checked(file, replay, [])
    if seat is not None and seat >= len(replay.seats):
        stop(USAGE, f"the match has seats 0 to {len(replay.seats) - 1}")
    out = stdout()
    who = ", ".join(f"{each.seat}: {name_of(msgspec.structs.asdict(each))}" for each in replay.seats)
    out.print(f"{replay.game} rules {replay.rules}, pack {replay.pack}, room {replay.room}; {who}")
    room = Room(replay.room)
    room.audience = "public" if seat is None else seat
    room.v = 0  # the first frame is no snapshot: it follows on nothing
    screen = Screen(out, room)
    for frame in _frames(replay, seat):
        room.fold(frame)
        for line in screen.told(frame.get("events", ())):
            out.print(f"{room.v:>5}  {line}")
    out.print(screen.whole())
    if "result" in room.zones.get("room", {}):
        out.print(screen.result(room.zones["room"]["result"]))


def verify_replay(
    file: FileArgument,
    seen: Annotated[Path | None, typer.Option(help="Frames that a client recorded: they must all be in it.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Execute a match again: commitment, chance, and every frame of every audience must be the same."""
    replay = _read(file)
    recorded = read_bytes(seen).decode(errors="replace").splitlines() if seen is not None else []
    verdict = _checked(file, replay, recorded)
    if as_json:
        write_json({"file": str(file), "room": replay.room, "ok": verdict.difference is None, **_fields(verdict)})
    else:
        stdout().print(f"{file}: {told(verdict)}")
    raise typer.Exit(DONE if verdict.difference is None else FAILED)


def told(verdict: Verdict) -> str:
    """Say in one line what a check came to."""
    if verdict.difference is not None:
        return f"NOT as told. {verdict.difference.where}: {verdict.difference.text}"
    seen = f", {verdict.seen} recorded frames among them" if verdict.seen else ""
    rested = _counted(verdict.takeovers, "at rest")
    rewound = _counted(verdict.rewinds, "back to a checkpoint with fresh chance")
    told = f"in order: {verdict.versions} versions executed again, every frame of every audience is the same{seen}"
    return told + rested + rewound


def _counted(times: int, how: str) -> str:
    return f"; newer rules took over {'once' if times == 1 else f'{times} times'}, {how}" if times else ""


def _fields(verdict: Verdict) -> dict[str, Any]:
    return msgspec.structs.asdict(verdict)


def _read(file: Path) -> Replay:
    try:
        return read(read_bytes(file))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        stop(USAGE, f"{file} is no replay: {error}")


def _checked(file: Path, replay: Replay, seen: list[str]) -> Verdict:
    try:
        return verify(replay, seen)
    except CannotCheck as error:
        stop(UNCHECKED, f"{file}: {error}")
    except (ValueError, KeyError, TypeError) as error:
        stop(USAGE, f"{file} or what was recorded is malformed: {error}")


def _frames(replay: Replay, seat: int | None) -> Iterator[dict[str, Any]]:
    """Make the frames of one audience again, as far as the inputs can be executed."""
    for _, version in versions(replay):
        yield unpack(version.entry.frames[0 if seat is None else seat + 1])
