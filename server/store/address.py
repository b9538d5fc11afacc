"""What an address of Redis says, and connections made after it. Knows no room."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Literal
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit

from msgspec import Struct
from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.exceptions import RedisError

from server.store.errors import Unfit

Kind = Literal["one", "sentinel", "cluster"]
SCHEMES = ("redis", "rediss", "unix", "sentinel", "cluster")
_PORTS = {"sentinel": 26379, "cluster": 6379}
_UNREADABLE = "the address of Redis cannot be read; %-encode what is special in user, password and options"


class Address(Struct, frozen=True):
    """An address taken apart. ``seeds``: the nodes or Sentinels to ask first, as ``host:port``.

    ``wanted``: the arguments of a connection. ``name``: what Sentinels call the primary.
    ``asking``: the arguments of a connection to a Sentinel where they are other ones.
    """

    kind: Kind
    maker: type[AbstractConnection]
    wanted: dict[str, Any]
    seeds: tuple[str, ...] = ()
    name: str = ""
    asking: dict[str, Any] = {}

    def connect(self, place: str = "", asking: bool = False) -> AbstractConnection:
        """Make a connection that is not yet connected. ``place``: ``host:port``, '' if the address itself names it."""
        wanted = self.wanted | (self.asking if asking else {})
        return self.maker(**wanted | _split_place(place) if place else wanted)


def read_address(url: str) -> Address:
    """Take an address apart. Raises Unfit, with a text that shows nothing of a password."""
    try:
        parts = _parts(url)
        address = _several(parts) if parts.scheme in _PORTS else Address("one", *_wanted(url))
        address.connect(address.seeds[0] if address.seeds else "", asking=address.kind == "sentinel")
    except (ValueError, TypeError, RedisError):  # not chained: their texts may show a part of a password
        raise Unfit(_UNREADABLE) from None
    return address


def _parts(url: str) -> SplitResult:
    """Split an address. Several places are no netloc to ``urlsplit``, which refuses an IPv6 address among others."""
    scheme, _, rest = url.partition("://")
    if scheme not in _PORTS:
        return urlsplit(url)
    place, _, query = rest.partition("?")
    netloc, slash, path = place.partition("/")
    return SplitResult(scheme, netloc, slash + path, query, "")


def connect(url: str) -> AbstractConnection:
    """Make a connection to one server, not yet connected."""
    return read_address(url).connect()


async def open_connection(connection: AbstractConnection) -> None:
    """Connect and authenticate, unless that is done. Raises redis' ConnectionError or TimeoutError."""
    await connection.connect()  # type: ignore[no-untyped-call]


async def ask_once(connection: AbstractConnection, packed: bytes, within_s: float) -> Any:
    """Connect, ask one thing, and disconnect. Raises RedisError, OSError, TimeoutError."""
    try:
        async with asyncio.timeout(within_s):
            await open_connection(connection)
            await connection.send_packed_command([packed])
            return await connection.read_response(disable_decoding=True)
    finally:
        with contextlib.suppress(RedisError, OSError):
            await connection.disconnect(nowait=True)


def _wanted(url: str) -> tuple[type[AbstractConnection], dict[str, Any]]:
    scheme = urlsplit(url).scheme
    if scheme not in SCHEMES:
        raise Unfit(f"the address of Redis begins with one of {', '.join(f'{known}://' for known in SCHEMES)}")
    wanted: dict[str, Any] = dict(parse_url(url))
    maker = wanted.pop("connection_class", Connection)
    # RESP2 and no timeouts of its own: every wait here has its own bound, and pub/sub its own reader.
    return maker, wanted | {"protocol": 2, "socket_timeout": None, "socket_connect_timeout": 2.0}


def _several(parts: SplitResult) -> Address:
    """Read ``sentinel://`` and ``cluster://``; their options are those of ``redis://``, and ``tls=true``."""
    login, _, hosts = parts.netloc.rpartition("@")
    seeds = tuple(_place(host, _PORTS[parts.scheme]) for host in hosts.split(",") if host)
    name = unquote(parts.path.strip("/"))
    _require(parts.scheme, seeds, name)
    options = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    asking = {word: options.pop(f"sentinel_{word}", None) for word in ("username", "password")}
    scheme = "rediss" if options.pop("tls", "") in ("true", "yes", "1") else "redis"
    login = f"{login}@" if login else ""
    maker, wanted = _wanted(f"{scheme}://{login}{quote(seeds[0], safe=':[]')}/?{urlencode(options)}")
    if parts.scheme == "cluster":
        return Address("cluster", maker, wanted, seeds)
    return Address("sentinel", maker, wanted, seeds, name, asking | {"db": 0})


def _require(scheme: str, seeds: tuple[str, ...], name: str) -> None:
    if not seeds:
        raise Unfit(f"{scheme}:// needs at least one host:port, several by commas")
    if scheme == "sentinel" and not name:
        raise Unfit("sentinel:// ends with the name of the primary: sentinel://host:26379,host:26379/name")
    if scheme == "cluster" and name not in ("", "0"):
        raise Unfit("a Cluster has one database only: cluster:// ends after its hosts")


def _place(host: str, port: int) -> str:
    parts = urlsplit(f"//{host}")
    if not parts.hostname:
        raise ValueError(host)
    return place_of(parts.hostname, parts.port or port)


def place_of(host: str, port: int) -> str:
    """Name a server by host and port."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _split_place(place: str) -> dict[str, Any]:
    host, _, port = place.rpartition(":")
    return {"host": host.strip("[]"), "port": int(port)}
