"""Whether a server can keep rooms, and as safely as the operator asked. Knows no room."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal

import structlog

from server.store.address import Kind
from server.store.errors import Unavailable, Unfit
from server.store.scripts import command

Durability = Literal["everysec", "always", "replicated"]
REPLICAS = {"everysec": 0, "always": 0, "replicated": 1}
_OLDEST = 7
_log = structlog.get_logger()


def check_fit(info: dict[str, str], kind: Kind = "one") -> None:
    """Raise Unfit unless the server of these INFO lines can keep rooms."""
    version = info.get("redis_version", "0")
    if int(version.partition(".")[0]) < _OLDEST:
        raise Unfit(f"Redis {version} is too old: {_OLDEST} or newer is needed, or any Valkey")
    if info.get("cluster_enabled") == "1" and kind != "cluster":
        raise Unfit("this server is a node of a Cluster: give its address as cluster://host:port")
    if info.get("cluster_enabled") != "1" and kind == "cluster":
        raise Unfit("this server is no node of a Cluster: give its address as redis://host:port")
    policy = info.get("maxmemory_policy", "unknown")
    if policy != "noeviction":
        raise Unfit(f"maxmemory-policy is {policy}: set it to noeviction, or rooms would vanish when memory is full")


def read_info(text: bytes) -> dict[str, str]:
    """Read the lines of an INFO reply."""
    pairs = (line.partition(":") for line in text.decode().splitlines() if ":" in line)
    return {name: value for name, _, value in pairs}


async def check_durable(ask: Callable[[bytes], Awaitable[Any]], wanted: Durability, place: str) -> None:
    """Compare a server's append-only file with what an ok has to survive.

    Raises Unfit where ``always`` is wanted and not so. Less than ``everysec``, or what may not be read, is logged.
    """
    try:
        kept = {name: await _setting(ask, name) for name in ("appendonly", "appendfsync")}
    except Unavailable:  # CONFIG is not for us, as with many hosted servers
        _log.warning("durability_not_checked", server=place, wanted=wanted)
        return
    fsync = kept["appendfsync"] if kept["appendonly"] == "yes" else "no"
    if wanted == "always" and fsync != "always":
        raise Unfit("durability is `always`: set appendonly to yes and appendfsync to always in Redis, or ask for less")
    if wanted == "everysec" and fsync == "no":
        _log.warning("durability_less_than_wanted", server=place, wanted=wanted, **kept)


async def _setting(ask: Callable[[bytes], Awaitable[Any]], name: str) -> str:
    found = await ask(command("CONFIG", "GET", name))
    return found[1].decode() if found else ""
