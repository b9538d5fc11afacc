"""HTTP: guests, catalogue, rooms, decks, replays, and what operators look at. Errors are problems (RFC 9457).

Owns the HTTP side of what the desk does for sockets. Bodies and routes are named in protocol/http.py and routes.py.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from importlib.metadata import version as installed
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as Path

from engines.bots import bots_of
from engines.registry import games
from engines.rules import Pack, Rules
from protocol.codec import command_digest
from protocol.errors import Refused
from protocol.http import (
    CreatedRoom,
    CreateRoom,
    DeckCheck,
    DeckFault,
    DeckVerdict,
    GameInfo,
    GameList,
    Guest,
    GuestOrder,
    Health,
    PackInfo,
    RoomInfo,
    RoomList,
    SeatInfo,
    Version,
)
from protocol.messages import VERSION, Create
from protocol.schema import json_schema
from server import replay
from server.address import Addresses
from server.api_answers import Answerer, account_of, cursor_of, idempotency_key, limit_of, paged, required_account
from server.api_answers import answer as _json
from server.api_answers import body_of as _body
from server.api_answers import guarded as _guarded
from server.auth import Account, Tokens
from server.decisions import deck_of, require_door
from server.figures import count_rooms, figures, require_operator
from server.lateview import LateViews, is_hidden
from server.limits import Limits
from server.listing import room_info
from server.live import Live
from server.metrics import Metrics
from server.opening import open_room
from server.room import Ruleset
from server.rooms import Caller, Rooms
from server.settings import Settings
from server.store.errors import Unavailable

COSTS = {("GET", "/healthz"): 0, ("GET", "/readyz"): 0, ("GET", "/v1/rooms"): 10, ("POST", "/v1/decks/validate"): 5}
"""For how many requests one counts, if not for one. Who stands in front asks for health at whatever pace it likes."""


class Api:
    """The HTTP side of a node. ``ready``: whether the node takes new work (it does not while it drains)."""

    def __init__(
        self, settings: Settings, metrics: Metrics, tokens: Tokens, rooms: Rooms, limits: Limits, addresses: Addresses
    ) -> None:
        self._settings = settings
        self._metrics = metrics
        self._tokens = tokens
        self._rooms = rooms
        self._late = LateViews(rooms.store)
        self._limits = limits
        self._addresses = addresses
        self._looking: asyncio.Task[bool] | None = None
        self.draining = False

    def routes(self) -> list[Path]:
        """Give the routes, those of protocol/routes.py."""
        table: tuple[tuple[str, str, Callable[[Request], Awaitable[Response]]], ...] = (
            ("POST", "/v1/guests", self._guest),
            ("GET", "/v1/games", self._games),
            ("GET", "/v1/games/{game}", self._game),
            ("GET", "/v1/rooms", self._list),
            ("POST", "/v1/rooms", self._create),
            ("GET", "/v1/rooms/{room}", self._room),
            ("POST", "/v1/decks/validate", self._check_deck),
            ("GET", "/v1/replays/{room}", self._replay),
            ("GET", "/v1/operator/figures", self._watched),
            ("GET", "/healthz", self._health),
            ("GET", "/readyz", self._ready),
            ("GET", "/metrics", self._figures),
            ("GET", "/version", self._version),
            ("GET", "/schema", self._schema),
        )
        return [
            Path(path, _guarded(self.limited(handler, COSTS.get((method, path), 1))), methods=[method])
            for method, path, handler in table
        ]

    def limited(self, handler: Answerer, cost: int = 1) -> Answerer:
        """Let an address make so many requests a second, of this route and all others that are limited."""
        if not cost:
            return handler

        async def limited(request: Request) -> Response:
            address = self._addresses.counted(*_whence(request))
            if address is not None and (wait_ms := self._limits.requests.take(address, time.monotonic(), cost)):
                self._limits.refuse("requests")
                raise Refused("rate_limited", retry_after_ms=wait_ms, limit="requests")
            return await handler(request)

        return limited

    # ---- accounts

    async def _guest(self, request: Request) -> Response:
        if not self._settings.guests:
            raise Refused("forbidden", "this service takes no guests; bring a token")
        order = await _body(request, GuestOrder) if await request.body() else GuestOrder()
        await self._limits.take("guests", self._addresses.block(*_whence(request)), self._settings.guests_per_minute)
        token, account = self._tokens.issue_guest(order.name or "Guest")
        return _json(Guest(token, account.id, account.name, account.expires_at), 201)

    async def _account(self, request: Request) -> Account | None:
        return await account_of(request, self._tokens)

    # ---- catalogue

    async def _games(self, request: Request) -> Response:
        return _json(GameList(tuple(map(self._game_info, games().values()))))

    async def _game(self, request: Request) -> Response:
        return _json(self._game_info(self._rooms.rulesets.rules(request.path_params["game"])))

    def _game_info(self, rules: Rules[Any]) -> GameInfo:
        return game_info(rules, self._rooms.rulesets.packs(rules).values())

    async def _check_deck(self, request: Request) -> Response:
        asked = await _body(request, DeckCheck)
        rules = self._rooms.rulesets.rules(asked.game)
        try:
            deck_of(Ruleset(rules, self._rooms.rulesets.pack(rules, asked.pack)), asked.deck)
        except Refused as refused:
            if refused.code != "bad_deck":
                raise
            return _json(DeckVerdict(tuple(DeckFault(**fault) for fault in refused.details["faults"])))
        return _json(DeckVerdict(()))

    # ---- rooms

    async def _list(self, request: Request) -> Response:
        query = request.query_params
        kind = {"lobby": "open", "playing": "live"}.get(query.get("status", "lobby"))
        if kind is None or query.get("free", "false") not in ("true", "false"):
            raise Refused("bad_message", "status is lobby or playing, free is true or false", where="query")
        wanted, free = query.get("game"), query.get("free") == "true"

        def fits(listing: bytes) -> bool:
            room = _listed(listing)
            return wanted in (None, room.game) and (not free or any(map(_is_free, room.seats)))

        page, more = await paged(self._rooms.store.lists(kind, limit_of(request), cursor_of(request), fits))  # type: ignore[arg-type]
        return _json(RoomList(tuple(map(_listed, page)), more))

    async def _create(self, request: Request) -> Response:
        account = await required_account(request, self._tokens)
        body = await _body(request, CreateRoom)
        key = idempotency_key(request)
        await self._limits.take("creates", account.id, self._settings.creates_per_minute)
        command = Create(key, body.game, body.options, body.seats, body.pack, body.room)
        ok = await open_room(self._rooms, Caller(account.id, key, command_digest(command)), command)
        return _json(CreatedRoom(ok.room or "", ok.code), 201)

    async def _room(self, request: Request) -> Response:
        live, seat = await self._visible(request)
        if seat is None and self._is_hidden(live):
            return _json(await self._late.info(live.state))
        return _json(room_info(live.state))

    async def _visible(self, request: Request) -> tuple[Live, int | None]:
        """Give a room that this caller may see, and its seat; private, missing and wrong code look alike."""
        account = await self._account(request)  # first: a bad token must not tell rooms that are there from others
        live = await self._rooms.look(request.path_params["room"])
        own = live.state.seat_of(account.id) if account is not None else None
        require_door(live, request.query_params.get("code"), own)
        return live, own

    def _is_hidden(self, live: Live) -> bool:
        return is_hidden(live.state, self._rooms.store.sure(live.state.id))

    async def _replay(self, request: Request) -> Response:
        account = await self._account(request)
        who = account.id if account is not None else self._addresses.counted(*_whence(request))
        if who is not None:
            await self._limits.take("replays", who, self._settings.replays_per_minute)
        live, seat = await self._visible(request)
        if seat is None and live.state.plan.replays == "seats":
            raise Refused("forbidden", "this replay is for the seats of the match")
        if seat is None and self._is_hidden(live):
            raise replay.too_early("playing")
        return _json(await replay.export(self._rooms, live.state))

    # ---- operations

    async def _health(self, request: Request) -> Response:
        return _json(Health("ok"))

    async def _ready(self, request: Request) -> Response:
        if self.draining:
            return _json(Health("draining"), 503)
        try:
            heard = await asyncio.wait_for(asyncio.shield(self._hearing()), 3)
        except (Unavailable, TimeoutError):
            heard = False
        checks = {"store": "ok" if heard else "a message published there does not arrive here"}
        return _json(Health("ok" if heard else "failing", checks), 200 if heard else 503)

    def _hearing(self) -> asyncio.Task[bool]:
        """Look once for all who ask at the same time."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._rooms.store.ready())
            self._looking.add_done_callback(lambda task: task.cancelled() or task.exception())
        return self._looking

    async def _figures(self, request: Request) -> Response:
        self._metrics.rooms_cached.set(self._rooms.cached())
        await count_rooms(self._metrics, self._rooms.store)
        return Response(self._metrics.render(), media_type="text/plain; version=0.0.4")

    async def _watched(self, request: Request) -> Response:
        require_operator(await self._account(request))
        return _json(await figures(self._metrics, self._rooms.store))

    async def _version(self, request: Request) -> Response:
        rules = {name: game.version for name, game in games().items()}
        return _json(Version(installed("sanctum"), (VERSION,), rules))

    async def _schema(self, request: Request) -> Response:
        return Response(_schema_text(), media_type="application/schema+json")


@cache
def _schema_text() -> bytes:
    return msgspec.json.encode(json_schema())


@cache
def _options_schema(kind: type[Struct]) -> dict[str, Any]:
    return msgspec.json.schema(kind)


def game_info(rules: Rules[Any], packs: Iterable[Pack]) -> GameInfo:
    """Describe a game for the catalogue, with the packs that are offered here."""
    return GameInfo(
        rules.name, rules.title, rules.version, rules.seats, _options_schema(rules.Options),
        tuple(PackInfo(pack.id, pack.title, pack.hash, tuple(rules.ready_decks(pack))) for pack in packs),
        tuple(sorted(bots_of(rules))), rules.brings_decks, rules.pace.decision_s,
    )  # fmt: skip


def _is_free(seat: SeatInfo) -> bool:
    """Say whether anybody may still sit down there."""
    return not (seat.taken or seat.reserved)


def _listed(listing: bytes) -> RoomInfo:
    return msgspec.msgpack.decode(listing, type=RoomInfo)


def _whence(request: Request) -> tuple[str, list[str]]:
    """Give the peer's address, and what was forwarded."""
    peer = request.client.host if request.client is not None else ""
    return peer, request.headers.getlist("x-forwarded-for")
