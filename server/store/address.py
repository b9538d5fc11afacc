"""Which server an address means, and whether it is fit to keep rooms. Knows no room."""

from __future__ import annotations

from typing import Any

from redis.asyncio.connection import AbstractConnection, Connection, parse_url

from server.store.errors import Unfit

_OLDEST = 7
_LATER = ("sentinel", "cluster")


def connector(url: str) -> tuple[type[AbstractConnection], dict[str, Any]]:
    """Take an address apart: the class of its connections and their arguments. Raises Unfit."""
    scheme = url.partition("://")[0].lower()
    if any(word in scheme for word in _LATER):
        raise Unfit(f"{scheme}:// is not supported yet: give one server as redis://, rediss:// or unix://")
    try:
        wanted: dict[str, Any] = dict(parse_url(url))
    except ValueError as error:
        raise Unfit(f"the address of Redis is not one: {error}") from error
    kind = wanted.pop("connection_class", Connection)
    # RESP2 and no timeouts of its own: every wait here has its own bound, and pub/sub its own reader.
    return kind, wanted | {"protocol": 2, "socket_timeout": None, "socket_connect_timeout": 2.0}


def connect(url: str) -> AbstractConnection:
    """Make a connection that is not yet connected."""
    kind, wanted = connector(url)
    return kind(**wanted)


async def open_connection(connection: AbstractConnection) -> None:
    """Connect and authenticate, unless that is done. Raises redis' ConnectionError or TimeoutError."""
    await connection.connect()  # type: ignore[no-untyped-call]


def check_fit(info: dict[str, str]) -> None:
    """Raise Unfit unless the server of these INFO lines can keep rooms."""
    version = info.get("redis_version", "0")
    if int(version.partition(".")[0]) < _OLDEST:
        raise Unfit(f"Redis {version} is too old: {_OLDEST} or newer is needed, or any Valkey")
    if info.get("cluster_enabled") == "1":
        raise Unfit("this server is a node of a Cluster, which is not supported yet")
    policy = info.get("maxmemory_policy", "unknown")
    if policy != "noeviction":
        raise Unfit(f"maxmemory-policy is {policy}: set it to noeviction, or rooms would vanish when memory is full")


def read_info(text: bytes) -> dict[str, str]:
    """Read the lines of an INFO reply."""
    pairs = (line.partition(":") for line in text.decode().splitlines() if ":" in line)
    return {name: value for name, _, value in pairs}
