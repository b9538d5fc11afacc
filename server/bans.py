"""Bans: who is not let in, on any node, and what becomes of the sockets and seats that they had.

Owns the form of a ban. Knows sockets only as something that hears of an account.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

import msgspec
import structlog

from engines.record import encode
from protocol.errors import Refused
from protocol.http import Ban, BanOrder
from server import decisions
from server.auth import Account
from server.rooms import Rooms
from server.store.bans import ANY
from server.store.errors import Unavailable

log = structlog.get_logger()

LOOK_S = 1.0
FRESH_S = 5.0
REASON = "banned"
"""What ``details.reason`` says to somebody who is not let in."""

_decoder = msgspec.msgpack.Decoder(Ban)


class Bans:
    """Who is banned. ``on_ban(account)`` is called on every node, within seconds."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._store = rooms.store
        self.on_ban: Callable[[str], None] = lambda _account: None
        self._heard_to = ANY
        self._fresh: dict[str, float] = {}  # heard of just now, with when (loop time)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Hear of bans from now on; earlier ones are met at the door. Raises Unavailable."""
        await self._hear()
        self._task = asyncio.create_task(self._hear_for_ever())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def admit(self, account: Account) -> None:
        """Let an account pass. Raises Refused (forbidden) if it is banned, Unavailable."""
        raw = await self._store.ban_of(account.id)
        # The answer may be older than what was heard of while it was on its way.
        if raw is None and account.id not in self._fresh:
            return
        until = _decoder.decode(raw).until if raw is not None else None
        raise Refused("forbidden", "this account is banned", reason=REASON, until=until)

    async def look(self, account: str) -> Ban:
        """Say whether an account is banned."""
        raw = await self._store.ban_of(account)
        return Ban(account, False) if raw is None else _decoder.decode(raw)

    async def ban(self, account: str, order: BanOrder) -> Ban:
        """Ban an account, close its sockets and give up its seats; a second order replaces the first."""
        now = round(time.time() * 1000)
        ttl_s = None if order.hours is None else order.hours * 3_600
        made = Ban(account, True, order.reason, now, None if ttl_s is None else now + ttl_s * 1_000)
        await self._store.ban(account, encode(made), ttl_s)
        await self._hear()
        await self._withdraw(account)
        return made

    async def lift(self, account: str) -> Ban:
        """Let an account in again."""
        await self._store.lift(account)
        self._fresh.pop(account, None)
        return Ban(account, False)

    async def _withdraw(self, account: str) -> None:
        """Give up every seat. A room whose rules raise at that goes on by its clocks. Raises Unavailable."""
        for room in await self._store.sits(account):
            try:
                await self._rooms.act(room, decisions.withdraw(account), None)
            except Unavailable:
                raise
            except Exception as error:
                gone = isinstance(error, Refused) and error.code == "not_found"
                if not gone:
                    log.error("seat_not_given_up", room=room, exc_info=error)

    async def _hear_for_ever(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self._hear()
            except Unavailable as error:
                log.warning("bans_not_heard", error=str(error))

    async def _hear(self) -> None:
        self._heard_to, accounts = await self._store.banned(self._heard_to)
        now_s = asyncio.get_running_loop().time()
        self._fresh = {who: since for who, since in self._fresh.items() if now_s - since < FRESH_S}
        for account in accounts:
            self._fresh[account] = now_s
            self.on_ban(account)
