"""Copies of rooms that have ended, made in other partitions: accounts' pasts, results, ratings. Once a room id.

Any node makes them, and several may at once: every copy is keyed by its room, and the room's entry in the stream of
ended rooms goes only when all stand. What counts, and from when on it may be seen, is decided here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

import structlog
from msgspec import Struct

from engines.record import encode
from protocol.http import MatchResult, ResultSeat
from server.auth import GUEST
from server.lateview import public_from
from server.metrics import Metrics
from server.ratings import Rating, decode_rating, rated
from server.state import OVER, RoomState, decode_state
from server.store.boards import Rerated
from server.store.errors import Unavailable
from server.store.redis import Store
from server.store.sweeps import Ended

log = structlog.get_logger()

TRIES = 8
LONGEST_WAIT_S = 60.0
TOGETHER = 32
MOST_TOGETHER = 256
"""So many ended rooms of one partition are seen at once; those that wait for their delay are among them."""


class Card(Struct, frozen=True, array_like=True):
    """A result as it is kept beside its game. ``shown_from``: see the function of that name."""

    shown_from: int
    result: MatchResult


class Copies:
    """Makes the copies of rooms that have ended. ``guests``: whether they have ratings."""

    def __init__(self, store: Store, metrics: Metrics, guests: bool) -> None:
        self._store = store
        self._metrics = metrics
        self._guests = guests
        self._waits: dict[str, tuple[float, float]] = {}  # until when (loop time), and for how long

    async def settle(self, near: Collection[str] | None = None) -> None:
        """Make the copies of all rooms that have ended and are not settled. Raises Unavailable.

        ``near``: of those alone that lie in a partition with one of these.
        """
        now_s = asyncio.get_running_loop().time()
        ended = await self._store.ended(MOST_TOGETHER, near)
        if near is None:
            present = {each.room for each in ended}
            self._waits = {room: wait for room, wait in self._waits.items() if room in present}
        ready = [each for each in ended if self._waits.get(each.room, (0.0, 0.0))[0] <= now_s]
        for at in range(0, len(ready), TOGETHER):
            await asyncio.gather(*map(self._settle, ready[at : at + TOGETHER]))

    async def _settle(self, ended: Ended) -> None:
        """Settle one room; one that cannot be settled now must not keep the others waiting."""
        room = ended.room
        try:
            wait_s = await self._copy(room)
            if wait_s == 0:
                await self._store.settle([ended])
                self._waits.pop(room, None)
                self._metrics.settled.inc()
            else:
                self._wait(room, wait_s)
        except Unavailable as error:
            log.warning("copies_wait", room=room, error=str(error))
        except Exception as error:
            _, waited_s = self._waits.get(room, (0.0, 1.0))
            self._wait(room, min(2 * waited_s, LONGEST_WAIT_S))
            log.error("copies_failed", room=room, exc_info=error)

    def _wait(self, room: str, wait_s: float) -> None:
        self._waits[room] = asyncio.get_running_loop().time() + wait_s, wait_s

    async def _copy(self, room: str) -> float:
        """Make all copies that may be made now. Gives the seconds until there is more to do, 0 for nothing."""
        stored = await self._store.read(room)
        if stored is None or stored.status not in OVER:
            return 0.0  # it has gone, or its end has: a second end has an entry of its own
        state = decode_state(stored.record)
        await self._archive(state)
        result = match_result(state)
        if result is None or not counts(state):
            return 0.0
        card = encode(Card(shown_from(state), result))
        await self._store.publish(state.game, room, shown_from(state), card)
        moment = self._store.sure(room) if state.plan.delay_s else self._store.now(room)
        if (wait_ms := shown_from(state) - moment) > 0:
            return wait_ms / 1000
        return 0.0 if await self._rate(state) else 1.0

    async def _archive(self, state: RoomState) -> None:
        for seat in state.seats:
            if (account := seat.account or seat.kept_for) is not None:
                await self._store.archive(account, state.id, state.created_at, seated=seat.account is not None)

    async def _rate(self, state: RoomState) -> bool:
        """Count a room in the ratings of its accounts; False if others were faster again and again."""
        seats = [at for at, seat in enumerate(state.seats) if self._has_rating(seat.account)]
        accounts = [state.seats[at].account or "" for at in seats]
        ranks = ranks_of(state)
        for _ in range(TRIES if len(seats) > 1 else 0):
            raw = await self._store.ratings(state.game, accounts)
            names = [state.seats[at].name for at in seats]
            before = [_named(kept, name) for kept, name in zip(raw, names, strict=True)]
            after = rated(before, [ranks[at] for at in seats])
            changes = [
                Rerated(account, kept, encode(new), new.points)
                for account, kept, new in zip(accounts, raw, after, strict=True)
            ]
            if await self._store.rate(state.game, state.id, changes) != "conflict":
                return True
        return len(seats) < 2

    def _has_rating(self, account: str | None) -> bool:
        return account is not None and (self._guests or not account.startswith(GUEST))


def _named(kept: bytes | None, name: str) -> Rating:
    """Give a rating under the name that its account has now."""
    old = Rating(name) if kept is None else decode_rating(kept)
    return Rating(name, old.mu, old.sigma, old.matches)


def counts(state: RoomState) -> bool:
    """Say whether a room's end is one that everybody may know of, and that says who was better."""
    return state.status in ("finished", "resigned") and not state.plan.private


def shown_from(state: RoomState) -> int:
    """Say from when on (service ms) those who have no seat may know how a room ended."""
    return public_from(state)


def ranks_of(state: RoomState) -> tuple[int, ...]:
    """Give the rank of each seat, 1 for the best; where a game gives none, winners are before the rest."""
    result = state.result
    if result is None:
        return ()
    return result.ranks or tuple(
        1 if at in result.winners or not result.winners else 2 for at in range(len(state.seats))
    )


def match_result(state: RoomState) -> MatchResult | None:
    """Tell how a room ended; None while it goes on."""
    result = state.result
    if result is None:
        return None
    ranks = ranks_of(state) if state.status in ("finished", "resigned") else (None,) * len(state.seats)
    return MatchResult(
        state.id, state.tip, state.game, state.rules, state.pack_id, result.status, result.reason, state.at,
        tuple(ResultSeat(at, seat.name or None, seat.bot, ranks[at]) for at, seat in enumerate(state.seats)),
        result.winners, result.details, f"/v1/replays/{state.id}" if state.plan.replays == "all" else None,
    )  # fmt: skip
