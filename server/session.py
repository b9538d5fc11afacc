"""What one socket may say and what it follows. Sans-I/O: frames go in, commands or answers come out.

Owns the order of a conversation (hello first), its rate, and who speaks. Knows no transport and no rooms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from engines.record import encode
from engines.sight import Audience
from protocol.codec import decode_command, pack
from protocol.errors import ERRORS, BadMessage, Refused
from protocol.messages import SUBPROTOCOLS, Command, Error, Hello, Message, Presence, Tip
from server.auth import Account
from server.limits import Rate
from server.packet import Packet

TEXT_CHARS = 300
MOST_FAULTS = 64
DETAILS_BYTES = 48 * 1024
STRIKES = 20
"""So many refused floods or unreadable frames in a row end a socket."""


class Closing(Struct, frozen=True):
    """The conversation is over, with this close code and reason."""

    code: int
    reason: str


class Session:
    """One conversation. ``account`` is None for somebody who may only watch.

    ``opened``: a hello was said; ``greeted``: it was answered with ok.

    ``share``: takes a command out of what all sockets of the account have together. ``address``: what limits per
    address count it under, None for nobody. ``over``: its socket is gone.
    """

    def __init__(self, subprotocol: str, rate: Rate) -> None:
        self.subprotocol = subprotocol
        self.text = subprotocol == SUBPROTOCOLS[1]
        self.account: Account | None = None
        self.greeted = False
        self.follows: dict[str, Audience] = {}
        self.share: Callable[[float], int] | None = None
        self.address: str | None = None
        self.over = False
        self._rate = rate
        self._strikes = 0
        self.opened = False

    def receive(self, raw: bytes | str, now: float) -> Command | Error | Closing:
        """Read one frame at a monotonic time: a command to carry out, an answer to send, or the end."""
        if isinstance(raw, str) != self.text:
            return Closing(1003, "this subprotocol uses the other frame type")
        wait = self._take(now)  # whatever it is, it costs
        try:
            command = decode_command(raw, self.subprotocol)
        except BadMessage as bad:
            if bad.fatal:
                return Closing(4400, str(bad))
            details = {"where": bad.where} if bad.where else {}
            return self._strike(Error(bad.command, bad.code, str(bad), details=details))
        if wait:
            kind = ERRORS["rate_limited"]
            return self._strike(Error(command.id, kind.code, kind.text, True, wait))
        self._strikes = 0
        if isinstance(command, Hello):
            self.opened = True  # a command may follow in the same packet; it waits behind the hello
        elif not self.opened:
            return Error(command.id, "hello_first", ERRORS["hello_first"].text)
        return command

    def _take(self, now: float) -> int:
        return self._rate.take(now) or (self.share(now) if self.share is not None else 0)

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
    return Error(command.id, kind.code, text_of(refused), kind.retryable, refused.retry_after_ms, details_of(refused))


def text_of(refused: Refused) -> str:
    """Give a refusal in words, however long what it quotes is."""
    return str(refused)[:TEXT_CHARS]


def details_of(refused: Refused) -> dict[str, Any]:
    """Give a refusal's details, within what an answer may have: of very many faults the first, and how many more.

    Details quote what a client has sent, so that without a bound it could make any answer as large as it likes.
    """
    details: dict[str, Any] = msgspec.to_builtins(refused.details)
    if len(encode(details)) <= DETAILS_BYTES:
        return details
    faults = [_clipped(fault) for fault in details.get("faults", ())[:MOST_FAULTS]]
    left_off = len(details.get("faults", ())) - len(faults)
    rest = {key: value for key, value in _clipped(details).items() if isinstance(value, (str, int))}
    return rest | ({"faults": faults} if faults else {}) | ({"left_off": left_off} if left_off else {})


def _clipped(details: dict[str, Any]) -> dict[str, Any]:
    return {key: value[:TEXT_CHARS] if isinstance(value, str) else value for key, value in details.items()}
