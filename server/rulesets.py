"""Which rules and packs this node has: a room is pinned to a rules version and to the bytes of a pack."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, cast

from engines.registry import UnknownGame, edition, game, games, successor
from engines.rules import Pack, PackError, Rules
from protocol.errors import Refused
from server.releases import releases
from server.room import Ruleset
from server.store.redis import Store

KEPT_PACKS = 64
TAKEOVER_FORMAT = 2
"""The store format from which on rooms may have been taken over."""

NO_RULES = Ruleset(cast("Rules[Any]", None), Pack("", "", "", "", b"", None))
"""What a room is ended by whose rules are nowhere: ending one asks no rules."""


class RulesMissing(RuntimeError):
    """This node lacks the rules version or the pack of a room; another node may have it."""


class Rulesets:
    """Finds the rules and the pack of a room; packs that did not ship come from the store.

    ``own``: the operator's packs by game and id, as server/packs.py reads them.
    """

    def __init__(self, store: Store, own: Mapping[str, Mapping[str, Pack]] | None = None) -> None:
        self._store = store
        self._offered = {name: {**rules.packs(), **(own or {}).get(name, {})} for name, rules in games().items()}
        self._sources = {pack.hash: pack.source for packs in self._offered.values() for pack in packs.values()}
        self._read: OrderedDict[tuple[str, int, str], Pack] = OrderedDict()

    def rules(self, name: str) -> Rules[Any]:
        """Give the rules of a game for a new room. Raises Refused."""
        try:
            return game(name)
        except UnknownGame as unknown:
            raise Refused("unknown_game", str(unknown), games=sorted(games())) from None

    def packs(self, rules: Rules[Any]) -> Mapping[str, Pack]:
        """Give the packs for new rooms, by id: those that ship with the game, then the operator's."""
        return self._offered[rules.name]

    def pack(self, rules: Rules[Any], name: str | None) -> Pack:
        """Give a pack for a new room by id, the game's default without one. Raises Refused."""
        packs = self.packs(rules)
        chosen = next(iter(packs.values())) if name is None else packs.get(name)
        if chosen is None:
            raise Refused("unknown_pack", packs=list(packs))
        return chosen

    def has(self, name: str, version: int) -> bool:
        """Tell whether a version of a game's rules is on this node."""
        return edition(name, version) is not None

    async def somewhere(self, name: str, version: int) -> bool:
        """Tell whether a node that beats has a version of a game's rules."""
        return any(release.has(name, version) for release in releases(await self._store.beats()))

    async def pinned(self, name: str, version: int, pack_hash: str) -> Ruleset:
        """Give exactly what a room is pinned to. Raises RulesMissing."""
        rules = edition(name, version)
        if rules is None:
            raise RulesMissing(f"{name} rules version {version} are not on this node")
        return Ruleset(rules, await self._pack(rules, pack_hash))

    async def heirs(self, name: str, version: int, pack_hash: str) -> Ruleset:
        """Give the newer rules that take rooms over from a version which is not here. Raises RulesMissing.

        There are none unless they declare that they read that version, and every node that beats has them.
        """
        rules = successor(name, version)
        if rules is None:
            raise RulesMissing(f"{name} rules version {version} are not on this node")
        beating = releases(await self._store.beats())
        if not all(one.has(name, rules.version) and one.format >= TAKEOVER_FORMAT for one in beating):
            raise RulesMissing(f"{name} rules version {version} are on other nodes only")
        await self._store.write_as(TAKEOVER_FORMAT)
        return Ruleset(rules, await self._pack(rules, pack_hash))

    async def _pack(self, rules: Rules[Any], pack_hash: str) -> Pack:
        """Read a pack as these rules read it: each version of a game may have card types of its own."""
        key = (rules.name, rules.version, pack_hash)
        found = self._read.get(key)
        if found is None:
            found = self._read[key] = _read(rules, pack_hash, await self.source(pack_hash))
        self._read.move_to_end(key)
        if len(self._read) > KEPT_PACKS:
            self._read.popitem(last=False)
        return found

    async def source(self, pack_hash: str) -> bytes:
        """Give a pack's bytes, which need no rules. Raises RulesMissing."""
        source = self._sources.get(pack_hash) or await self._store.get_pack(pack_hash)
        if source is None:
            raise RulesMissing(f"no pack with hash {pack_hash}")
        return source

    async def keep(self, pack: Pack) -> None:
        """Put a pack's bytes where every node and every replay finds them."""
        await self._store.put_pack(pack.hash, pack.source)


def _read(rules: Rules[Any], pack_hash: str, source: bytes) -> Pack:
    try:
        return rules.read_pack(source)
    except PackError as error:
        raise RulesMissing(f"the pack with hash {pack_hash} is not readable here: {error}") from error
