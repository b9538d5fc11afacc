"""Small things kept by a key of their own: packs, counts and values with an end. Knows no room."""

from __future__ import annotations

import asyncio

from server.store import keys
from server.store.placed import Placed


class Shelf(Placed):
    """Packs, counters of limits, and values for idempotency."""

    async def put_pack(self, digest: str, pack: bytes) -> None:
        """Keep a pack's bytes under their hash, for good, as safely as an ok: rooms rely on them."""
        name = keys.pack_key(digest)
        made = await self._write_shared("SET", name, pack, "NX")
        if made is None and self.fleet.waits:  # others wrote it: WAIT has something to wait for only after a write
            await self._write_shared("SET", keys.mark_beside(name), "", "PX", 1)

    async def get_pack(self, digest: str) -> bytes | None:
        """Give a pack's bytes."""
        pack: bytes | None = await self._shared("GET", keys.pack_key(digest))
        return pack

    async def count(self, name: str, window_s: int) -> tuple[int, int]:
        """Count one more for all nodes. Gives the count, and in how many milliseconds it begins anew.

        That is ``window_s`` after its first.
        """
        key = f"count:{name}"
        counted, _, left_ms = await asyncio.gather(
            self._shared("INCR", key), self._shared("EXPIRE", key, window_s, "NX"), self._shared("PTTL", key)
        )
        return int(counted), max(1, int(left_ms))

    async def put(self, name: str, value: bytes, ttl_s: int, only_new: bool = False) -> bool:
        """Keep a value for a while; with ``only_new`` False is answered if there is one, and it stays."""
        only = ("NX",) if only_new else ()
        return await self._shared("SET", f"value:{name}", value, "EX", ttl_s, *only) is not None

    async def get(self, name: str) -> bytes | None:
        """Give a value that has not ended."""
        value: bytes | None = await self._shared("GET", f"value:{name}")
        return value
