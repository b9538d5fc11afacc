"""What one socket may say and what it follows. Sans-I/O: frames go in, commands or answers come out.

Owns the order of a conversation (hello first), its rate, and who speaks. Knows no transport and no rooms.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from engines.sight import Audience
from protocol.codec import decode_command, pack
from protocol.errors import ERRORS, BadMessage, Refused
from protocol.messages import SUBPROTOCOLS, Command, Error, Hello, Message, Presence, Tip
from server.auth import Account
from server.packet import Packet

STRIKES = 20
"""So many refused floods or unreadable frames in a row end a socket."""


class Closing(Struct, frozen=True):
    """The conversation is over, with this close code and reason."""

    code: int
    reason: str


class Rate(Struct):
    """A bucket of commands: ``per_s`` flow in, at most ``burst`` stay. ``at`` is in monotonic seconds."""

    per_s: float
    burst: float
    left: float
    at: float

    def take(self, now: float) -> int:
        """Take one command out. Gives 0, or the milliseconds to wait."""
        self.left = min(self.burst, self.left + (now - self.at) * self.per_s)
        self.at = now
        if self.left >= 1:
            self.left -= 1
            return 0
        return max(1, round(1000 * (1 - self.left) / self.per_s))


class Session:
    """One conversation. ``account`` is None for somebody who may only watch; ``greeted``: a hello was answered."""

    def __init__(self, subprotocol: str, rate: Rate) -> None:
        self.subprotocol = subprotocol
        self.text = subprotocol == SUBPROTOCOLS[1]
        self.account: Account | None = None
        self.greeted = False
        self.follows: dict[str, Audience] = {}
        self._rate = rate
        self._strikes = 0
        self._opened = False

    def receive(self, raw: bytes | str, now: float) -> Command | Error | Closing:
        """Read one frame at a monotonic time: a command to carry out, an answer to send, or the end."""
        if isinstance(raw, str) != self.text:
            return Closing(1003, "this subprotocol uses the other frame type")
        try:
            command = decode_command(raw, self.subprotocol)
        except BadMessage as bad:
            if bad.fatal:
                return Closing(4400, str(bad))
            details = {"where": bad.where} if bad.where else {}
            return self._strike(Error(bad.command, bad.code, str(bad), details=details))
        if wait := self._rate.take(now):
            kind = ERRORS["rate_limited"]
            return self._strike(Error(command.id, kind.code, kind.text, True, wait))
        self._strikes = 0
        if isinstance(command, Hello):
            self._opened = True  # a command may follow in the same packet; it waits behind the hello
        elif not self._opened:
            return Error(command.id, "hello_first", ERRORS["hello_first"].text)
        return command

    def _strike(self, error: Error) -> Error | Closing:
        self._strikes += 1
        return error if self._strikes < STRIKES else Closing(4429, "too many bad frames in a row")


def packet(message: Message) -> Packet:
    """Make a message ready to be written."""
    spare = f"{type(message).__name__} {message.room}" if isinstance(message, (Presence, Tip)) else None
    return Packet(pack(message), spare=spare)


def error_of(command: Command, refused: Refused) -> Error:
    """Say to a client why its command had no effect."""
    kind = refused.kind
    details = msgspec.to_builtins(refused.details)
    return Error(command.id, kind.code, str(refused), kind.retryable, refused.retry_after_ms, details)
