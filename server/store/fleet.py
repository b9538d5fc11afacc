"""All primaries, and which of them has which slot now. Requests and subscriptions go along with their slots.

Whatever a server says that shows it is not, or no longer, the one to ask, leads to a look at the topology; a request
that met such an answer is sent again, unchanged, until its time is over. Knows rooms by their names only.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Coroutine
from functools import partial
from typing import Any

import structlog
from redis.exceptions import AskError, MovedError

from server.store import keys, line
from server.store.address import Address, place_of
from server.store.errors import Unavailable, Unfit
from server.store.fitness import REPLICAS, Durability
from server.store.line import FIRST_PAUSE_S, LONGEST_PAUSE_S, Ask
from server.store.primary import Primary
from server.store.subscriber import Ears, Moved, Place
from server.store.topology import SLOTS, Layout, topology_of

LOOK_S = 5.0
_BETWEEN_S = 0.05
_log = structlog.get_logger()


class Fleet:
    """See the module. ``ears``: what takes messages from all primaries."""

    def __init__(self, address: Address, durability: Durability) -> None:
        self._address, self._durability = address, durability
        self._topology = topology_of(address)
        self.ears = Ears()
        self.waits = REPLICAS[durability] > 0
        self.primaries: dict[str, Primary] = {}
        self._layout = Layout(())
        self._owners: list[Primary | None] = [None] * SLOTS
        self._looking = asyncio.Event()
        self._hint = ""
        self._follower: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Find all primaries, check them, and listen. Raises Unfit or Unavailable."""
        self._take(await self._topology.find())
        await asyncio.gather(*(primary.check(self._address.kind) for primary in self._holding()))
        await asyncio.gather(*(primary.subscriber.start() for primary in self._holding()))
        if not self._topology.fixed:
            self._follower = asyncio.get_running_loop().create_task(self._follow(), name="store topology")

    async def close(self) -> None:
        """Close every connection; what still waits is answered with Unavailable."""
        if self._follower is not None:
            self._follower.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._follower
        await asyncio.gather(*(primary.close() for primary in self.primaries.values()))
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # -- requests ------------------------------------------------------------------------------------------------

    def ask(
        self, slot: int, packed: bytes, *, write: bool = False, within_s: float | None = None
    ) -> asyncio.Future[Any]:
        """Send a request to whoever has a slot. The future raises Unavailable after 2 s or ``within_s``."""
        ask = Ask(packed, line.WITHIN_S if within_s is None else within_s, slot, write)
        self._send(ask)
        return ask.reply

    def _send(self, ask: Ask) -> None:
        primary = self._owners[ask.slot or 0]
        if primary is None:
            self._again(ask, Unavailable("no primary has this slot"))
        else:
            primary.put(ask)

    def _elsewhere(self, ask: Ask, error: Exception) -> None:
        """Take a request that a server has sent away."""
        if ask.slot is None:
            ask.give(Unavailable(f"refused: {error}"))
        elif isinstance(error, AskError) and not isinstance(error, MovedError) and error.host:
            ask.asking = True
            self._primary(place_of(error.host, error.port)).put(ask)
        else:
            self._again(ask, error)

    def _again(self, ask: Ask, error: Exception) -> None:
        ask.asking = False
        self.trouble(error)
        loop = asyncio.get_running_loop()
        pause = min(FIRST_PAUSE_S * 2**ask.tries, LONGEST_PAUSE_S)
        ask.tries += 1
        if loop.time() + pause > ask.until:
            ask.give(Unavailable(str(error)))
        else:
            loop.call_later(pause, self._send, ask)

    # -- subscriptions -------------------------------------------------------------------------------------------

    def holder(self, room: str) -> Primary | None:
        """Give the primary that has a room."""
        return self.of_partition(keys.partition(room))

    def of_partition(self, number: int) -> Primary | None:
        """Give the primary that has a partition."""
        return self._owners[keys.slot(number)]

    async def subscribe(self, room: str) -> None:
        """Listen to a room, wherever it is; see Subscriber.subscribe."""
        loop = asyncio.get_running_loop()
        until = loop.time() + line.WITHIN_S
        while (left := until - loop.time()) > 0:
            holder = self.holder(room)
            if holder is None:
                await asyncio.sleep(_BETWEEN_S)
                continue
            with contextlib.suppress(Moved):
                return await holder.subscriber.subscribe(room, left)
        raise Unavailable("no primary has this room")

    def unsubscribe(self, room: str) -> None:
        """Listen to a room no more."""
        holder = self.holder(room)
        if holder is not None:
            holder.subscriber.unsubscribe(room)

    async def hears(self) -> bool:
        """Tell whether every room has a primary, and a message published at each of them arrives within a second."""
        if None in map(self.of_partition, range(keys.PARTITIONS)):
            return False
        return all(await asyncio.gather(*(primary.subscriber.hears() for primary in self._holding())))

    # -- the topology --------------------------------------------------------------------------------------------

    def look(self, hint: str = "") -> None:
        """Find out soon where everything is now; ``hint``: the place that is likely to know best."""
        self._hint = hint or self._hint
        self._looking.set()

    def trouble(self, error: BaseException) -> None:
        """Hear of an answer, or of none, that may mean that things are elsewhere."""
        self.look(place_of(error.host, error.port) if isinstance(error, MovedError) and error.host else "")

    async def _follow(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._looking.wait()
            self._looking.clear()
            hint, self._hint = self._hint, ""
            try:
                self._take(await self._topology.find(hint))
            except (Unavailable, Unfit) as error:
                _log.warning("topology_not_found", reason=str(error))
            except Exception:
                # Whatever a server says, to look no more would be worse.
                _log.exception("topology_not_understood")
            await asyncio.sleep(_BETWEEN_S)

    def _take(self, layout: Layout) -> None:
        """Live by a layout from now on. What it does not speak of stays where it was."""
        if layout != self._layout:
            for first, last, place in layout.ranges:
                self._owners[first : last + 1] = [self._primary(place)] * (last + 1 - first)
            if self._layout.ranges:
                _log.info("topology_changed", primaries=list(layout.places()))
            self._layout = layout
            self._rehome()
            self._retire()
        for primary in self._holding():
            primary.subscriber.listen()
            primary.subscriber.reclaim()

    def _primary(self, place: str) -> Primary:
        primary = self.primaries.get(place)
        if primary is None:
            connect = partial(self._address.connect, place)
            primary = Primary(place, connect, self._durability, self._elsewhere, self.trouble)
            primary.listen_by(self.ears, _Among(self, primary))
            self.primaries[place] = primary
            if self._follower is not None:
                self._spawn(self._check(primary))
        return primary

    def _holding(self) -> list[Primary]:
        return list({id(primary): primary for primary in self._owners if primary is not None}.values())

    def _rehome(self) -> None:
        """Let every subscription follow its slot."""
        for primary in tuple(self.primaries.values()):
            coming: dict[int, list[str]] = {}
            for room in primary.subscriber.rooms():
                if self.holder(room) is not primary:
                    coming.setdefault(id(self.holder(room)), []).append(room)
            for rooms in coming.values():
                holder = self.holder(rooms[0])
                assert holder is not None  # an owner is never taken away without another
                primary.subscriber.release(rooms)
                holder.subscriber.adopt(rooms)

    def _retire(self) -> None:
        """Close the connections to servers that hold nothing any more; what waits there is sent where it belongs."""
        holding = self._holding()
        for place, primary in tuple(self.primaries.items()):
            if primary not in holding:
                del self.primaries[place]
                self._spawn(primary.close(self._send))

    async def _check(self, primary: Primary) -> None:
        """Say so if a server that came later is not as it should be; the rooms on it play on all the same."""
        try:
            await primary.check(self._address.kind)
        except Unfit as error:
            _log.error("primary_unfit", server=primary.place, reason=str(error))
        except Unavailable:
            pass  # its rooms will show it

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work, name="store fleet")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _Among(Place):
    """A server among others: its rooms come and go."""

    def __init__(self, fleet: Fleet, primary: Primary) -> None:
        self._fleet, self._primary = fleet, primary

    def canary(self, current: str) -> str:
        """Name a room of this server for the node's own channel: the current one if it serves, '' if none does."""
        holder, mine = self._fleet.holder, self._primary
        if current and holder(current) is mine:
            return current
        if mine not in map(self._fleet.of_partition, range(keys.PARTITIONS)):
            return ""
        return next(name for name in iter(_name, "") if holder(name) is mine)

    def moved(self) -> None:
        """Hear that the server has ended a subscription by itself: it knows where the slot has gone."""
        self._fleet.look(self._primary.place)

    def trouble(self, error: BaseException) -> None:
        """Hear that the connection was lost, or refused something."""
        self._fleet.trouble(error)


def _name() -> str:
    return f"node-{secrets.token_hex(8)}"
