"""Settings: every environment variable of the service, its meaning, bounds and default.

Owns how the environment is read and what is said about a mistake in it. Never shows a value that may be secret.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

PREFIX = "SANCTUM_"
REDIS_SCHEMES = ("redis", "rediss", "unix", "sentinel", "cluster")
SECRET_BYTES = 32

Network = IPv4Network | IPv6Network


class BadSettings(ValueError):
    """The environment cannot be used. ``faults``: one line each, naming the variable, never its value."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


def _listed(value: Any) -> Any:
    """Split what an environment variable lists, by commas."""
    return tuple(part for part in map(str.strip, value.split(",")) if part) if isinstance(value, str) else value


def _listed_or_none(value: Any) -> Any:
    """Split a list that is not empty unless it says so: an empty variable stands for the default."""
    return () if value == "none" else _listed(value)


def _origin(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ValueError(
            "an origin is a scheme, a host and, where it is not the usual one, a port: https://play.example"
        )
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _network(value: Any) -> Network:
    return ip_network(value, strict=False)


def _redis_url(value: SecretStr) -> SecretStr:
    if urlsplit(value.get_secret_value()).scheme not in REDIS_SCHEMES:
        raise ValueError(f"the address begins with one of {', '.join(f'{scheme}://' for scheme in REDIS_SCHEMES)}")
    return value


def _secret(value: SecretStr) -> SecretStr:
    if len(value.get_secret_value().encode()) < SECRET_BYTES:
        raise ValueError(f"a secret has at least {SECRET_BYTES} bytes; `openssl rand -hex 32` makes one")
    return value


def _jwks_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_loopback(parts.hostname)):
        raise ValueError("keys are fetched by https only (http from this machine)")
    return value


def _is_loopback(host: str | None) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host or "").is_loopback
    except ValueError:
        return False


Origins = Annotated[tuple[Annotated[str, AfterValidator(_origin)], ...], NoDecode, BeforeValidator(_listed)]
Networks = Annotated[tuple[Annotated[Network, BeforeValidator(_network)], ...], NoDecode, BeforeValidator(_listed)]
Exempt = Annotated[
    tuple[Annotated[Network, BeforeValidator(_network)], ...], NoDecode, BeforeValidator(_listed_or_none)
]
Word = Annotated[str, Field(min_length=1)]


