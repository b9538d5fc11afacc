"""What is kept of a match between two inputs: the checkpoint and the choices since. Encoding included.

Knows nothing of how a choice is run. Fields only ever grow, at the end and with defaults.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from engines.rules import Match, Pack, Rules
from protocol.prompt import Pick

encode = msgspec.msgpack.Encoder().encode
"""Encode a record, a state or a zone: the same value gives the same bytes in every process."""


class Choice(Struct, frozen=True, array_like=True):
    """One input: a seat's answer to its prompt ``prompt``, or, with ``gone``, that it plays no more and why.

    ``joint``: the seat goes at the same moment as the one named next, and only then is asked how the match stands.
    """

    seat: int
    prompt: int = 0
    picks: tuple[Pick, ...] = ()
    gone: str = ""
    joint: bool = False


class Standing(Struct, frozen=True, array_like=True):
    """An offer that was not taken: made again unchanged (same ``digest``), it keeps its id."""

    seat: int
    prompt: int
    digest: bytes


class Record(Struct, frozen=True, array_like=True):
    """A match at rest plus the choices since. ``base``: the state at the checkpoint, encoded.

    ``counter``, ``handles``, ``asked``, ``standing`` and ``gone`` are as at the checkpoint. ``asked``: prompts
    opened so far, one count a seat. ``held``: early answers that wait for their time. ``total``: choices taken.
    """

    game: str
    rules: int
    pack: str
    seats: int
    options: bytes
    key: bytes
    base: bytes
    counter: int
    handles: tuple[int, ...]
    asked: tuple[int, ...]
    standing: tuple[Standing, ...] = ()
    gone: tuple[tuple[int, str], ...] = ()
    choices: tuple[Choice, ...] = ()
    held: tuple[Choice, ...] = ()
    total: int = 0
    holds: bool = True


_record_decoder = msgspec.msgpack.Decoder(Record)


@cache
def _decoder(kind: type[Struct]) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind)


def decode_record(raw: bytes) -> Record:
    """Decode a record. Raises msgspec.DecodeError on anything else."""
    return _record_decoder.decode(raw)


def decode_state(rules: Rules[Any], raw: bytes) -> Any:
    """Decode a state of a game. Raises msgspec.DecodeError on anything else."""
    return _decoder(rules.State).decode(raw)


def match_of(rules: Rules[Any], record: Record, pack: Pack | None) -> Match:
    """Give the fixed facts of a recorded match. ``pack``: the one whose hash the record names."""
    options = _decoder(rules.Options).decode(record.options)
    return Match(record.seats, options, pack.cards if pack else None, (), record.holds)
