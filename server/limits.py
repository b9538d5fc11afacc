"""How much one account or one address may ask for: in this node, and of all nodes together.

Owns the counts; the bounds are settings. Knows no sockets, no requests and no rooms.
"""

from __future__ import annotations

from msgspec import Struct

from protocol.errors import Refused
from server.metrics import Metrics
from server.settings import Settings
from server.store.redis import Store

MINUTE_S = 60


class Rate(Struct):
    """A bucket of commands: ``per_s`` flow in, at most ``burst`` stay. ``at`` is in monotonic seconds."""

    per_s: float
    burst: float
    left: float
    at: float

    def take(self, now: float, cost: int = 1) -> int:
        """Take one command out, or as much as it costs, at most ``burst``. Gives 0, or the milliseconds to wait."""
        cost = min(cost, int(self.burst))
        self.left = min(self.burst, self.left + (now - self.at) * self.per_s)
        self.at = now
        if self.left >= cost:
            self.left -= cost
            return 0
        return max(1, round(1000 * (cost - self.left) / self.per_s))


class Rates:
    """A bucket for each of many who ask. It outlives their sockets, so that to come back is not to begin anew."""

    def __init__(self, per_s: float, burst: float) -> None:
        self._per_s, self._burst = per_s, burst
        self._rates: dict[str, Rate] = {}

    def take(self, who: str, now: float, cost: int = 1) -> int:
        """Take out of somebody's bucket. Gives 0, or the milliseconds to wait."""
        rate = self._rates.pop(who, None) or Rate(self._per_s, self._burst, self._burst, now)
        self._rates[who] = rate  # last, so that whoever has been quiet longest is first
        return rate.take(now, cost)

    def forget(self, now: float) -> None:
        """Drop the buckets that are full again."""
        quiet = now - self._burst / self._per_s
        while self._rates and next(iter(self._rates.values())).at <= quiet:
            del self._rates[next(iter(self._rates))]

    def __len__(self) -> int:
        return len(self._rates)


class Tally:
    """How many each of many has open, up to a bound."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: dict[str, int] = {}

    def enter(self, who: str) -> bool:
        """Count one more. Gives False, and counts nothing, if that would be too many."""
        count = self._open.get(who, 0)
        if count >= self.most:
            return False
        self._open[who] = count + 1
        return True

    def leave(self, who: str) -> None:
        """Count one less."""
        count = self._open.pop(who) - 1
        if count:
            self._open[who] = count

    def __len__(self) -> int:
        return len(self._open)


class Limits:
    """All limits of a node that go by account or address.

    ``accounts`` and ``addresses`` count their sockets, ``lines`` an address' connections that are no sockets yet;
    ``commands`` are an account's over all its sockets, ``requests`` an address' by HTTP.
    """

    def __init__(self, settings: Settings, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._refused = metrics.limited
        self.accounts = Tally(settings.sockets_per_account)
        self.addresses = Tally(settings.sockets_per_address)
        self.lines = Tally(settings.sockets_per_address)
        times = settings.account_rate
        self.commands = Rates(times * settings.commands_per_second, times * settings.commands_burst)
        self.requests = Rates(settings.requests_per_second, settings.requests_burst)

    async def take(self, limit: str, who: str, most: int) -> None:
        """Count one more of a minute, of all nodes. Raises Refused (rate_limited), Unavailable."""
        counted, left_ms = await self._store.count(f"{limit}:{who}", MINUTE_S)
        if counted > most:
            self.refuse(limit)
            raise Refused("rate_limited", retry_after_ms=left_ms, limit=limit, most=most)

    def refuse(self, limit: str) -> None:
        """Count that somebody met a limit."""
        self._refused.labels(limit).inc()

    def forget(self, now: float) -> None:
        """Keep nothing of whoever has been quiet for long."""
        self.commands.forget(now)
        self.requests.forget(now)
