"""Promises of a game that need no match: packs, decks, options. Each function is one promise."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from engines.record import encode
from engines.rules import Fault, PackError, Rules

JUNK: tuple[Any, ...] = (None, True, -1, 10**9, "", "x" * 300, [], {}, [[]], [{}], {"cards": [1, None]}, [None, 3, "x"])


def packs_can_be_read_again(rules: Rules[Any]) -> Iterator[str]:
    if not rules.packs():
        yield "the game ships no pack"
    for name, pack in rules.packs().items():
        if hashlib.sha256(pack.source).hexdigest() != pack.hash:
            yield f"{name}: the hash is not the SHA-256 of the source"
        if (name, rules.name) != (pack.id, pack.game):
            yield f"{name}: the pack calls itself {pack.id!r} of {pack.game!r}"
        again = rules.read_pack(pack.source)
        if (again.id, again.title, again.hash, again.source) != (pack.id, pack.title, pack.hash, pack.source):
            yield f"{name}: read again it is another pack"


def broken_packs_are_refused(rules: Rules[Any]) -> Iterator[str]:
    """Every line left out or spoilt gives a pack or a PackError, and nothing else."""
    source = next(iter(rules.packs().values())).source
    lines = source.splitlines(keepends=True)
    chance = Random(0)
    for _ in range(20):
        at = chance.randrange(len(lines))
        spoilt = chance.choice((b"", b"= nonsense\n", lines[at].partition(b"=")[0] + b"= -1\n", b"\xff\n"))
        try:
            rules.read_pack(b"".join([*lines[:at], spoilt, *lines[at + 1 :]]))
        except PackError as error:
            if not error.faults:
                yield "a pack is refused without a fault"
    for junk in (b"", b"\xff\xfe", b"id = 3", b"[" * 10_000):
        try:
            rules.read_pack(junk)
        except PackError:
            continue
        yield f"{junk[:20]!r} was read as a pack"


def ready_decks_are_legal(rules: Rules[Any]) -> Iterator[str]:
    for pack in rules.packs().values():
        ready = rules.ready_decks(pack)
        if rules.brings_decks and not ready:
            yield f"pack {pack.id} has no ready-made deck"
        for name, deck in ready.items():
            yield from (f"deck {name}: {fault}" for fault in rules.deck_faults(pack, deck))
            if msgspec.json.decode(msgspec.json.encode(deck)) != deck:
                yield f"deck {name} is not plain JSON"


def broken_decks_are_refused(rules: Rules[Any]) -> Iterator[str]:
    pack = next(iter(rules.packs().values()))
    for junk in JUNK if rules.brings_decks else ():
        faults = rules.deck_faults(pack, junk)
        if not faults or not all(isinstance(fault, Fault) and fault.code and fault.where for fault in faults):
            yield f"{junk!r} as a deck gives {faults!r}"


def default_options_are_legal(rules: Rules[Any]) -> Iterator[str]:
    fewest, most = rules.seats
    for seats in range(fewest, most + 1):
        yield from (f"{seats} seats: {fault}" for fault in rules.option_faults(rules.Options(), seats))
    raw = encode(rules.Options())
    if encode(msgspec.msgpack.decode(raw, type=rules.Options)) != raw:
        yield "options are not the same when they are read again"


def states_can_grow(rules: Rules[Any]) -> Iterator[str]:
    """Fields of the state have defaults, so that records of older rules can be read."""
    yield from (f"field {field.name} has no default" for field in msgspec.structs.fields(rules.State) if field.required)


SEAMS = (
    packs_can_be_read_again, broken_packs_are_refused, ready_decks_are_legal, broken_decks_are_refused,
    default_options_are_legal, states_can_grow,
)  # fmt: skip
