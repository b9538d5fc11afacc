"""HTTP: guests, catalogue, rooms, decks, replays, and what operators look at. Errors are problems (RFC 9457).

Owns the HTTP side of what the desk does for sockets. Bodies and routes are named in protocol/http.py and routes.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from importlib.metadata import version as installed
from typing import Any, TypeVar

import msgspec
import structlog
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as Path

from engines.bots import bots_of
from engines.registry import games
from engines.rules import Rules
from protocol.codec import command_digest, decode_body
from protocol.errors import BadMessage, Refused
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
    Problem,
    RoomInfo,
    RoomList,
    Version,
)
from protocol.messages import FRAME_BYTES, VERSION, Create
from protocol.routes import PROBLEM_MEDIA, PROBLEM_TYPE, STATUS
from protocol.schema import json_schema
from server import replay
from server.address import client_address
from server.auth import Account, Tokens
from server.decisions import deck_of, require_door
from server.lateview import LateViews, is_hidden
from server.metrics import Metrics
from server.opening import open_room
from server.room import Ruleset
from server.rooms import Caller, Live, Rooms, room_info
from server.rulesets import RulesMissing
from server.settings import Settings
from server.store.errors import Unavailable

log = structlog.get_logger()

T = TypeVar("T", bound=Struct)
PAGE = 50
MINUTE_S = 60


class Api:
    """The HTTP side of a node. ``ready``: whether the node takes new work (it does not while it drains)."""

    def __init__(self, settings: Settings, metrics: Metrics, tokens: Tokens, rooms: Rooms) -> None:
        self._settings = settings
        self._metrics = metrics
        self._tokens = tokens
        self._rooms = rooms
        self._late = LateViews(rooms.store)
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
            ("GET", "/healthz", self._health),
            ("GET", "/readyz", self._ready),
            ("GET", "/metrics", self._figures),
            ("GET", "/version", self._version),
            ("GET", "/schema", self._schema),
        )
        return [Path(path, _guarded(handler), methods=[method]) for method, path, handler in table]

    # ---- accounts

    async def _guest(self, request: Request) -> Response:
        if not self._settings.guests:
            raise Refused("forbidden", "this service takes no guests; bring a token")
        order = await _body(request, GuestOrder) if await request.body() else GuestOrder()
        address = client_address(request, self._settings.trusted_proxies)
        if await self._rooms.store.count(f"guests:{address}", MINUTE_S) > self._settings.guests_per_minute:
            raise Refused("rate_limited", retry_after_ms=MINUTE_S * 1000)
        token, account = self._tokens.issue_guest(order.name or "Guest")
        return _json(Guest(token, account.id, account.name, account.expires_at), 201)

    async def _account(self, request: Request) -> Account | None:
        header = request.headers.get("authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Refused("unauthorized", "the header is: Authorization: Bearer TOKEN", reason="malformed")
        return await self._tokens.verify(token.strip())

    # ---- catalogue

    async def _games(self, request: Request) -> Response:
        return _json(GameList(tuple(map(game_info, games().values()))))

    async def _game(self, request: Request) -> Response:
        return _json(game_info(self._rooms.rulesets.rules(request.path_params["game"])))

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
        limit = query.get("limit", str(PAGE))
        if kind is None or not limit.isdecimal() or not 1 <= int(limit) <= 100:
            raise Refused("bad_message", "status is lobby or playing, limit is 1 to 100", where="query")
        try:
            page, more = await self._rooms.store.lists(kind, int(limit), query.get("cursor", ""))  # type: ignore[arg-type]
        except ValueError:
            raise Refused("bad_message", "that cursor was not given out here", where="cursor") from None
        rooms = [msgspec.msgpack.decode(listing, type=RoomInfo) for listing in page]
        wanted = query.get("game")
        return _json(RoomList(tuple(room for room in rooms if wanted in (None, room.game)), more or None))

    async def _create(self, request: Request) -> Response:
        account = await self._account(request)
        if account is None:
            raise Refused("unauthorized", reason="no_token")
        body = await _body(request, CreateRoom)
        key = request.headers.get("idempotency-key", "")
        if not 1 <= len(key) <= 36:
            raise Refused("bad_message", "the header Idempotency-Key has 1 to 36 characters", where="Idempotency-Key")
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
        live = await self._rooms.fresh(request.path_params["room"])
        account = await self._account(request)
        own = live.state.seat_of(account.id) if account is not None else None
        require_door(live, request.query_params.get("code"), own)
        return live, own

    def _is_hidden(self, live: Live) -> bool:
        return is_hidden(live.state, self._rooms.store.sure(live.state.id))

    async def _replay(self, request: Request) -> Response:
        live, seat = await self._visible(request)
        if seat is None and live.state.plan.replays == "seats":
            raise Refused("forbidden", "this replay is for the seats of the match")
        if seat is None and self._is_hidden(live):
            raise replay.too_early("playing")
        return _json(await replay.export(self._rooms, live.state.id))

    # ---- operations

    async def _health(self, request: Request) -> Response:
        return _json(Health("ok"))

    async def _ready(self, request: Request) -> Response:
        if self.draining:
            return _json(Health("draining"), 503)
        try:
            heard = await asyncio.wait_for(self._rooms.store.ready(), 3)
        except (Unavailable, TimeoutError):
            heard = False
        checks = {"store": "ok" if heard else "a message published there does not arrive here"}
        return _json(Health("ok" if heard else "failing", checks), 200 if heard else 503)

    async def _figures(self, request: Request) -> Response:
        self._metrics.rooms_cached.set(self._rooms.cached())
        return Response(self._metrics.render(), media_type="text/plain; version=0.0.4")

    async def _version(self, request: Request) -> Response:
        rules = {name: game.version for name, game in games().items()}
        return _json(Version(installed("sanctum"), (VERSION,), rules))

    async def _schema(self, request: Request) -> Response:
        return Response(msgspec.json.encode(json_schema()), media_type="application/schema+json")


def game_info(rules: Rules[Any]) -> GameInfo:
    """Describe a game for the catalogue."""
    packs = rules.packs().values()
    return GameInfo(
        rules.name, rules.title, rules.version, rules.seats, msgspec.json.schema(rules.Options),
        tuple(PackInfo(pack.id, pack.title, pack.hash, tuple(rules.ready_decks(pack))) for pack in packs),
        tuple(sorted(bots_of(rules))), rules.brings_decks, rules.pace.decision_s,
    )  # fmt: skip


async def _body(request: Request, kind: type[T]) -> T:
    """Read a JSON body of at most 64 KiB. Raises Refused (bad_message)."""
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > FRAME_BYTES:
            raise Refused("bad_message", f"a body has at most {FRAME_BYTES} bytes")
    try:
        return decode_body(bytes(raw), kind)
    except BadMessage as bad:
        raise Refused("bad_message", str(bad), where=bad.where) from None


def _json(body: Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(body), status, media_type="application/json")


def _guarded(handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """Turn every refusal and failure of a handler into a problem."""

    async def guarded(request: Request) -> Response:
        try:
            return await handler(request)
        except Refused as refused:
            return problem(refused, request)
        except (Unavailable, RulesMissing) as error:
            return problem(Refused("unavailable", str(error), retry_after_ms=1_000), request)
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:
            log.error("request_failed", path=request.url.path, exc_info=error)
            return problem(Refused("internal"), request)

    return guarded


def problem(refused: Refused, request: Request) -> Response:
    """Make the answer that says why not (RFC 9457, section 3)."""
    status = STATUS[refused.code]
    body = Problem(
        PROBLEM_TYPE + refused.code, refused.kind.text, status, refused.code, str(refused), request.url.path,
        refused.kind.retryable, refused.retry_after_ms, refused.details,
    )  # fmt: skip
    headers = {"retry-after": str(-(-refused.retry_after_ms // 1000))} if refused.retry_after_ms else None
    return Response(msgspec.json.encode(body), status, headers, PROBLEM_MEDIA)
