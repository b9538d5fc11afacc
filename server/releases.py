"""What nodes of different releases say of themselves, and what all of them can. Knows no node but by its words.

Words only grow: a node leaves out what it does not know, and what it does not say it cannot do.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from engines.record import encode
from engines.registry import editions
from server.store.redis import FORMAT


class Release(Struct, frozen=True):
    """What a node can read: the newest store format, and the versions of each game's rules."""

    format: int
    rules: dict[str, tuple[int, ...] | int]

    def has(self, game: str, version: int) -> bool:
        """Tell whether a version of a game's rules is there. The first releases named one version alone."""
        found = self.rules.get(game, ())
        return version in (found if isinstance(found, tuple) else (found,))


_decoder = msgspec.msgpack.Decoder(Release)


def own_release() -> bytes:
    """Say what this node can read, as its beat tells it."""
    return encode(Release(FORMAT, {name: tuple(sorted(versions)) for name, versions in editions().items()}))


def releases(beats: Mapping[str, bytes]) -> list[Release]:
    """Read what all nodes that beat say; from words that are not understood nothing follows."""
    return [_read(says) for says in beats.values()]


def _read(says: bytes) -> Release:
    try:
        return _decoder.decode(says)
    except msgspec.DecodeError:
        return Release(0, {})
