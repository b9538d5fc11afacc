"""Where commands are carried out: who may give which, in which order its parts happen, and what is answered.

Owns the mapping from every failure to one answer. Knows sockets only as something that can be sent to and closed.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, assert_never

import msgspec
import structlog

from engines.sight import Audience
from protocol.codec import command_digest
from protocol.errors import ERRORS, Refused
from protocol.messages import (
    VERSION,
    Choose,
    Command,
    Create,
    Error,
    Hello,
    Join,
    Leave,
    Message,
    Ok,
    Ping,
    Ready,
    Rematch,
    Resign,
    Said,
    Say,
    Welcome,
)  # fmt: skip
from server import decisions
from server.auth import Account, Tokens, expired_in_s
from server.bans import REASON
from server.channel import ALL, WATCHERS
from server.fanout import Fanout
from server.gallery import Gallery
from server.limits import Limits
from server.metrics import Metrics
from server.opening import open_room
from server.packet import Packet
from server.presence import Attendance
from server.readable import readable_text
from server.rematch import play_again
from server.rooms import Caller, Decide, Rooms
from server.rulesets import RulesMissing
from server.session import Session, error_of, packet
from server.settings import Settings
from server.store.errors import Unavailable

log = structlog.get_logger()

SERVER = "sanctum"
_NOT_LET_IN = {"unsupported_version": 4406, "unauthorized": 4401, "too_many": 4409}
"""Error code of a hello → close code."""
GREETINGS, GREET_AGAIN_S = 60, 1.0


class Peer(Protocol):
    """A socket, as far as commands need it."""

    session: Session
    ended: bool

    def send(self, packet: Packet) -> None: ...
    def close(self, code: int, reason: str) -> None: ...


class Desk:
    """Carries out commands of this node's sockets."""

    def __init__(
        self, settings: Settings, metrics: Metrics, tokens: Tokens, rooms: Rooms, fanout: Fanout, presence: Attendance,
        limits: Limits,
    ) -> None:  # fmt: skip
        self._settings = settings
        self._metrics = metrics
        self._tokens = tokens
        self._rooms = rooms
        self._fanout = fanout
        self._presence = presence
        self._gallery = Gallery(settings.room_spectators, presence.watching)
        self._limits = limits
        self._tasks: set[asyncio.Task[None]] = set()

    async def carry_out(self, peer: Peer, command: Command) -> None:
        """Do what a command says and answer it exactly once, whatever goes wrong."""
        answer: Message
        try:
            answer = await self._do(peer, command)
        except Refused as refused:
            answer = error_of(command, refused)
        except Unavailable as unavailable:
            answer = error_of(command, Refused("unavailable", retry_after_ms=1_000, reason=str(unavailable)))
        except RulesMissing as missing:
            answer = error_of(command, Refused("unavailable", str(missing), retry_after_ms=1_000))
            peer.send(packet(answer))
            peer.close(4510, "this node lacks the room's rules")
            return
        except Exception as error:
            answer = _incident(command, error)
        name = type(command).__name__.lower()
        outcome = answer.code if isinstance(answer, Error) else "ok"
        self._metrics.commands.labels(name, outcome).inc()
        peer.send(packet(answer))
        if isinstance(answer, Error) and isinstance(command, Hello) and (code := _close_code(answer)) is not None:
            peer.close(code, answer.message)

    async def _do(self, peer: Peer, command: Command) -> Ok:
        match command:
            case Hello():
                return await self._hello(peer, command)
            case Create():
                caller = self._caller(peer, command)
                await self._limits.take("creates", caller.account, self._settings.creates_per_minute)
                return await open_room(self._rooms, caller, command)
            case Join():
                return await self._join(peer, command)
            case Ready():
                return await self._ready(peer, command)
            case Choose():
                return await self._act(peer, command, decisions.choose(self._account(peer).id, command))
            case Resign():
                return await self._act(peer, command, decisions.resign(self._account(peer).id))
            case Leave():
                return await self._leave(peer, command)
            case Say():
                return await self._say(peer, command)
            case Rematch():
                return await play_again(self._rooms, self._caller(peer, command), command)
            case Ping():
                return await self._ping(command)
            case _:
                assert_never(command)

    def _account(self, peer: Peer) -> Account:
        account = peer.session.account
        if account is None:
            raise Refused("unauthorized", "this needs a token; say hello with one", reason="no_token")
        if expired_in_s(account) <= 0:
            raise Refused("unauthorized", "the token has expired; say hello with a new one", reason="expired")
        return account

    def _caller(self, peer: Peer, command: Command) -> Caller:
        return Caller(self._account(peer).id, command.id, command_digest(command))

    async def _act(self, peer: Peer, command: Ready | Choose | Resign | Leave | Join, decide: Decide) -> Ok:
        return await self._rooms.act(command.room, decide, self._caller(peer, command))

    async def _hello(self, peer: Peer, command: Hello) -> Ok:
        if VERSION not in command.protocol:
            raise Refused("unsupported_version", versions=[VERSION])
        session = peer.session
        account = await self._tokens.verify(command.token) if command.token is not None else None
        if session.greeted and (session.account is None) != (account is None):
            raise Refused("forbidden", "a socket cannot change whom it speaks for; open another")
        if session.account is not None and account is not None and session.account.id != account.id:
            raise Refused("forbidden", "a socket cannot change whom it speaks for; open another")
        self._admit(peer, account)
        session.greeted = True
        name, who = (account.name, account.id) if account is not None else (None, None)
        peer.send(packet(Welcome(VERSION, SERVER, _wall_ms(), who, name)))
        return Ok(command.id)

    def _admit(self, peer: Peer, account: Account | None) -> None:
        """Let an account have one more socket, unless this socket is its own already. Raises Refused (too_many)."""
        session = peer.session
        if account is not None and session.account is None and not session.over:
            if not self._limits.accounts.enter(account.id):
                self._limits.refuse("sockets_per_account")
                raise Refused("too_many", limit="sockets_per_account", most=self._limits.accounts.most)
            session.share = partial(self._limits.commands.take, account.id)
        session.account = account

    async def _count_join(self, session: Session) -> None:
        if session.account is not None:
            await self._limits.take("joins", session.account.id, self._settings.joins_per_minute)
        elif session.address is not None:
            await self._limits.take("watches", session.address, self._settings.watches_per_minute)

    async def _join(self, peer: Peer, command: Join) -> Ok:
        session = peer.session
        await self._count_join(session)
        if command.room not in session.follows and len(session.follows) >= self._settings.rooms_per_socket:
            raise Refused("too_many", limit="rooms_per_socket", most=self._settings.rooms_per_socket)
        if command.role == "spectator":
            return await self._watch(peer, command)
        account = self._account(peer)
        seat = (await self._act(peer, command, decisions.sit(account.id, account.name, command))).seat
        return await self._follow(peer, command, seat)

    async def _follow(self, peer: Peer, command: Join, audience: Audience) -> Ok:
        await self._fanout.unfollow(command.room, peer)
        peer.session.follows[command.room] = audience
        v = await self._fanout.follow(command.room, peer, audience, command.since)
        if peer.ended:  # meanwhile, when there was nothing yet to be told no more
            await self._fanout.unfollow(command.room, peer)
        try:
            await self._presence.greet(command.room, peer, audience)
        except Unavailable:  # it follows by now: told to try again, it would get its frames twice
            self._spawn(self._greet_later(command.room, peer, audience))
        return Ok(command.id, command.room, v or None, audience)

    async def _greet_later(self, room: str, peer: Peer, audience: Audience) -> None:
        """Greet as soon as what there is to say can be read, within bounds, and unless the socket has left."""
        for _ in range(GREETINGS):
            await asyncio.sleep(GREET_AGAIN_S)
            if room not in peer.session.follows:
                return
            with suppress(Unavailable):
                await self._presence.greet(room, peer, audience)
                return

    async def _ready(self, peer: Peer, command: Ready) -> Ok:
        ok = await self._act(peer, command, decisions.prepare(self._account(peer).id, command))
        self._presence.look(command.room)
        return ok

    async def _watch(self, peer: Peer, command: Join) -> Ok:
        live = await self._rooms.fresh(command.room)
        account = peer.session.account
        if live.state.plan.private and account is None:
            raise Refused("not_found")
        decisions.require_door(live, command.code, live.state.seat_of(account.id) if account is not None else None)
        if peer.session.follows.get(command.room, ()) is None:  # it has its place already
            return await self._follow(peer, command, None)
        async with self._gallery.place(live.state):
            return await self._follow(peer, command, None)

    async def _leave(self, peer: Peer, command: Leave) -> Ok:
        """Idempotent, so that a resend gets the same answer: what is not followed any more is left all the same."""
        peer.session.follows.pop(command.room, None)
        await self._fanout.unfollow(command.room, peer)
        if peer.session.account is None:
            return Ok(command.id, command.room)
        caller = self._caller(peer, command)
        if await self._is_stranger(command.room, caller.account):
            return await self._rooms.outcome(command.room, caller) or Ok(command.id, command.room)
        ok = await self._act(peer, command, decisions.stand(caller.account))
        self._presence.seat_freed(command.room)
        return ok

    async def _is_stranger(self, room: str, account: str) -> bool:
        """Say whether an account has no seat in a room, or there is none: they are answered alike."""
        try:
            return (await self._rooms.fresh(room)).state.seat_of(account) is None
        except Refused:
            return True

    async def _say(self, peer: Peer, command: Say) -> Ok:
        account = self._account(peer)
        text = readable_text(command.text)
        audience = self._followed(peer, command.room)
        at = self._rooms.store.now(command.room)
        store, aside = self._rooms.store, audience is None
        said_id = store.said_id(command.room, account.id, command.id)
        said = Said(command.room, said_id, account.name, text, at, audience)
        told = (WATCHERS if aside else ALL) + packet(said).payload
        if not await store.tell(command.room, told, keep=True, id=said.id, aside=aside):
            await self._require_same(said)
        return Ok(command.id, command.room)

    async def _require_same(self, said: Said) -> None:
        """Let a resend pass, but not another text under the same id."""
        for raw in await self._rooms.store.said(said.room, asides=True):
            kept = msgspec.msgpack.decode(raw[1:], type=Said)
            if kept.id == said.id and kept.text != said.text:
                raise Refused("conflict")

    async def _ping(self, command: Ping) -> Ok:
        at = self._rooms.store.now(command.room) if command.room is not None else _wall_ms()
        return Ok(command.id, command.room, at=at)

    def _followed(self, peer: Peer, room: str) -> Audience:
        if room not in peer.session.follows:
            raise Refused("not_joined")
        return peer.session.follows[room]

    # ---- what happens without a command

    def gone(self, peer: Peer) -> None:
        """Stop telling a socket that has ended. May be called again, after its last command."""
        session = peer.session
        if session.account is not None and session.share is not None:
            self._limits.accounts.leave(session.account.id)
            session.share = None
        session.over = True
        for room in peer.session.follows:
            self._spawn(self._fanout.unfollow(room, peer))

    def resync(self, peer: Peer, room: str) -> None:
        """Make up for frames that a slow socket has missed."""
        if room in peer.session.follows:
            self._metrics.resyncs.labels("slow").inc()
            self._spawn(self._fanout.resync(room, peer, peer.session.follows[room], "slow"))

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("background_failed", error=type(error).__name__, text=str(error))


def _close_code(answer: Error) -> int | None:
    """Say with which close code a refused hello ends its socket; None where another may follow."""
    if answer.code == "forbidden" and answer.details.get("reason") == REASON:
        return 4423
    return _NOT_LET_IN.get(answer.code)


def _incident(command: Command, error: Exception) -> Error:
    """Log a fault of ours under a number, and tell the client only the number."""
    incident = secrets.token_hex(6)
    log.error("command_failed", incident=incident, command=type(command).__name__, exc_info=error)
    return Error(command.id, "internal", ERRORS["internal"].text, details={"incident": incident})


def _wall_ms() -> int:
    return round(time.time() * 1000)
