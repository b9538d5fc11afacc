"""The table of HTTP routes: what each takes, gives and refuses. The OpenAPI page is made from it.

Knows no framework and no server. Every error is answered with a Problem (RFC 9457).
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from protocol.http import (
    Ban,
    BanOrder,
    CreatedRoom,
    CreateRoom,
    DeckCheck,
    DeckVerdict,
    EndedRoom,
    EndRoom,
    Figures,
    GameInfo,
    GameList,
    Guest,
    GuestOrder,
    Health,
    Leaderboard,
    OwnRooms,
    Replay,
    ReserveRoom,
    ResultList,
    RoomInfo,
    RoomList,
    Version,
)  # fmt: skip

PROBLEM_MEDIA = "application/problem+json"
PROBLEM_TYPE = "urn:sanctum:error:"
"""What the ``type`` of a Problem begins with; the code follows."""

STATUS: dict[str, int] = {
    "bad_message": 400, "unknown_type": 400, "unsupported_version": 400, "hello_first": 400,
    "unauthorized": 401, "forbidden": 403, "not_seated": 403,
    "not_found": 404, "unknown_game": 404, "unknown_pack": 404,
    "seat_taken": 409, "not_joined": 409, "wrong_status": 409, "stale_prompt": 409, "conflict": 409,
    "bad_options": 422, "bad_deck": 422, "bad_seats": 422, "refused": 422,
    "too_many": 429, "rate_limited": 429,
    "internal": 500, "busy": 503, "unavailable": 503,
}  # fmt: skip
"""Error code → HTTP status."""


class Parameter(Struct, frozen=True):
    """A value in a route's path, query or headers."""

    name: str
    place: Literal["path", "query", "header"]
    text: str
    required: bool = False
    schema: dict[str, Any] = field(default_factory=lambda: {"type": "string"})


class Route(Struct, frozen=True):
    """One route. ``request`` and ``response``: body types (None: no body, or ``media`` other than JSON).

    ``errors``: codes of ERRORS, ``STATUS`` gives their status. ``auth``: whether a token must be sent, may be, or
    plays no part (None).
    """

    method: Literal["GET", "POST", "DELETE"]
    path: str
    name: str
    text: str
    response: type[Struct] | None
    status: int = 200
    request: type[Struct] | None = None
    parameters: tuple[Parameter, ...] = ()
    errors: tuple[str, ...] = ()
    auth: Literal["must", "may"] | None = None
    media: str = "application/json"


_ROOM = Parameter("room", "path", "the room's id", True)
_GAME = Parameter("game", "path", "the game's name", True)
_CODE = Parameter("code", "query", "a private room's code; its seats need none")
_LIMIT = Parameter(
    "limit", "query", "rooms a page", False, {"type": "integer", "minimum": 1, "maximum": 100, "default": 50}
)
_CURSOR = Parameter("cursor", "query", "`next` of the page before")
_FILTERS = (
    Parameter("game", "query", "only rooms of this game"),
    Parameter("status", "query", "only rooms of this status", False, {"type": "string", "enum": ["lobby", "playing"]}),
    Parameter("free", "query", "only rooms in which anybody may still sit down", False, {"type": "boolean"}),
)
_OF_GAME = Parameter("game", "query", "the game's name", True)
_STATUSES = Parameter("status", "query", "only rooms of this status; several by commas (`lobby,playing`)")
_AROUND = Parameter(
    "around",
    "query",
    "the part with the place of whoever asks in its middle",
    False,
    {"type": "string", "enum": ["me"]},
)
_KEY = Parameter(
    "Idempotency-Key", "header", "made by the client, as a command's id: the same key meets its own room",
    False, {"type": "string", "minLength": 1, "maxLength": 36},
)  # fmt: skip
_ACCOUNT = Parameter("account", "path", "the account: the `sub` of its tokens", True)
_BUSY = ("rate_limited", "unavailable", "internal")
_OF_ACCOUNT = ("unauthorized", "forbidden", *_BUSY)

