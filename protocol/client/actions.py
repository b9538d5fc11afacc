"""What the core asks of whoever moves its bytes."""

from __future__ import annotations

from msgspec import Struct

from protocol.client.room import Message, Update


class Send(Struct, frozen=True):
    """Write this message to the socket."""

    message: Message


class Settle(Struct, frozen=True):
    """The command of this id has its one answer: an ``ok`` or an ``error``."""

    id: str
    answer: Message


class Tell(Struct, frozen=True):
    """Something new in a room."""

    update: Update


class Wait(Struct, frozen=True):
    """Call ``Core.due(id)`` after so long."""

    id: str
    after_s: float


class Greeted(Struct, frozen=True):
    """The server knows this client; commands go out."""


class Halt(Struct, frozen=True):
    """Close, and do not come back: the server's error says why."""

    error: Message


class Again(Struct, frozen=True):
    """Connect again after so long."""

    after_s: float


class Stop(Struct, frozen=True):
    """Do not come back by itself. ``code``: the close code."""

    code: int
    reason: str


Action = Send | Settle | Tell | Wait | Greeted | Halt
