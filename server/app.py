"""The composition root: one node, put together from its parts, and run by uvicorn.

Owns the order in which things start and stop. Everything else is in the parts.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any

import structlog
import uvicorn
from msgspec import Struct
from starlette.applications import Starlette

from protocol.messages import Draining
from server.address import Addresses
from server.api import Api
from server.api_operator import OperatorApi
from server.api_results import ResultsApi
from server.auth import Tokens
from server.bans import Bans
from server.clocks import Clocks
from server.copies import Copies
from server.desk import Desk
from server.fanout import Fanout
from server.garbage import Garbage
from server.gateway import Gateway
from server.limits import Limits
from server.metrics import Metrics
from server.packs import read_packs
from server.page import files as page
from server.patience import SPARE_LINES, Entrance, PatientHttp
from server.presence import Attendance
from server.rooms import Rooms
from server.rulesets import Rulesets
from server.session import packet
from server.settings import Settings
from server.store.redis import Store
from server.upkeep import Upkeep

log = structlog.get_logger()

TICK_S = 1.0
DRAIN_RETRY_MS = (500, 4_000)
"""When clients of a stopping node are to come back: each at a moment of its own, so that no other is stormed."""
KEEP_ALIVE_S = 15


class Node(Struct):
    """All parts of one node, started."""

    settings: Settings
    metrics: Metrics
    store: Store
    rooms: Rooms
    fanout: Fanout
    clocks: Clocks
    gateway: Gateway
    api: Api
    results: ResultsApi
    operator: OperatorApi
    bans: Bans
    upkeep: Upkeep


@asynccontextmanager
async def node(settings: Settings, secret: bytes, url: str) -> AsyncIterator[Node]:
    """Start a node on a store's address; stop it in the opposite order. Raises Unfit, Unavailable, BadPacks."""
    packs = read_packs(settings.packs_dir)
    store = await Store.open(url, settings.durability)
    try:
        metrics = Metrics()
        tokens = Tokens(settings, secret)
        rooms = Rooms(store, Rulesets(store, packs), metrics)
        fanout = Fanout(store, rooms, metrics)
        clocks = Clocks(store, rooms, metrics)
        presence = Attendance(store, rooms, fanout)
        clocks.before_loss, clocks.on_silence = presence.absences.bring_back, presence.look
        limits, addresses = Limits(settings, store, metrics), Addresses(settings)
        desk = Desk(settings, metrics, tokens, rooms, fanout, presence, limits)
        gateway = Gateway(settings, metrics, desk, limits, addresses, set())
        upkeep = Upkeep(store, Copies(store, metrics, settings.rated_guests), metrics)
        rooms.on_end = upkeep.room_ended
        api = Api(settings, metrics, tokens, rooms, limits, addresses)
        results = ResultsApi(tokens, rooms, api.limited)
        bans = Bans(rooms)
        tokens.admit, bans.on_ban = bans.admit, gateway.shut_out
        operator = OperatorApi(tokens, rooms, bans, api.limited)
        made = Node(settings, metrics, store, rooms, fanout, clocks, gateway, api, results, operator, bans, upkeep)
        await presence.start()
        await bans.start()
        clocks.start()
        upkeep.start()
        ticker = asyncio.create_task(_tick(made))
        try:
            yield made
        finally:
            ticker.cancel()
            with suppress(asyncio.CancelledError):
                await ticker
            made.metrics.charge()  # what the last second brought
            await upkeep.stop()
            await bans.stop()
            await clocks.stop()
            await presence.stop()
            await fanout.stop()
    finally:
        await store.close()


async def _tick(made: Node) -> None:
    """Do what is done from time to time: tell quiet rooms where they stand, keep the figures fresh."""
    garbage = Garbage()
    while True:
        await asyncio.sleep(TICK_S)
        made.metrics.charge()
        made.gateway.limits.forget(time.monotonic())
        made.rooms.rest()
        made.fanout.tell_tips(time.monotonic())
        garbage.rest(made.rooms.cached())


def application(made: Node) -> Starlette:
    """Make the HTTP application of a node."""
    shown = page.routes() if made.settings.page else ()
    return Starlette(routes=[*made.api.routes(), *made.results.routes(), *made.operator.routes(), *shown])


class _Server(uvicorn.Server):
    """uvicorn, which tells this node's clients before it stops."""

    def __init__(self, config: uvicorn.Config, made: Node) -> None:
        super().__init__(config)
        self._made = made

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whoever runs the node."""
        yield

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        made = self._made
        made.api.draining = made.gateway.draining = True
        for socket in tuple(made.gateway.sockets):
            socket.send(packet(Draining(random.randint(*DRAIN_RETRY_MS))))
        await made.gateway.finish_commands(made.settings.drain_s / 2)
        await super().shutdown(sockets)


async def run(settings: Settings, secret: bytes, url: str, listening: list[Any] | None = None) -> None:
    """Run a node until it is cancelled; then end it in good order. ``listening``: sockets made by a supervisor."""
    async with node(settings, secret, url) as made:
        gateway = made.gateway
        entrance = Entrance(gateway.addresses, gateway.limits, settings.max_sockets + SPARE_LINES)
        config = uvicorn.Config(
            application(made),
            host=settings.host,
            port=settings.port,
            http=partial(PatientHttp, entrance),  # type: ignore[arg-type]
            ws=gateway.make,  # type: ignore[arg-type]
            proxy_headers=False,  # who may say whose request it is, is a setting of ours
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=settings.drain_s,
        )
        server = _Server(config, made)
        serving = asyncio.create_task(server.serve(sockets=listening))
        log.info("node_started")
        try:
            await asyncio.shield(serving)
        finally:
            server.should_exit = True
            await serving
            log.info("node_stopped")
