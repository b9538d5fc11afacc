"""Which rules and packs this node has: a room is pinned to a rules version and to the bytes of a pack."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from engines.registry import UnknownGame, game, games
from engines.rules import Pack, PackError, Rules
from protocol.errors import Refused
from server.room import Ruleset
from server.store.redis import Store

KEPT_PACKS = 64


class RulesMissing(RuntimeError):
    """This node lacks the rules version or the pack of a room; another node may have it."""


class Rulesets:
    """Finds the rules and the pack of a room; packs that did not ship come from the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._shipped = {pack.hash: pack for rules in games().values() for pack in rules.packs().values()}
        self._fetched: OrderedDict[str, Pack] = OrderedDict()

    def rules(self, name: str) -> Rules[Any]:
        """Give the rules of a game for a new room. Raises Refused."""
        try:
            return game(name)
        except UnknownGame as unknown:
            raise Refused("unknown_game", str(unknown), games=sorted(games())) from None

    def pack(self, rules: Rules[Any], name: str | None) -> Pack:
        """Give a shipped pack by id, the default without one. Raises Refused."""
        packs = rules.packs()
        chosen = next(iter(packs.values())) if name is None else packs.get(name)
        if chosen is None:
            raise Refused("unknown_pack", packs=list(packs))
        return chosen

    async def pinned(self, name: str, version: int, pack_hash: str) -> Ruleset:
        """Give exactly what a room is pinned to. Raises RulesMissing."""
        rules = games().get(name)
        if rules is None or rules.version != version:
            raise RulesMissing(f"{name} rules version {version} are not on this node")
        return Ruleset(rules, await self._pack(rules, pack_hash))

    async def _pack(self, rules: Rules[Any], pack_hash: str) -> Pack:
        found = self._shipped.get(pack_hash) or self._fetched.get(pack_hash)
        if found is None:
            source = await self._store.get_pack(pack_hash)
            if source is None:
                raise RulesMissing(f"no pack with hash {pack_hash}")
            try:
                found = rules.read_pack(source)
            except PackError as error:
                raise RulesMissing(f"the pack with hash {pack_hash} is not readable here: {error}") from error
            self._fetched[pack_hash] = found
            if len(self._fetched) > KEPT_PACKS:
                self._fetched.popitem(last=False)
        return found

    async def keep(self, pack: Pack) -> None:
        """Put a pack's bytes where every node and every replay finds them."""
        await self._store.put_pack(pack.hash, pack.source)
