"""The names of all keys and the partition of a room. Knows nothing of what the keys hold.

Every key of a partition carries the hash tag ``{p<n>}``: one script touches a room, its deadline and the indexes.
"""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache
from zlib import crc32

from msgspec import Struct
from redis.crc import key_slot

PARTITIONS = 256
META = "meta:{m}"
NODES = "nodes:{m}"
BANS = "bans:{m}"
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: an id is read aloud and typed


class PartitionKeys(Struct, frozen=True):
    """The keys that the rooms of one partition share."""

    due: str
    took: str
    open: str
    live: str
    time: str
    done: str


def _partition_keys(number: int) -> PartitionKeys:
    return PartitionKeys(*(f"{name}:{{p{number}}}" for name in PartitionKeys.__struct_fields__))


_SHARED = tuple(_partition_keys(number) for number in range(PARTITIONS))
_SLOTS = tuple(key_slot(b"p%d" % number) for number in range(PARTITIONS))


@lru_cache(16_384)
def partition(room: str) -> int:
    """Give the partition of a room, 0 … 255."""
    return crc32(room.encode()) % PARTITIONS


def slot(number: int) -> int:
    """Give the slot of a partition on a Cluster."""
    return _SLOTS[number]


def slot_of(name: str) -> int:
    """Give the slot of any key on a Cluster."""
    return int(key_slot(name.encode()))


def shared(number: int) -> PartitionKeys:
    """Give the keys that belong to a whole partition."""
    return _SHARED[number]


def key(name: str, room: str) -> str:
    """Name one key of a room; ``name``: room, cmd, ring, in, out, late, say, aside, here or ch.

    An account (sits, past, ban) or a game (results, cards, rated, ratings, board) may stand in the place of a room.
    """
    return f"{name}:{{p{partition(room)}}}:{room}"


def keys(room: str, *names: str) -> list[str]:
    """Name several keys of one room."""
    tail = f":{{p{partition(room)}}}:{room}"
    return [name + tail for name in names]


def pack_key(digest: str) -> str:
    """Name the key of a pack's bytes."""
    return f"pack:{digest}"


def mark_key(number: int) -> str:
    """Name the key that is written where only the writing matters: WAIT waits for all that was written before it."""
    return f"mark:{{p{number}}}"


def mark_beside(name: str) -> str:
    """Name such a key in the slot of another, which has no tag of its own."""
    return f"mark:{{{name}}}"


def node_key(node: str) -> str:
    """Name the key of a node's beat."""
    return f"node:{{m}}:{node}"


def _framed(*parts: str) -> bytes:
    """Join texts so that no two lists of texts give the same bytes."""
    raw = [part.encode() for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in raw)


def command_field(account: str, command: str) -> bytes:
    """Name a command within its room; never the same for two pairs."""
    return _framed(account, command)


def room_id(install_key: bytes, account: str, command: str, n: int = 0) -> str:
    """Give the id of the room that a create makes: 10 characters, the same on every node and at every resend.

    ``n``: 0, or the first number whose room is not somebody else's.
    """
    return _name(install_key, ("room", account, command, str(n)), 10)


def rematch_id(install_key: bytes, room: str, n: int = 0) -> str:
    """Give the id of the room in which a room is played again; ``n`` as for ``room_id``."""
    return _name(install_key, ("rematch", room, str(n)), 10)


def said_id(install_key: bytes, room: str, account: str, command: str) -> str:
    """Give the id of something said: the same at every resend, and telling nobody whose it is."""
    return _name(install_key, ("said", room, account, command), 16)


def _name(install_key: bytes, parts: tuple[str, ...], chars: int) -> str:
    """Make a name that nobody without the key can foresee."""
    number = int.from_bytes(hmac.digest(install_key, _framed(*parts), hashlib.sha256), "big")
    return "".join(_LETTERS[(number >> (5 * place)) & 31] for place in range(chars))
