"""Provable chance: every draw of a match follows from one key and a counter (design: fairness).

Owns the derivation of keys, draws and handles; knows no game and keeps no global state.
All parts of a message are length-prefixed, so that no two different lists of parts give the same bytes.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, MutableSequence
from functools import lru_cache
from typing import Any

SEED_BYTES = 32
ENTROPY_BYTES = (16, 64)
REWIND_STRIDE = 1 << 32
_ALPHABET = "abcdefghjkmnpqrstuvwxyz023456789"


def parts(*values: bytes | str | int) -> bytes:
    """Join values, each behind its length in four bytes, big-endian; integers as decimal text."""
    raw = [value if isinstance(value, bytes) else str(value).encode() for value in values]
    return b"".join(len(value).to_bytes(4, "big") + value for value in raw)


@lru_cache(maxsize=4_096)  # it stands in every version of a room
def commitment(room: str, seed: bytes) -> bytes:
    """Give the digest that binds the service to a seed before play: SHA-256 of the labelled parts."""
    return hashlib.sha256(parts("sanctum/1/commit", room, seed)).digest()


def match_key(
    seed: bytes, room: str, game: str, rules: int, pack: str, options: bytes, entropy: Iterable[bytes]
) -> bytes:
    """Derive the key of a match. ``entropy``: one part a seat, in seat order, empty if it gave none."""
    message = parts("sanctum/1/match", room, game, rules, pack, options, *entropy)
    return hmac.digest(seed, message, "sha256")


class Chance:
    """The draws of one match, in order. ``counter`` counts draws; the key is never sent."""

    __slots__ = ("counter", "key", "spend")

    def __init__(self, key: bytes, counter: int = 0) -> None:
        self.key = key
        self.counter = counter
        self.spend: Callable[[int], None] = _spend_nothing

    def below(self, n: int, label: str) -> int:
        """Draw an integer from 0 to n-1, uniform by rejection. ``label`` says what is drawn."""
        if n < 1:
            raise ValueError(f"cannot draw below {n} for {label!r}")
        limit = (1 << 256) // n * n
        while True:
            self.spend(1)
            value = int.from_bytes(hmac.digest(self.key, parts("draw", self.counter, label), "sha256"), "big")
            self.counter += 1
            if value < limit:
                return value % n

    def die(self, label: str, sides: int = 6) -> int:
        """Roll one die: 1 to ``sides``."""
        return self.below(sides, label) + 1

    def shuffle(self, items: MutableSequence[Any], label: str) -> None:
        """Shuffle in place (Fisher-Yates, from the last place down)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1, label)
            items[i], items[j] = items[j], items[i]


def _spend_nothing(_: int) -> None:
    return None


class Handles:
    """Opaque names for hidden cards, one stream for each audience, so that one tells nothing of another.

    A handle is a keyed permutation of its audience's counter: never twice the same, in no order, and
    independent of what it names. Audience ``None`` is the public.
    """

    __slots__ = ("counters", "key")

    def __init__(self, key: bytes, counters: Iterable[int]) -> None:
        self.key = hmac.digest(key, parts("handles"), "sha256")
        self.counters = list(counters)

    def new(self, audience: int | None) -> str:
        """Give the audience's next handle: six characters without look-alikes."""
        place = 0 if audience is None else audience + 1
        number = self.counters[place]
        self.counters[place] += 1
        return _spell(self._permute(number, place))

    def _permute(self, number: int, place: int) -> int:
        """Permute 30 bits by four Feistel rounds: a bijection, so that handles never collide."""
        left, right = number >> 15, number & 0x7FFF
        for turn in range(4):
            message = bytes((place, turn)) + right.to_bytes(2, "big")
            mix = hashlib.blake2b(message, key=self.key, digest_size=2).digest()
            left, right = right, left ^ (int.from_bytes(mix, "big") & 0x7FFF)
        return left << 15 | right


def _spell(number: int) -> str:
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(25, -1, -5))


def bot_seed(key: bytes, seat: int, prompt: int) -> int:
    """Give the seed of a bot's choice: it draws from a stream of its own, never from the match's."""
    return int.from_bytes(hmac.digest(key, parts("bot", seat, prompt), "sha256")[:8], "big")
