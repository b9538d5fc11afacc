"""The three parts of a soak: nodes that are killed, a Cluster that moves and fails, releases that take turns.

Each is bounded in time, plays matches all the while, and gives what it comes to.
"""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from random import Random

import httpx

from server.store import keys
from tests.e2e.rig import Node, Release
from tests.e2e.soak.check import Played, check
from tests.e2e.soak.match import OPTIONS, Setting, match
from tests.e2e.soak.stage import Stage, Switch
from tests.e2e.soak.tally import Tally, tell
from tests.valkey_cluster import Member, ValkeyCluster

TABLES = 6
CUT_S = 0.7
SPARE_S = 180.0
REPLAY_S = 30.0
WARM = 0.4
"""The part of the time in which a node's memory may grow as it likes."""
Disturb = Callable[[Setting], Awaitable[None]]


async def kills(url: str, seconds: float, chance: Random, least: int = 0) -> Tally:
    """Three nodes are killed in turn and started again; a fourth lives on, and its memory is watched.

    ``least``: so many commands at least, for which it goes on up to twice as long again.
    """
    async with Stage(url, [None] * 4) as stage:
        kept, sizes = stage.places[3], list[int]()
        assert kept is not None

        async def disturb(setting: Setting) -> None:
            for at in cycle(range(3)):
                if await setting.ends_within(min(2.0, seconds / 10)):
                    return
                await stage.kill(at)

        async def weigh(setting: Setting) -> None:
            while not await setting.ends_within(min(1.0, seconds / 50)):
                sizes.append(resident_kib(kept))

        tally = await _course(stage, list(OPTIONS), seconds, chance, [disturb, weigh], least)
        tally.rss_growth_pct = growth_pct(sizes)
        return tally


async def cluster(valkeys: ValkeyCluster, seconds: float, chance: Random) -> Tally:
    """Slots migrate and primaries are killed under three nodes whose oks survive a failover."""
    async with Stage(valkeys.url, [None] * 3, durability="replicated") as stage:

        async def disturb(setting: Setting) -> None:
            await asyncio.to_thread(valkeys.brisk)
            while not await setting.ends_within(0.5):
                for _ in range(2):
                    await _migrate(valkeys, setting)
                await _fail_over(valkeys, setting)

        return await _course(stage, list(OPTIONS), seconds, chance, [disturb])


async def releases(url: str, other: Release | None, seconds: float, chance: Random) -> Tally:
    """Three nodes are told to stop in turn, and each is started as the other release."""
    async with Stage(url, [None, other, None]) as stage:

        async def disturb(setting: Setting) -> None:
            for at in cycle(range(3)):
                if await setting.ends_within(min(1.0, seconds / 10)):
                    return
                await stage.restart(at, None if stage.releases[at] else other)

        return await _course(stage, _common_games(stage), seconds, chance, [disturb])


def resident_kib(node: Node) -> int:
    """Give the memory that a node has now."""
    text = Path(f"/proc/{node.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS"))


def growth_pct(sizes: list[int]) -> float:
    """Say by how much memory grew from after the warm-up to the end, each taken as the middle of some readings."""
    few = max(1, len(sizes) // 10)
    warm = int(len(sizes) * WARM)
    before, after = statistics.median(sizes[warm : warm + few]), statistics.median(sizes[-few:])
    return round(100 * (after - before) / before, 2)


def _common_games(stage: Stage) -> list[str]:
    """Give the games of which all nodes have the same rules."""
    told = [node.http("GET", "/version").json()["rules"] for node in stage.living()]
    return [game for game in OPTIONS if len({rules.get(game) for rules in told}) == 1]


# ---- the course of a part


async def _course(
    stage: Stage, games: list[str], seconds: float, chance: Random, disturbing: list[Disturb], least: int = 0
) -> Tally:
    """Play at all tables for so long, whatever happens meanwhile, and check every match that was played."""
    tally = Tally()
    async with asyncio.timeout((3 if least else 1) * seconds + SPARE_S), AsyncExitStack() as stack:
        setting = Setting(stage, await stack.enter_async_context(Switch(stage, chance)), chance, asyncio.Event(), set())
        pool = stack.enter_context(ProcessPoolExecutor(1, mp_context=get_context("spawn")))
        async with asyncio.TaskGroup() as tasks:
            for at in range(TABLES):
                tasks.create_task(_table(setting, games, at, pool, tally))
            for disturb in (*disturbing, _cut):
                tasks.create_task(disturb(setting))
            await asyncio.sleep(seconds)
            for _ in range(20):
                if tally.commands >= least:
                    break
                await asyncio.sleep(seconds / 10)
            setting.ending.set()
    return tally


async def _table(setting: Setting, games: list[str], at: int, pool: ProcessPoolExecutor, tally: Tally) -> None:
    number = at
    while not setting.ending.is_set():
        played = await match(setting, games[number % len(games)])
        replay = await _replay(setting.stage, played)
        tally.add(await asyncio.get_running_loop().run_in_executor(pool, check, played, replay))
        number += 1


async def _replay(stage: Stage, played: Played) -> bytes | None:
    """Fetch a replay from any node that lives."""
    loop = asyncio.get_running_loop()
    until = loop.time() + REPLAY_S
    async with httpx.AsyncClient(timeout=10) as http:
        while loop.time() < until:
            for address in stage.addresses():
                try:
                    answer = await http.get(f"http://{address}/v1/replays/{played.room}")
                except httpx.HTTPError:
                    continue
                if answer.status_code == 200:
                    return answer.content
            await asyncio.sleep(0.2)
    return None


# ---- troubles


async def _cut(setting: Setting) -> None:
    while not await setting.ends_within(setting.chance.expovariate(1 / CUT_S)):
        setting.switch.cut()


def _slot(setting: Setting) -> int:
    """Choose a slot in which somebody plays."""
    rooms = sorted(setting.rooms) or ["nobody"]
    return keys.slot(keys.partition(setting.chance.choice(rooms)))


async def _migrate(valkeys: ValkeyCluster, setting: Setting) -> None:
    """Move a slot, and let people play while it is on its way."""
    slot = _slot(setting)
    source = await asyncio.to_thread(valkeys.primary, slot)
    target = next(member for member in await asyncio.to_thread(valkeys.primaries) if member is not source)
    await asyncio.to_thread(valkeys.begin_move, slot, target)
    await asyncio.sleep(0.2)
    await asyncio.to_thread(valkeys.end_move, slot, source, target)
    await asyncio.sleep(0.2)


async def _fail_over(valkeys: ValkeyCluster, setting: Setting) -> None:
    """Kill a primary, wait until its replica has taken over, and start it again."""
    slot = _slot(setting)
    victim: Member = await asyncio.to_thread(valkeys.primary, slot)
    victim.kill()
    try:
        for _ in range(600):
            if await asyncio.to_thread(valkeys.primary, slot) is not victim:
                break
            await asyncio.sleep(0.05)
        else:
            raise AssertionError("nobody took over")
    finally:
        await asyncio.to_thread(valkeys.heal)
    tell("a primary was killed, and its replica took over")
