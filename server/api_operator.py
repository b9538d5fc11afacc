"""HTTP: what operators do - rooms with reserved seats, ending a room, bans. Each deed is one line of the log.

Owns who may do it and what is written down of it. Shows of a room what everybody may see, and no more.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import structlog
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as Path

from protocol.codec import body_digest
from protocol.errors import Refused
from protocol.http import BanOrder, CreatedRoom, EndedRoom, EndRoom, ReservedSeat, ReserveRoom
from protocol.messages import Create, SeatPlan
from server import decisions
from server.api_answers import Answerer, answer, body_of, guarded, idempotency_key, required_account
from server.auth import SUBJECT_CHARS, Account, Tokens
from server.bans import Bans
from server.figures import require_operator
from server.opening import open_room
from server.rooms import Caller, Rooms

log = structlog.get_logger()


class Deed(Struct):
    """What an operator does: ``who``, and the room or account that it is done to, once that is known."""

    who: Account
    what: str
    room: str | None = None
    account: str | None = None


Doing = Callable[[Request, Deed], Awaitable[Response]]


class OperatorApi:
    """The part of a node's HTTP side that is for operators only. ``limited``: see Api."""

    def __init__(self, tokens: Tokens, rooms: Rooms, bans: Bans, limited: Callable[[Answerer], Answerer]) -> None:
        self._limited = limited
        self._tokens = tokens
        self._rooms = rooms
        self._bans = bans

    def routes(self) -> list[Path]:
        ban = "/v1/operator/bans/{account:path}"  # a provider's subject may be an address
        table = (
            ("POST", "/v1/operator/rooms", "reserve_room", self._reserve),
            ("POST", "/v1/operator/rooms/{room}/end", "end_room", self._end),
            ("POST", ban, "ban", self._ban),
            ("DELETE", ban, "lift_ban", self._lift),
            ("GET", ban, "look_at_ban", self._look),
        )
        return [
            Path(path, guarded(self._limited(self._audited(what, do))), methods=[method])
            for method, path, what, do in table
        ]

    def _audited(self, what: str, do: Doing) -> Answerer:
        """Let only operators do something, and write down who did what to whom, and how that ended."""

        async def audited(request: Request) -> Response:
            deed = Deed(await required_account(request, self._tokens), what, **request.path_params)
            outcome = "failed"
            try:
                require_operator(deed.who)
                made = await do(request, deed)
                outcome = "done"
            except Refused as refused:
                outcome = refused.code
                raise
            finally:
                whom = {"room": deed.room, "account": deed.account}
                told = {name: value for name, value in whom.items() if value is not None}
                log.warning("audit", who=deed.who.id, what=what, outcome=outcome, **told)
            return made

        return audited

    # ---- rooms

    async def _reserve(self, request: Request, deed: Deed) -> Response:
        body, key = await body_of(request, ReserveRoom), idempotency_key(request)
        kept_for = _kept_for(body.seats)
        plans = tuple(SeatPlan(seat.bot, seat.deck) for seat in body.seats)
        command = Create(key, body.game, body.options, plans, body.pack, body.room)
        ok = await open_room(self._rooms, Caller(deed.who.id, key, body_digest(body)), command, kept_for)
        deed.room = ok.room
        return answer(CreatedRoom(ok.room or "", ok.code), 201)

    async def _end(self, request: Request, deed: Deed) -> Response:
        order = await body_of(request, EndRoom) if await request.body() else EndRoom()
        room: str = request.path_params["room"]
        await self._rooms.act(room, decisions.call_off(order.text), None)
        result = (await self._rooms.live(room)).state.result
        assert result is not None  # it is over now
        return answer(EndedRoom(room, result.status, result.reason, result.details.get("text", "")))

    # ---- bans

    async def _ban(self, request: Request, deed: Deed) -> Response:
        order = await body_of(request, BanOrder) if await request.body() else BanOrder()
        return answer(await self._bans.ban(_account(request), order))

    async def _lift(self, request: Request, deed: Deed) -> Response:
        return answer(await self._bans.lift(_account(request)))

    async def _look(self, request: Request, deed: Deed) -> Response:
        return answer(await self._bans.look(_account(request)))


def _account(request: Request) -> str:
    account: str = request.path_params["account"]
    if len(account) > SUBJECT_CHARS or not account.isprintable():
        raise Refused("bad_message", "that is no account: see the sub of its tokens", where="account")
    return account


def _kept_for(seats: tuple[ReservedSeat, ...]) -> dict[int, str]:
    """Say which seat waits for whom. Raises Refused (bad_seats)."""
    kept = {at: seat.account for at, seat in enumerate(seats) if seat.account is not None}
    if any(seats[at].bot is not None for at in kept):
        raise Refused("bad_seats", "a seat is for a bot or for an account, not for both")
    if len(set(kept.values())) < len(kept):
        raise Refused("bad_seats", "an account has one seat in a room")
    return kept