ROUTES: tuple[Route, ...] = (
    Route("POST", "/v1/guests", "createGuest", "Open a guest's account.", Guest, 201, GuestOrder,
          errors=("bad_message", "forbidden", *_BUSY)),
    Route("GET", "/v1/games", "listGames", "List all games, with options, packs and bots.", GameList,
          errors=("rate_limited",)),
    Route("GET", "/v1/games/{game}", "getGame", "Show one game.", GameInfo, parameters=(_GAME,),
          errors=("unknown_game", "rate_limited")),
    Route("GET", "/v1/rooms", "listRooms", "List public rooms, the newest first.", RoomList,
          parameters=(*_FILTERS, _LIMIT, _CURSOR), errors=("bad_message", *_BUSY)),
    Route("POST", "/v1/rooms", "createRoom", "Open a room. It takes nobody in.", CreatedRoom, 201, CreateRoom, (_KEY,),
          ("bad_message", "unknown_game", "unknown_pack", "conflict", "bad_options", "bad_seats", "bad_deck",
           "too_many", *_OF_ACCOUNT), "must"),
    Route("GET", "/v1/rooms/{room}", "getRoom", "Show one room.", RoomInfo, parameters=(_ROOM, _CODE),
          errors=("not_found", *_OF_ACCOUNT), auth="may"),
    Route("GET", "/v1/accounts/me/rooms", "listOwnRooms",
          "List the rooms in which the account has a seat, ended ones too, those made last first.", OwnRooms,
          parameters=(_STATUSES, _LIMIT, _CURSOR), errors=("bad_message", *_OF_ACCOUNT), auth="must"),
    Route("GET", "/v1/results", "listResults", "List how a game's public matches ended, the newest first.", ResultList,
          parameters=(_OF_GAME, _LIMIT, _CURSOR), errors=("bad_message", "unknown_game", *_BUSY)),
    Route("GET", "/v1/leaderboard", "getLeaderboard", "Rank the accounts that have played a game, the best first.",
          Leaderboard, parameters=(_OF_GAME, _LIMIT, _CURSOR, _AROUND),
          errors=("bad_message", "unknown_game", *_OF_ACCOUNT), auth="may"),
    Route("POST", "/v1/decks/validate", "checkDeck", "List everything that is wrong with a deck.", DeckVerdict, 200,
          DeckCheck, errors=("bad_message", "unknown_game", "unknown_pack", *_BUSY)),
    Route("GET", "/v1/replays/{room}", "getReplay", "Give a match that has ended, whole.", Replay,
          parameters=(_ROOM, _CODE), errors=("not_found", "wrong_status", *_OF_ACCOUNT),
          auth="may"),
    Route("GET", "/v1/operator/figures", "getFigures", "Give the figures that an operator watches.", Figures,
          errors=("unauthorized", "forbidden", *_BUSY), auth="must"),
    Route("POST", "/v1/operator/rooms", "reserveRoom", "Open a room whose seats wait for their accounts.", CreatedRoom,
          201, ReserveRoom, (_KEY,), ("bad_message", *_OF_ACCOUNT, "unknown_game", "unknown_pack", "conflict",
          "bad_options", "bad_seats", "bad_deck", "too_many"), "must"),
    Route("POST", "/v1/operator/rooms/{room}/end", "endRoom", "End a room as void, for a reason that all are told.",
          EndedRoom, 200, EndRoom, (_ROOM,), ("bad_message", "not_found", "wrong_status", *_OF_ACCOUNT), "must"),
    Route("POST", "/v1/operator/bans/{account}", "banAccount",
          "Ban an account: its sockets are closed, its seats given up, and it is not let in again.", Ban, 200, BanOrder,
          (_ACCOUNT,), ("bad_message", *_OF_ACCOUNT), "must"),
    Route("DELETE", "/v1/operator/bans/{account}", "liftBan", "Let an account in again.", Ban, parameters=(_ACCOUNT,),
          errors=("bad_message", *_OF_ACCOUNT), auth="must"),
    Route("GET", "/v1/operator/bans/{account}", "getBan", "Say whether an account is banned.", Ban,
          parameters=(_ACCOUNT,), errors=("bad_message", *_OF_ACCOUNT), auth="must"),
    Route("GET", "/healthz", "getHealth", "Say whether this process lives.", Health),
    Route("GET", "/readyz", "getReadiness", "Say whether this node can serve: 503 with the same body if not.", Health),
    Route("GET", "/metrics", "getMetrics", "Give figures for Prometheus.", None, media="text/plain"),
    Route("GET", "/version", "getVersion", "Say what runs here.", Version),
    Route("GET", "/schema", "getSchema", "Give the JSON Schema of all messages.", None,
          media="application/schema+json"),
)  # fmt: skip
