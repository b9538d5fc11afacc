"""Which server is the primary of which slots, by one address, by Sentinels or by a Cluster. Knows no room."""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import Struct
from redis.exceptions import RedisError, ResponseError

from server.store.address import Address, Kind, ask_once, place_of
from server.store.errors import Unavailable, Unfit
from server.store.scripts import command

SLOTS = 1 << 14
ANSWER_S = 0.5


class Layout(Struct, frozen=True):
    """Who holds what: first slot, last slot and the primary's place (``host:port``, '' for the address itself)."""

    ranges: tuple[tuple[int, int, str], ...]

    def places(self) -> dict[str, None]:
        """Give the places of all primaries, in order."""
        return dict.fromkeys(place for _, _, place in self.ranges)


class Topology(Protocol):
    """Something that knows the layout, or whom to ask. ``fixed``: it never changes."""

    fixed: bool

    async def find(self, hint: str = "") -> Layout:
        """Find the layout; ``hint``: the place that is likely to know best. Raises Unavailable, Unfit."""


def topology_of(address: Address) -> Topology:
    """Choose by the kind of an address."""
    kinds: dict[Kind, type[One] | type[Sentinels] | type[Cluster]]
    kinds = {"one": One, "sentinel": Sentinels, "cluster": Cluster}
    return kinds[address.kind](address)


class One:
    """One server that its address names."""

    fixed = True

    def __init__(self, _address: Address) -> None:
        pass

    async def find(self, hint: str = "") -> Layout:
        """Give the one place there is."""
        del hint
        return _whole("")


class Sentinels:
    """One primary under a name; Sentinels say where it is, and the server itself must agree."""

    fixed = False

    def __init__(self, address: Address) -> None:
        self._address = address
        self._seeds = list(address.seeds)

    async def find(self, hint: str = "") -> Layout:
        """Ask one Sentinel after the other, the one that answered last first."""
        del hint  # a Sentinel knows best, whoever else was named
        told: list[str | Exception] = []
        for seed in tuple(self._seeds):
            try:
                place = await self._ask(seed)
                told.append(place)
                if place and await self._is_primary(place):
                    self._seeds.sort(key=seed.__ne__)
                    return _whole(place)
            except (RedisError, OSError, TimeoutError) as error:
                told.append(error)
        if told and not any(told):
            raise Unfit(f"no Sentinel knows a primary by the name {self._address.name}")
        raise Unavailable(f"no Sentinel leads to a primary: {told}")

    async def _ask(self, seed: str) -> str:
        packed = command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", self._address.name)
        found = await ask_once(self._address.connect(seed, asking=True), packed, ANSWER_S)
        return place_of(found[0].decode(), int(found[1])) if found else ""

    async def _is_primary(self, place: str) -> bool:
        role = await ask_once(self._address.connect(place), command("ROLE"), ANSWER_S)
        return bool(role[0] == b"master")


class Cluster:
    """The primaries of a Cluster, as any of its nodes knows them."""

    fixed = False

    def __init__(self, address: Address) -> None:
        self._address = address
        self._known: dict[str, None] = {}
        self._last = Layout(())

    async def find(self, hint: str = "") -> Layout:
        """Ask one node after the other: the hinted one, the one that last had news, then others in turn.

        One that has no news is asked last the next time: it may be cut off from the rest.
        """
        reason: Exception | None = None
        for place in [place for place in dict.fromkeys((hint, *self._known, *self._address.seeds)) if place]:
            try:
                found = await ask_once(self._address.connect(place), command("CLUSTER", "SLOTS"), ANSWER_S)
            except ResponseError as error:
                raise Unfit(f"{place} is no node of a Cluster: {error}") from error
            except (RedisError, OSError, TimeoutError) as error:
                reason = error
                continue
            if found:
                return self._take(place, found)
        raise Unavailable(f"no node of the Cluster answers: {reason or 'none knows any slots'}")

    def _take(self, asked: str, found: list[Any]) -> Layout:
        nodes: dict[str, None] = {}
        ranges = []
        for first, last, *holders in found:
            places = [_holder(holder, asked) for holder in holders]
            nodes |= dict.fromkeys(places)
            ranges.append((int(first), int(last), places[0]))
        layout = Layout(tuple(sorted(ranges)))
        nodes.pop(asked, None)
        self._known = {**nodes, asked: None} if layout == self._last else {asked: None, **nodes}
        self._last = layout
        return layout


def _holder(told: list[Any], asked: str) -> str:
    host, port = told[:2]
    known = host.decode() if host not in (None, b"", b"?") else asked.rpartition(":")[0].strip("[]")
    return place_of(known, int(port))


def _whole(place: str) -> Layout:
    return Layout(((0, SLOTS - 1, place),))
