"""``sanctum play``: a person at a terminal takes a seat, among bots or in a room that is there already.

Owns who sits where. Knows no game and no rules.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import nullcontext
from typing import Annotated, Any

import typer

from protocol.client import Client, CommandRefused, ConnectionLost
from server.commands.conversation import Conversation, told
from server.commands.ends import UNAVAILABLE, USAGE, stdout, stop
from server.commands.own_server import own_server
from server.commands.screen import Screen
from server.commands.service import Service
from server.commands.typed import Typed

PEOPLE = "people"


def play(
    game: Annotated[str, typer.Argument(help="The game to play.")],
    against: Annotated[
        str | None, typer.Option(help="Bot for the other seats (default: the game's first), or: people.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="A running service (default: a server of its own).")] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="Your seat (default: the first that is free).")] = None,
    deck: Annotated[str | None, typer.Option(help="Name of a ready-made deck, for you.")] = None,
    room: Annotated[str | None, typer.Option(help="Sit down in a room that is there already.")] = None,
    code: Annotated[str | None, typer.Option(help="The code of a private room.")] = None,
    name: Annotated[str, typer.Option(help="What others call you.")] = "You",
    delay: Annotated[int, typer.Option(min=0, max=3_600, help="Seconds by which spectators see the match late.")] = 0,
) -> None:
    """Play a match in the terminal."""
    with nullcontext(url) if url is not None else own_server() as address:
        service = Service(address)
        entry = service.game(game)
        token = service.guest(name)
        plan = None if room is not None else plan_of(entry, seat or 0, against, deck, delay)
        try:
            asyncio.run(_sit_and_play(service, token, room, plan, seat, deck or _deck(entry, 0), code))
        except ConnectionLost as lost:
            stop(UNAVAILABLE, f"the connection is lost: {lost}")
        except CommandRefused as refused:
            stop(USAGE, f"the service refuses: {told(refused)}")


def plan_of(
    entry: dict[str, Any], seat: int, against: str | None, deck: str | None, delay_s: int = 0
) -> dict[str, Any]:
    """Plan a room for one person, and bots or people in all other seats. ``entry``: the game's, in the catalogue."""
    fewest, most = entry["seats"]
    if seat >= most:
        stop(USAGE, f"{entry['name']} has seats 0 to {most - 1}")
    if deck is not None and deck not in entry["packs"][0]["decks"]:
        stop(USAGE, f"no ready-made deck {deck!r}; there are: {', '.join(entry['packs'][0]['decks'])}")
    seats = range(max(fewest, seat + 1))
    late = {"delay_s": delay_s} if delay_s else {}
    if against == PEOPLE:
        return {"game": entry["name"], "seats": [{} for _ in seats]} | ({"room": late} if late else {})
    other = _bot(entry, against)
    # Nothing is kept from a bot by making the person wait for answers that are there already.
    return {
        "game": entry["name"],
        "seats": [{} if at == seat else other for at in seats],
        "room": {"holds": False} | late,
    }


def _bot(entry: dict[str, Any], chosen: str | None) -> dict[str, str]:
    if chosen is None and not entry["bots"]:
        stop(USAGE, f"{entry['name']} has no bot; play it --against {PEOPLE}")
    if chosen is not None and chosen not in entry["bots"]:
        stop(USAGE, f"{entry['name']} has no bot {chosen!r}; it has: {', '.join(entry['bots'])}, {PEOPLE}")
    deck = _deck(entry, 1)
    return {"bot": chosen or entry["bots"][0]} | ({"deck": deck} if deck else {})


def _deck(entry: dict[str, Any], place: int) -> str | None:
    """Choose a ready-made deck, where decks are brought."""
    decks = entry["packs"][0]["decks"] if entry["brings_decks"] else ()
    return decks[place % len(decks)] if decks else None


async def _sit_and_play(
    service: Service, token: str, room: str | None, plan: dict[str, Any] | None, seat: int | None, deck: str | None,
    code: str | None,
) -> None:  # fmt: skip
    async with Client(service.socket_url, token=token, name="sanctum play") as client:
        if plan is not None:
            room = (await client.create(**plan))["room"]
            if all(not seat_plan for seat_plan in plan["seats"]):
                stdout().print(f"others sit down with: sanctum play {plan['game']} --url {service.url} --room {room}")
        assert room is not None  # given, or made
        await client.join(room, seat=seat, deck=deck, code=code)
        await client.ready(room, entropy=secrets.token_bytes(16))
        screen = Screen(stdout(), client.room(room), await service_clock(client, room))
        await Conversation(client, screen, Typed()).run()


async def service_clock(client: Client, room: str) -> Callable[[], int]:
    """Give a clock that shows a room's service time, in milliseconds."""
    local_s = asyncio.get_running_loop().time
    ahead_ms: int = (await client.ping(room))["at"] - int(local_s() * 1_000)
    return lambda: int(local_s() * 1_000) + ahead_ms
