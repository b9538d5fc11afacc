"""HTTP: what came of matches - an account's rooms, a game's results, its leaderboard.

Owns who may see what of a match that is over. Bodies and routes are named in protocol/http.py and routes.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import get_args

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as Path

from protocol.errors import Refused
from protocol.http import Leaderboard, MatchResult, OwnRoom, OwnRooms, Ranked, ResultList
from protocol.messages import Status
from server.api_answers import Answerer, account_of, answer, cursor_of, guarded, limit_of, paged, required_account
from server.auth import Tokens
from server.copies import Card, match_result
from server.listing import room_info
from server.ratings import decode_rating
from server.rooms import Rooms
from server.state import decode_state
from server.store.boards import Standing

_cards = msgspec.msgpack.Decoder(Card)


class ResultsApi:
    """The part of a node's HTTP side that tells what came of matches. ``limited``: see Api."""

    def __init__(self, tokens: Tokens, rooms: Rooms, limited: Callable[[Answerer], Answerer]) -> None:
        self._limited = limited
        self._tokens = tokens
        self._rooms = rooms
        self._store = rooms.store

    def routes(self) -> list[Path]:
        table = (
            ("/v1/accounts/me/rooms", self._own_rooms),
            ("/v1/results", self._results),
            ("/v1/leaderboard", self._leaderboard),
        )
        return [Path(path, guarded(self._limited(answerer)), methods=["GET"]) for path, answerer in table]

    # ---- an account's rooms

    async def _own_rooms(self, request: Request) -> Response:
        account = (await required_account(request, self._tokens)).id
        wanted = _statuses(request)

        async def show(rooms: list[str]) -> list[OwnRoom | None]:
            return await asyncio.gather(*(self._own_room(account, room, wanted) for room in rooms))

        page, more = await paged(self._store.rooms_of(account, show, limit_of(request), cursor_of(request)))
        return answer(OwnRooms(tuple(page), more))

    async def _own_room(self, account: str, room: str, wanted: frozenset[str]) -> OwnRoom | None:
        """Tell a room to one of its seats; None if the account has none there, or the room is gone."""
        stored = await self._store.read(room)
        if stored is None or stored.status not in wanted:
            return None
        state = decode_state(stored.record)
        if (seat := state.seat_of(account)) is not None:
            return OwnRoom(room_info(state), seat, match_result(state))
        kept = state.seat_kept_for(account) if state.status == "lobby" else None
        return None if kept is None else OwnRoom(room_info(state), kept, reserved=True)

    # ---- results

    async def _results(self, request: Request) -> Response:
        page, more = await paged(
            self._store.results(self._game(request), self._shown, limit_of(request), cursor_of(request))
        )
        return answer(ResultList(tuple(page), more))

    async def _shown(self, cards: list[tuple[bytes, str]]) -> list[MatchResult | None]:
        """Leave out what its room does not say: it is gone, or ended otherwise; and what is not to be known yet."""
        return [self._public(_cards.decode(card), tip) if card and tip else None for card, tip in cards]

    def _public(self, card: Card, tip: str) -> MatchResult | None:
        result, late = card.result, card.shown_from > card.result.ended_at
        moment = self._store.sure(result.room) if late else self._store.now(result.room)
        return result if result.tip == tip and card.shown_from <= moment else None

    # ---- leaderboards

    async def _leaderboard(self, request: Request) -> Response:
        game, limit = self._game(request), limit_of(request)
        account = await account_of(request, self._tokens)
        me = await self._rank(game, account.id) if account is not None else None
        first = _first_rank(request)
        if _around_me(request):
            if account is None:
                raise Refused("unauthorized", "who is in the middle? This needs a token", reason="no_token")
            first = max(1, me.rank - limit // 2) if me is not None else 0
        found = await self._store.standings(game, first, limit + 1) if first else []
        entries = tuple(map(_ranked, found[:limit]))
        more = str(found[limit].rank) if len(found) > limit else None
        return answer(Leaderboard(game, entries, me, more))

    async def _rank(self, game: str, account: str) -> Ranked | None:
        rank, (rating,) = await asyncio.gather(self._store.rank_of(game, account), self._store.ratings(game, [account]))
        return None if rank is None or rating is None else _ranked(Standing(rank, account, rating))

    def _game(self, request: Request) -> str:
        name = request.query_params.get("game")
        if name is None:
            raise Refused("bad_message", "which game? It is named by the query's game", where="game")
        return self._rooms.rulesets.rules(name).name


def _statuses(request: Request) -> frozenset[str]:
    known, given = frozenset(get_args(Status)), request.query_params.get("status")
    wanted = known if given is None else frozenset(given.split(","))
    if not wanted <= known:
        raise Refused("bad_message", f"a status is one of {', '.join(sorted(known))}", where="status")
    return wanted


def _around_me(request: Request) -> bool:
    around = request.query_params.get("around")
    if around not in (None, "me"):
        raise Refused("bad_message", "around is me, or is left out", where="around")
    return around is not None


def _first_rank(request: Request) -> int:
    cursor = cursor_of(request) or "1"
    if not (cursor.isascii() and cursor.isdecimal() and 1 <= len(cursor) <= 12 and int(cursor)):
        raise Refused("bad_message", "that cursor was not given out here", where="cursor")
    return int(cursor)


def _ranked(standing: Standing) -> Ranked:
    rating = decode_rating(standing.rating)
    return Ranked(standing.rank, rating.name, rating.shown, rating.matches)
