"""What any client must do, without I/O: messages and closes in, actions out.

Owns resending, resuming, healing of gaps and coming back. Knows no socket, no clock and no encoding: times are
given to it, in seconds of any steady clock.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import Struct

from protocol.client.actions import Action, Again, Greeted, Halt, Send, Settle, Stop, Tell, Wait
from protocol.client.backoff import Backoff, comes_back
from protocol.client.room import Message, Room, Update
from protocol.errors import CLOSES

PROTOCOL = 1
MAX_TRIES = 6
_RETRY_S = 0.2


class CommandRefused(Exception):
    """A command had no effect. ``code`` and ``details`` are the server's."""

    def __init__(self, error: Message) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code: str = error["code"]
        self.details: Message = error.get("details", {})


class ConnectionLost(Exception):
    """The connection ended for good: a close code that says so, a refused greeting, or patience at its end."""


class _Pending(Struct):
    """A command without its answer. ``rejoin``: made by the core itself, so nobody waits for it."""

    message: Message
    tries: int = 0
    rejoin: bool = False


class Core:
    """One client on one socket at a time. ``nonce``: makes its command ids its own (≤ 24 characters)."""

    def __init__(self, *, nonce: str, random: Random, token: str | None = None, name: str = "") -> None:
        self.rooms: dict[str, Room] = {}
        self.welcome: Message | None = None
        self._nonce = nonce
        self._count = 0
        self._token = token
        self._name = name
        self._pending: dict[str, _Pending] = {}
        self._joins: dict[str, Message] = {}
        self._healing: set[str] = set()
        self._hello = ""
        self._online = False
        self._opened_at = 0.0
        self._retry_after_s: float | None = None
        self._backoff = Backoff(random)
        self._pushes: dict[str, Callable[[Message], list[Action]]] = {
            "frame": self._on_frame,
            "tip": self._on_tip,
            "presence": self._on_presence,
            "said": self._on_said,
            "ended": self._on_ended,
            "rematched": self._on_rematched,
            "welcome": self._on_welcome,
            "draining": self._on_draining,
        }

    # ---- the connection

    def opened(self, now: float) -> list[Action]:
        """A socket is open: greet. Everything else waits for the answer."""
        self._opened_at = now
        self._hello = self._new_id()
        hello = {"t": "hello", "id": self._hello, "client": self._name, "protocol": [PROTOCOL]}
        return [Send(hello if self._token is None else {**hello, "token": self._token})]

    def closed(self, code: int, reason: str, now: float) -> Again | Stop:
        """The socket is gone, or could not be had (1006). Commands without an answer stay, to be sent again."""
        lasted_s = now - self._opened_at if self._online else 0.0
        self._online = False
        self._healing.clear()
        self._pending = {key: pending for key, pending in self._pending.items() if not pending.rejoin}
        if not comes_back(code):
            return Stop(code, reason or (CLOSES[code].text if code in CLOSES else ""))
        wait_s, self._retry_after_s = self._retry_after_s, None
        return Again(self._backoff.after(lasted_s) if wait_s is None else wait_s)

    # ---- commands

    def request(self, kind: str, **fields: Any) -> tuple[str, list[Action]]:
        """Make a command (fields that are None are left out). It is sent until it is answered."""
        command = self._new_id()
        given = {name: value for name, value in fields.items() if value is not None}
        pending = self._pending[command] = _Pending({"t": kind, "id": command, **given})
        if kind == "join":
            self.rooms.setdefault(given["room"], Room(given["room"]))  # frames may come before the answer
        return command, self._send(pending)

    def forget(self, command: str) -> None:
        """Nobody waits for that command any more: do not send it again."""
        self._pending.pop(command, None)

    def due(self, command: str) -> list[Action]:
        """The wait for a command is over: send it again, with the same id and body."""
        if command == self._hello:
            return self.opened(self._opened_at)
        pending = self._pending.get(command)
        return [] if pending is None else self._send(pending)

    def _send(self, pending: _Pending) -> list[Action]:
        return [Send(pending.message)] if self._online else []

    def _new_id(self) -> str:
        self._count += 1
        return f"{self._nonce}-{self._count}"

    # ---- what comes in

    def received(self, message: Message) -> list[Action]:
        """Take one message of the server. Types that are not known are passed over, as the protocol demands."""
        kind = message["t"]
        if kind == "ok":
            return self._on_ok(message)
        if kind == "error":
            return self._on_error(message)
        take = self._pushes.get(kind)
        return [] if take is None else take(message)

    def _on_ok(self, ok: Message) -> list[Action]:
        command = ok["id"]
        if command == self._hello:
            return self._resume()
        pending = self._pending.pop(command, None)
        if pending is None:
            return []  # a second answer to a command that was sent twice
        if pending.message["t"] == "join":
            self._joined(pending.message, ok)
        elif pending.message["t"] == "leave":
            self._drop(pending.message["room"])
        elif pending.message["t"] == "choose":
            self._chosen(pending.message)
        return [] if pending.rejoin else [Settle(command, ok)]

    def _joined(self, join: Message, ok: Message) -> None:
        room = self.rooms.setdefault(join["room"], Room(join["room"]))
        room.audience = ok.get("seat", "public")
        self._joins[room.id] = join
        self._healing.discard(room.id)

    def _chosen(self, choose: Message) -> None:
        if (room := self.rooms.get(choose["room"])) is not None:
            room.answered = choose["prompt"]

    def _drop(self, room_id: str) -> None:
        self.rooms.pop(room_id, None)
        self._joins.pop(room_id, None)
        self._healing.discard(room_id)

    def _resume(self) -> list[Action]:
        """After the greeting: follow all rooms from where they stood, then send what has no answer."""
        self._online = True
        actions: list[Action] = [Greeted()]
        waiting = list(self._pending.values())
        for room_id in self._joins:
            actions += self._rejoin(self.rooms[room_id])
        return [*actions, *(Send(pending.message) for pending in waiting)]

    def _rejoin(self, room: Room) -> list[Action]:
        """Ask for what is missing in a room, once at a time."""
        join = self._joins.get(room.id)
        if room.id in self._healing or join is None:
            return []  # already asked, or the first answer is still to come
        self._healing.add(room.id)
        command = self._new_id()
        message = {"t": "join", "id": command, "room": room.id, "role": join.get("role", "player")}
        message |= {name: join[name] for name in ("code",) if name in join}
        message |= {} if room.seat is None else {"seat": room.seat}
        message |= {} if room.since is None else {"since": room.since}
        pending = self._pending[command] = _Pending(message, rejoin=True)
        return self._send(pending)

    def _on_error(self, error: Message) -> list[Action]:
        command = error["id"]
        if command is None:
            return [Halt(error)]  # the server could not read what was sent: going on would not help
        if command == self._hello:
            return [self._wait(command, error, 1)] if error.get("retryable") else [Halt(error)]
        pending = self._pending.get(command)
        if pending is None:
            return []
        pending.tries += 1
        if error.get("retryable") and pending.tries < MAX_TRIES:
            return [self._wait(command, error, pending.tries)]
        del self._pending[command]
        return self._lost(pending.message["room"], error) if pending.rejoin else self._refused(pending, error)

    def _wait(self, command: str, error: Message, tries: int) -> Wait:
        told_ms = error.get("retry_after_ms")
        wait_s = _RETRY_S * 2**tries if told_ms is None else told_ms / 1000
        return Wait(command, wait_s if told_ms is not None else self._backoff.jitter(wait_s))

    def _lost(self, room_id: str, error: Message) -> list[Action]:
        room = self.rooms[room_id]
        self._drop(room_id)
        return [Tell(Update("lost", room, error))]

    def _refused(self, pending: _Pending, error: Message) -> list[Action]:
        message = pending.message
        if message["t"] == "join" and message["room"] not in self._joins:
            self._drop(message["room"])
        return [Settle(error["id"], error)]

    # ---- pushes

    def _on_welcome(self, welcome: Message) -> list[Action]:
        self.welcome = welcome
        return []

    def _on_draining(self, draining: Message) -> list[Action]:
        self._retry_after_s = draining["retry_after_ms"] / 1000
        return []

    def _on_frame(self, frame: Message) -> list[Action]:
        room = self.rooms.get(frame["room"])
        if room is None:
            return []  # left meanwhile
        folded = room.fold(frame)
        if folded == "new":
            return [Tell(Update("frame", room, frame))]
        return self._rejoin(room) if folded == "gap" else []

    def _on_tip(self, tip: Message) -> list[Action]:
        room = self.rooms.get(tip["room"])
        return [] if room is None or room.stands_at(tip) else self._rejoin(room)

    def _on_presence(self, presence: Message) -> list[Action]:
        room = self.rooms.get(presence["room"])
        if room is None:
            return []
        room.here, room.away = presence["here"], presence["away"]
        room.spectators = presence["spectators"]
        return [Tell(Update("presence", room, presence))]

    def _on_said(self, said: Message) -> list[Action]:
        room = self.rooms.get(said["room"])
        return [Tell(Update("said", room, said))] if room is not None and room.hears(said) else []

    def _on_ended(self, ended: Message) -> list[Action]:
        room = self.rooms.get(ended["room"])
        if room is None:
            return []
        room.ended = ended
        return [Tell(Update("ended", room, ended))]

    def _on_rematched(self, rematched: Message) -> list[Action]:
        room = self.rooms.get(rematched["room"])
        if room is None or room.next == rematched["next"]:
            return []  # left meanwhile, or told again by joining
        room.next = rematched["next"]
        return [Tell(Update("rematched", room, rematched))]
