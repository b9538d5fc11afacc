"""What is kept for what does nothing: a socket, a room on a node, a room in Redis.

A node's own share is how its resident memory grows from one batch to the next, each left alone for a while first, so
that what is given back counts as given back.
"""

from __future__ import annotations

import asyncio
from random import Random
from statistics import median
from typing import Any

import redis
import uvloop

from loadtest.measure.guests import Guest, begin, play, token
from loadtest.own import Own, own

BATCHES = 3
CHOICES = 60
"""So far a match of disciple is played: about to its middle."""
REST_S, ROOMS_REST_S = 2.0, 55.0
TOGETHER = 25
MOST_ROOMS = 1_000
"""Of one pair of sockets."""


def memory(sockets: int) -> dict[str, Any]:
    """Measure batches of sockets, then batches of rooms in mid-match (a fifth as many)."""
    with own(rooms_per_socket="1024") as server:
        tokens = token(server.url, "Ann"), token(server.url, "Bob")
        return uvloop.run(_measure(server, tokens, sockets, max(TOGETHER, sockets // 5)))


async def _measure(server: Own, tokens: tuple[str, str], sockets: int, rooms: int) -> dict[str, Any]:
    by_sockets, guests = await _sockets(server, tokens[0], sockets)
    by_rooms, played = await _rooms(server, tokens, rooms)
    kept = sorted(kept_bytes(server, played[:200]))
    for guest in guests:
        guest.leave()
    return {
        "socket_bytes": _each(by_sockets, sockets), "room_bytes": _each(by_rooms, rooms),
        "redis_bytes": {"median": median(kept), "most": kept[-1]},
        "resident": {"sockets": by_sockets, "rooms": by_rooms},
    }  # fmt: skip


def _each(resident: list[int], many: int) -> int:
    """Give the growth of one thing, from the first batch to the last: the first also fills what is there once."""
    return (resident[-1] - resident[1]) // ((len(resident) - 2) * many)


async def _sockets(server: Own, account: str, many: int) -> tuple[list[int], list[Guest]]:
    resident, guests = [server.resident_bytes()], []
    for _ in range(BATCHES):
        batch = [Guest(server.url, account) for _ in range(many)]
        for some in _batched(batch):
            await asyncio.gather(*(guest.enter() for guest in some))
        guests += batch
        await asyncio.sleep(REST_S)
        resident.append(server.resident_bytes())
    return resident, guests


async def _rooms(server: Own, tokens: tuple[str, str], many: int) -> tuple[list[int], list[str]]:
    random, rooms = Random(1), []
    resident = [server.resident_bytes()]
    for _ in range(BATCHES):
        left = many
        while left > 0:
            pair = Guest(server.url, tokens[0]), Guest(server.url, tokens[1])
            await asyncio.gather(*(guest.enter() for guest in pair))
            for _ in range(0, min(left, MOST_ROOMS), TOGETHER):
                rooms += await asyncio.gather(*(_room(pair, random) for _ in range(TOGETHER)))
            left -= MOST_ROOMS
        await asyncio.sleep(ROOMS_REST_S)
        resident.append(server.resident_bytes())
    return resident, rooms


async def _room(pair: tuple[Guest, Guest], random: Random) -> str:
    room = await begin(pair)
    await play(pair, room, CHOICES, random)
    return room


def kept_bytes(server: Own, rooms: list[str]) -> list[int]:
    """Add up all keys of each room, as Redis counts them."""
    sizes = dict.fromkeys(rooms, 0)
    with redis.Redis(unix_socket_path=server.valkey_socket) as store:
        for key in store.scan_iter(count=1_000):
            room = key.decode().rpartition(":")[2]
            if room in sizes:
                sizes[room] += int(store.memory_usage(key, samples=0) or 0)
    return list(sizes.values())


def _batched(guests: list[Guest]) -> list[list[Guest]]:
    return [guests[at : at + TOGETHER] for at in range(0, len(guests), TOGETHER)]
