"""The figures that an operator's page draws: those of /metrics as one small object, for scope ``operator`` only.

Owns which figures these are. Counts nothing itself, and knows no HTTP.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from protocol.errors import Refused
from protocol.http import Figures, Spread
from server.auth import Account
from server.metrics import COMMIT_S, DELIVERY_S, Metrics
from server.store.errors import Unavailable
from server.store.redis import Store

SCOPE = "operator"
PATIENCE_S = 1.0
MICRO = 1_000_000


def require_operator(account: Account | None) -> None:
    """Let in operators alone. Raises Refused."""
    if account is None:
        raise Refused("unauthorized", reason="no_token")
    if SCOPE not in account.scopes:
        raise Refused("forbidden", f"this needs a token with the scope `{SCOPE}`")


async def count_rooms(metrics: Metrics, store: Store) -> None:
    """Bring the count of rooms up to date; a store that does not answer leaves the last one."""
    with suppress(Unavailable, TimeoutError):
        for state, count in (await asyncio.wait_for(store.counts(), PATIENCE_S)).items():
            metrics.rooms.labels(state=state).set(count)


async def figures(metrics: Metrics, store: Store) -> Figures:
    """Give what is worth watching, of all workers of this host."""
    await count_rooms(metrics, store)
    sums = metrics.sums()

    def total(name: str) -> int:
        return round(sums.get(f"sanctum_{name}", 0.0))

    return Figures(
        at=round(time.time() * 1_000),
        sockets=total("sockets"),
        rooms={state: total(f"rooms{{state={state}}}") for state in ("open", "in_play", "unlisted")},
        choices=total("choices_total"),
        commits=total("commits_total"),
        conflicts=total("conflicts_total"),
        deliveries=total("deliveries_total"),
        resumes=total("resumes_total"),
        resyncs=total("resyncs_total"),
        slow_closes=total("slow_closes_total"),
        commit=_spread(sums, "commit_seconds", COMMIT_S),
        delivery=_spread(sums, "delivery_seconds", DELIVERY_S),
    )


def _spread(sums: dict[str, float], name: str, bounds_s: tuple[float, ...]) -> Spread:
    """Read a histogram; Prometheus' buckets count all that took at most as long."""
    edges = (*(f"{bound}" for bound in bounds_s), "+Inf")
    counts = tuple(round(sums.get(f"sanctum_{name}_bucket{{le={edge}}}", 0.0)) for edge in edges)
    return Spread(tuple(round(bound * MICRO) for bound in bounds_s), counts)