class Settings(BaseSettings):
    """What an operator may set. Durations end in ``_s`` (seconds) or ``_h`` (hours), sizes in ``_kib``."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True
    )

    host: Word = Field("127.0.0.1", description="Address to listen on; 0.0.0.0 for all.")
    port: int = Field(8080, ge=0, le=65_535, description="TCP port to listen on; 0 picks a free one.")
    workers: int = Field(1, ge=1, le=64, description="Server processes on this host; each is a node of its own.")
    data_dir: Path = Field(Path("data"), description="Folder of the embedded store and of the secret made for it.")
    packs_dir: Path | None = Field(
        None, description="Folder of your own packs (*.toml), read at start and offered beside those that ship."
    )
    redis_url: Annotated[SecretStr, AfterValidator(_redis_url)] | None = Field(
        None, description="Redis or Valkey: redis, rediss, unix, sentinel or cluster. Not set: one of its own."
    )
    durability: Literal["everysec", "always", "replicated"] = Field(
        "everysec", description="What an ok survives: kill -9; always: power loss too; replicated: a failover."
    )
    secret: Annotated[SecretStr, AfterValidator(_secret)] | None = Field(
        None, description="Key that signs tokens, 32 bytes or more. Not set: made and kept in the data folder."
    )
    origins: Origins = Field(
        (),
        description="Web origins that may connect, by commas. Not set: the same host, and clients that are no page.",
    )
    trusted_proxies: Networks = Field(
        (), description="Addresses or networks, by commas, whose X-Forwarded-For is believed."
    )
    guests: bool = Field(True, description="Whether POST /v1/guests hands out tokens.")
    guests_per_minute: int = Field(10, ge=1, description="New guests a minute from one address, of all nodes.")
    rated_guests: bool = Field(False, description="Whether guests have ratings and stand in leaderboards.")
    token_h: int = Field(168, ge=1, le=8_760, description="Hours for which a guest's token is good.")
    jwt_algorithm: Literal["HS256", "RS256", "PS256", "ES256", "EdDSA"] = Field(
        "HS256", description="The one algorithm of accounts' tokens. HS256: signed with the secret; else see JWKS_URL."
    )
    jwks_url: Annotated[str, AfterValidator(_jwks_url)] | None = Field(
        None, description="Where the identity provider publishes its keys; needed unless the algorithm is HS256."
    )
    jwt_issuer: Word | None = Field(None, description="The `iss` that a token must have; needed with JWKS_URL.")
    jwt_audience: Word | None = Field(None, description="The `aud` that a token must have; needed with JWKS_URL.")
    page: bool = Field(True, description="Whether GET / is a page for people: rooms to watch, figures for operators.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least level that is logged.")
    log_format: Literal["auto", "json", "console"] = Field(
        "auto", description="One JSON object a line, or coloured text. auto: text on a terminal, else JSON."
    )
    hello_s: int = Field(10, ge=1, le=300, description="Seconds within which a socket says hello.")
    outbox_kib: int = Field(
        256, ge=64, le=16_384, description="KiB that may wait for one slow socket; then it is closed."
    )
    drain_s: int = Field(20, ge=1, le=600, description="Seconds that a stopping server gives to what it has begun.")
    max_sockets: int = Field(10_000, ge=1, description="Sockets of one node; further ones are sent to another.")
    rooms_per_socket: int = Field(16, ge=1, le=1_024, description="Rooms that one socket may follow at once.")
    room_spectators: int = Field(5_000, ge=0, description="Spectators of one room; a room may ask for fewer.")
    commands_per_second: int = Field(20, ge=1, description="Commands a second that one socket may keep up.")
    commands_burst: int = Field(60, ge=1, description="Commands that one socket may send at once.")
    account_rate: int = Field(4, ge=1, description="Times those of one socket that an account may send to a node.")
    sockets_per_account: int = Field(64, ge=1, description="Sockets of one account at a node.")
    sockets_per_address: int = Field(500, ge=1, description="Sockets from one address at a node.")
    requests_per_second: int = Field(50, ge=1, description="HTTP requests a second from one address to a node.")
    requests_burst: int = Field(200, ge=1, description="HTTP requests that one address may send at once.")
    creates_per_minute: int = Field(60, ge=1, description="Rooms that one account may open a minute, of all nodes.")
    joins_per_minute: int = Field(240, ge=1, description="Joins a minute of one account, of all nodes.")
    watches_per_minute: int = Field(
        1_200, ge=1, description="Joins a minute of all without an account at one address, of all nodes."
    )
    replays_per_minute: int = Field(
        60, ge=1, description="Replays a minute for one account or, without one, one address, of all nodes."
    )
    exempt_addresses: Exempt = Field(
        (ip_network("127.0.0.0/8"), ip_network("::1/128")),
        description="Addresses or networks, by commas, or none: no limit per address but guests' counts them.",
    )

    @model_validator(mode="after")
    def _fit_together(self) -> Settings:
        if self.redis_url is not None and self.secret is None:
            raise ValueError(f"{PREFIX}SECRET is needed with {PREFIX}REDIS_URL, the same for all nodes")
        if self.durability == "replicated" and self.redis_url is None:
            raise ValueError(
                f"{PREFIX}DURABILITY=replicated needs {PREFIX}REDIS_URL: a store of its own has no replica"
            )
        if (self.jwt_algorithm == "HS256") is not (self.jwks_url is None):
            raise ValueError(f"{PREFIX}JWKS_URL goes with every {PREFIX}JWT_ALGORITHM but HS256")
        if self.jwks_url is not None and not (self.jwt_issuer and self.jwt_audience):
            raise ValueError(f"{PREFIX}JWT_ISSUER and {PREFIX}JWT_AUDIENCE are needed with {PREFIX}JWKS_URL")
        return self


def read_settings(**given: Any) -> Settings:
    """Read the environment; what is ``given`` (None: not) wins over it. Raises BadSettings with every fault."""
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        raise BadSettings(map(_told, error.errors(include_input=False, include_url=False))) from None


def _told(fault: Any) -> str:
    text = fault["msg"].removeprefix("Value error, ")
    return f"{variable(str(fault['loc'][0]))}: {text}" if fault["loc"] else text


def variable(field: str) -> str:
    """Name the environment variable of a field."""
    return f"{PREFIX}{field.upper()}"


def unknown_variables(environment: Mapping[str, str]) -> list[tuple[str, str | None]]:
    """List the SANCTUM_* variables that mean nothing, each with the nearest name that does, or None."""
    known = [field.upper() for field in Settings.model_fields]
    given = {name: name.upper().removeprefix(PREFIX) for name in environment if name.upper().startswith(PREFIX)}
    return [
        (name, next((PREFIX + near for near in difflib.get_close_matches(word, known, 1)), None))
        for name, word in sorted(given.items())
        if word not in known
    ]
