"""Accounts that are not let in, and the journal by which every node hears of them. Never looks into a ban."""

from __future__ import annotations

from server.store import keys
from server.store.placed import Placed
from server.store.scripts import command

REMEMBERED = 1_000
ANY = "-"


class Bans(Placed):
    """One value an account, and a stream of those that were banned last."""

    async def ban(self, account: str, value: bytes, ttl_s: int | None) -> None:
        """Keep a ban, for a while or for good, then tell all nodes; again, all is done again."""
        end = () if ttl_s is None else ("EX", ttl_s)
        put = command("SET", keys.key("ban", account), value, *end)
        await self._ask(keys.partition(account), put, write=True)
        await self._shared("XADD", keys.BANS, "MAXLEN", "~", REMEMBERED, "*", "a", account)

    async def lift(self, account: str) -> None:
        """Forget a ban."""
        await self._ask(keys.partition(account), command("DEL", keys.key("ban", account)), write=True)

    async def ban_of(self, account: str) -> bytes | None:
        """Give the ban of an account."""
        ban: bytes | None = await self._read(account, "GET", keys.key("ban", account))
        return ban

    async def banned(self, after: str) -> tuple[str, list[str]]:
        """Give the accounts that were banned after a point of the journal, and the point reached.

        ``after``: ANY for where it stands now, with no accounts.
        """
        if after == ANY:
            last = await self._shared("XREVRANGE", keys.BANS, "+", "-", "COUNT", 1)
            return (last[0][0].decode() if last else "0-0"), []
        found = await self._shared("XRANGE", keys.BANS, f"({after}", "+")
        return (found[-1][0].decode() if found else after), [fields[1].decode() for _, fields in found]
