"""All error codes and close codes: what each means, and whether to come back. No other place has a number.

Whose fault decides: 44xx is the client's (do not come back as you are), 45xx is the service's or the moment's
(come back with back-off). Standard codes keep their meaning.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class ErrorKind(Struct, frozen=True):
    """One error code. ``retryable``: the same command, with the same id, may succeed later."""

    code: str
    retryable: bool
    text: str


class CloseKind(Struct, frozen=True):
    """One close code. ``again``: whether a client comes back by itself."""

    code: int
    again: bool
    text: str


ERRORS: dict[str, ErrorKind] = {
    kind.code: kind
    for kind in (
        ErrorKind("bad_message", False, "the frame is no message of this protocol; details.where names the field"),
        ErrorKind("unknown_type", False, "no message type of that name; the socket stays open"),
        ErrorKind("unsupported_version", False, "no common protocol version; details.versions lists the server's"),
        ErrorKind("hello_first", False, "the first message on a socket is hello"),
        ErrorKind("unauthorized", False, "this needs a valid token; details.reason says what is wrong with it"),
        ErrorKind("forbidden", False, "this account may not do that"),
        ErrorKind("not_found", False, "no such room, or it is private and the code is missing or wrong"),
        ErrorKind("unknown_game", False, "no game of that name; details.games lists those there are"),
        ErrorKind("unknown_pack", False, "no pack of that id for this game; details.packs lists those there are"),
        ErrorKind("bad_options", False, "options do not fit the game; details.faults lists all of them"),
        ErrorKind("bad_deck", False, "the deck is not legal; details.faults lists every violation"),
        ErrorKind("bad_seats", False, "the seats do not fit the game; details says what would"),
        ErrorKind("seat_taken", False, "somebody else has that seat, or no seat is free"),
        ErrorKind("not_seated", False, "this account has no seat in that room"),
        ErrorKind("not_joined", False, "this socket does not follow that room; join it first"),
        ErrorKind("wrong_status", False, "not possible while the room is as it is; details.status says how"),
        ErrorKind("refused", False, "the rules say no; details has their own code, the rule id and the reason"),
        ErrorKind("stale_prompt", False, "that prompt is not open any more; the open one is sent again"),
        ErrorKind("conflict", False, "this command id was used with another body"),
        ErrorKind("too_many", False, "a limit of this service is reached; details.limit names it"),
        ErrorKind("rate_limited", True, "too many of these in a short time; wait retry_after_ms"),
        ErrorKind("busy", True, "the room changes too fast just now; send the same command again"),
        ErrorKind(
            "unavailable", True, "the store cannot be reached or cannot write; nothing is known to have happened"
        ),
        ErrorKind("internal", False, "a fault of the service or of a game; details.incident finds it in the log"),
    )
}

CLOSES: dict[int, CloseKind] = {
    kind.code: kind
    for kind in (
        CloseKind(1000, False, "normal end"),
        CloseKind(1001, True, "going away; said by clients and by what stands between"),
        CloseKind(1002, False, "websocket protocol error"),
        CloseKind(1003, False, "frame type not accepted in this subprotocol"),
        CloseKind(1007, False, "text that is not UTF-8"),
        CloseKind(1009, False, "frame or message larger than the limit"),
        CloseKind(1011, True, "unexpected fault of the service"),
        CloseKind(1012, True, "service restarts; come back after the announced time"),
        CloseKind(4400, False, "not a message of this protocol"),
        CloseKind(4401, False, "token missing, bad or expired"),
        CloseKind(4403, False, "origin or address not allowed"),
        CloseKind(4404, False, "no such address"),
        CloseKind(4406, False, "no common subprotocol or protocol version"),
        CloseKind(4408, False, "no hello in time"),
        CloseKind(4409, False, "this account has too many sockets; close one of them first"),
        CloseKind(4423, False, "this account is banned"),
        CloseKind(4429, False, "flood: far more frames than the limit, again and again"),
        CloseKind(4508, True, "this client reads too slowly; resume to catch up"),
        CloseKind(4510, True, "this node lacks the room's rules; another one has them"),
        CloseKind(4513, True, "this node is full"),
        CloseKind(4514, True, "too many sockets from this address just now"),
    )
}


class Refused(Exception):
    """A well-formed command that is not allowed now. ``code`` is a key of ERRORS."""

    def __init__(self, code: str, text: str = "", /, *, retry_after_ms: int | None = None, **details: Any) -> None:
        self.kind = ERRORS[code]
        super().__init__(text or self.kind.text)
        self.code = code
        self.retry_after_ms = retry_after_ms
        self.details = details


class BadMessage(ValueError):
    """Bytes that are no message. ``code``: ``bad_message`` or ``unknown_type``; ``command``: its id, if readable.

    ``where`` names the field, as far as that can be told (``act.cards[2]``).
    ``fatal``: the socket cannot go on (the bytes were not even one value of the encoding, or break a bound).
    """

    def __init__(
        self,
        text: str,
        *,
        code: str = "bad_message",
        where: str = "",
        command: str | None = None,
        fatal: bool = False,
    ) -> None:
        super().__init__(text)
        self.code = ERRORS[code].code
        self.where = where
        self.command = command
        self.fatal = fatal
