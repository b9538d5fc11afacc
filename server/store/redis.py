"""The store: everything that the server keeps, behind one object. The only package that knows it is Redis."""

from __future__ import annotations

import asyncio
import secrets

from server.store import keys
from server.store.address import read_address
from server.store.bans import Bans
from server.store.boards import Boards
from server.store.errors import Unfit
from server.store.fitness import Durability
from server.store.fleet import Fleet
from server.store.lists import Lists
from server.store.primary import Primary
from server.store.rooms import Rooms
from server.store.scripts import Part
from server.store.shelf import Shelf
from server.store.subscriber import OnMessage, OnReconnect
from server.store.sweeps import Sweeps
from server.store.tellings import Tellings

FORMAT = 2
"""The newest format that this release reads and writes. 1: the first; 2: newer rules may have taken rooms over."""

OLDEST_FORMAT = 1
"""The oldest that it reads: its predecessor's. A store begins with it and moves on when something newer is written."""


class Store(Rooms, Tellings, Sweeps, Lists, Boards, Bans, Shelf):
    """See the modules of its parts. Made by ``open``."""

    install_key: bytes = b""
    format = OLDEST_FORMAT

    @classmethod
    async def open(cls, url: str, durability: Durability = "everysec") -> Store:
        """Connect. ``durability``: what an ok has to survive.

        Raises Unfit if the address or the server cannot be used, Unavailable if it cannot be reached.
        """
        store = cls(Fleet(read_address(url), durability))
        try:
            await store.fleet.start()
            store.install_key = await store._settle_meta()
            for number, reply in await store._sweep(0):
                store._taken(number, reply)
        except BaseException:
            await store.close()
            raise
        return store

    @property
    def primaries(self) -> list[Primary]:
        """All primaries that are connected to."""
        return list(self.fleet.primaries.values())

    async def close(self) -> None:
        """Close every connection; what still waits is answered with Unavailable."""
        await self.fleet.close()

    def attach(self, on_entry: OnMessage, on_told: OnMessage, on_reconnect: OnReconnect) -> None:
        """Say what takes messages. The first two are called in the reader task: they must be quick and not raise.

        ``on_reconnect`` gets rooms of which messages may have been lost: all of a primary after each reconnect, and
        those whose slots moved.
        """
        ears = self.fleet.ears
        ears.on_entry, ears.on_told, ears.on_reconnect = on_entry, on_told, on_reconnect

    async def subscribe(self, room: str) -> None:
        """Listen to a room; see Subscriber.subscribe."""
        await self.fleet.subscribe(room)

    async def unsubscribe(self, room: str) -> None:
        """Listen to a room no more."""
        self.fleet.unsubscribe(room)

    async def ready(self) -> bool:
        """Tell whether a message published at every primary arrives here within a second."""
        return await self.fleet.hears()

    def room_id(self, account: str, command: str, n: int = 0) -> str:
        """Give the id of the room that a create makes; see keys.room_id."""
        return keys.room_id(self.install_key, account, command, n)

    def rematch_id(self, room: str, n: int = 0) -> str:
        """Give the id of the room in which a room is played again; see keys.rematch_id."""
        return keys.rematch_id(self.install_key, room, n)

    def said_id(self, room: str, account: str, command: str) -> str:
        """Give the id of something said; see keys.said_id."""
        return keys.said_id(self.install_key, room, account, command)

    async def write_as(self, form: int) -> None:
        """Note that something of a newer format is about to be written: releases that cannot read it start no more.

        Only for formats that every node which beats can read.
        """
        if self.format < form:
            await self._write_shared("HSET", keys.META, "format", form)
            self.format = form

    async def _settle_meta(self) -> bytes:
        """Write what an installation starts with, unless it is there; give the install key. Raises Unfit."""
        fresh: tuple[Part, ...] = (keys.PARTITIONS, OLDEST_FORMAT, secrets.token_bytes(32))
        wanted = dict(zip(("partitions", "format", "key"), fresh, strict=True))
        await asyncio.gather(*(self._shared("HSETNX", keys.META, name, wanted[name]) for name in wanted))
        partitions, form, key = await self._shared("HMGET", keys.META, *wanted)
        if int(partitions) != keys.PARTITIONS:
            raise Unfit(f"this Redis was set up with partitions {int(partitions)}, here are {keys.PARTITIONS}")
        self.format = int(form)
        if self.format > FORMAT:
            raise Unfit(
                f"what lies in this Redis has format {self.format}, written by a newer release; this one reads formats"
                f" {OLDEST_FORMAT} to {FORMAT}: start the newer release"
            )
        if self.format < OLDEST_FORMAT:
            raise Unfit(
                f"what lies in this Redis has format {self.format}, this release reads formats {OLDEST_FORMAT} to"
                f" {FORMAT}: upgrade by way of a release between"
            )
        return bytes(key)
