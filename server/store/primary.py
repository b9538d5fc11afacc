"""One primary and this node's connections to it: a writer, a reader, a subscriber. A fleet of them makes a store."""

from __future__ import annotations

from collections.abc import Callable

from server.store.address import Kind
from server.store.fitness import REPLICAS, Durability, check_durable, check_fit, read_info
from server.store.line import Ask, Connect, Line
from server.store.scripts import command
from server.store.subscriber import Ears, Place, Subscriber


class Primary:
    """The connections to the primary at a place (``host:port``, '' for the address itself)."""

    def __init__(
        self,
        place: str,
        connect: Connect,
        durability: Durability,
        elsewhere: Callable[[Ask, Exception], None],
        trouble: Callable[[BaseException], None],
    ) -> None:
        self.place, self._durability = place, durability
        self.writer = Line(connect, REPLICAS[durability], elsewhere, trouble)
        self.reader = Line(connect, 0, elsewhere, trouble)
        self._connect = connect
        self.subscriber: Subscriber

    def listen_by(self, ears: Ears, around: Place) -> None:
        """Say what takes messages, and what there is to know of this server among others."""
        self.subscriber = Subscriber(self._connect, self.reader.ask, ears, around)

    async def check(self, kind: Kind) -> None:
        """Check that the server is fit. Raises Unfit or Unavailable."""
        check_fit(read_info(await self.reader.ask(command("INFO"))), kind)
        await check_durable(self.reader.ask, self._durability, self.place or "redis")

    def put(self, ask: Ask) -> None:
        """Send a request here, by the line that it belongs on."""
        (self.writer if ask.write else self.reader).put(ask)

    async def close(self, hand_over: Callable[[Ask], None] = Ask.close) -> None:
        """Close all connections, and hand over what still waits for a reply."""
        await self.subscriber.close()
        await self.writer.close(hand_over)
        await self.reader.close(hand_over)
