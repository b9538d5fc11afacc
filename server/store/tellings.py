"""What a room is told without a version, who is here, and which nodes live. Never looks into a message."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

from server.store import keys
from server.store.placed import Placed
from server.store.scripts import TELL, TOLD

BEAT_LIVES_MS = 9000


class Tellings(Placed):
    """Messages, presence and beats."""

    async def tell(self, room: str, message: bytes, keep: bool, id: str = "", *, aside: bool = False) -> bool:  # noqa: A002
        """Publish without a version. ``keep``: among the last 50 too, as long as the room lives.

        ``id`` names a kept message: one that is still kept is not told again, and the answer is False.
        ``aside``: kept among 50 others, so that what a crowd says pushes nothing else out.
        """
        saying = (id or secrets.token_hex(8)) if keep else ""
        return bool(await self._tell(room, message, saying, "", b"", "aside" if aside else "say"))

    async def said(self, room: str, *, asides: bool = False) -> list[bytes]:
        """Give the last 50 kept messages, in order; with ``asides`` those too, each at its place."""
        names = ("say", "aside") if asides else ("say",)
        found = await asyncio.gather(*(self._read(room, "XRANGE", keys.key(name, room), "-", "+") for name in names))
        kept = sorted(((_moment(id_), fields) for some in found for id_, fields in some), key=lambda each: each[0])
        return [fields[1][1:] for _, fields in kept]

    async def here(self, room: str, node: str, members: bytes | None, message: bytes = b"") -> None:
        """Keep who is in a room by way of this node, None for nobody; ``message`` is published with it."""
        await self._tell(room, message, "", node, members or b"")

    async def who(self, room: str) -> dict[str, bytes]:
        """Give who is here, by node; a node that does not beat is left out until it beats again."""
        found, beats = await asyncio.gather(self._read(room, "HGETALL", keys.key("here", room)), self.beats())
        by_node = {node.decode(): members for node, members in zip(found[::2], found[1::2], strict=True)}
        return {node: members for node, members in by_node.items() if node in beats}

    async def left_behind(self) -> dict[str, list[str]]:
        """Give the rooms with a deadline in which nodes that do not beat still count as somebody, and those nodes."""
        listed = await self._everywhere(lambda shared: ("ZRANGE", shared.due, 0, -1))
        rooms = [room.decode() for some in listed for room in some]
        found = [
            await asyncio.gather(*(self._read(room, "HKEYS", keys.key("here", room)) for room in rooms[at : at + 256]))
            for at in range(0, len(rooms), 256)
        ]
        beats = await self.beats()  # read last: who is kept as here has beaten before
        nodes = [[node.decode() for node in some if node.decode() not in beats] for each in found for some in each]
        return {room: dead for room, dead in zip(rooms, nodes, strict=True) if dead}

    async def beat(self, node: str, says: bytes) -> None:
        """Show that a node lives, for 9 s; ``says``: its formats and rules versions."""
        await asyncio.gather(
            self._shared("SADD", keys.NODES, node),
            self._shared("SET", keys.node_key(node), says, "PX", BEAT_LIVES_MS),
        )

    async def beats(self) -> dict[str, bytes]:
        """Give what each living node says."""
        nodes = [node.decode() for node in await self._shared("SMEMBERS", keys.NODES)]
        if not nodes:
            return {}
        said = await self._shared("MGET", *map(keys.node_key, nodes))  # one slot: all have the tag of NODES
        dead = [node for node, says in zip(nodes, said, strict=True) if says is None]
        if dead:
            await self._shared("SREM", keys.NODES, *dead)
        return {node: says for node, says in zip(nodes, said, strict=True) if says is not None}

    async def leave(self, node: str) -> None:
        """Show that a node lives no more."""
        await asyncio.gather(self._shared("SREM", keys.NODES, node), self._shared("DEL", keys.node_key(node)))

    async def _tell(
        self, room: str, message: bytes, saying: str, node: str, members: bytes, history: str = "say"
    ) -> Any:
        number = keys.partition(room)
        shared = keys.shared(number)
        beside = "say" if history == "aside" else "aside"
        names = [*keys.keys(room, "room", history, beside, "here", "ch"), shared.due, shared.time]
        packed = TELL.call(names, TOLD + message if message else "", saying, node, members)
        now, still, told = await self._ask(number, packed, write=True)
        self.clock.hear(number, now, still)
        return told


def _moment(entry: bytes) -> tuple[int, int]:
    """Read the id of a stream's entry, for comparison with those of another stream."""
    ms, _, n = entry.partition(b"-")
    return int(ms), int(n)
