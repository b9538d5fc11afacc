"""Accounts: tokens of guests, and of whoever else the operator's keys speak for.

Owns which key and which algorithm a token is checked with: both follow from the settings, never from the token.
No token, key or claim of a refused token is ever in a message or a log.
"""

from __future__ import annotations

import math
import os
import secrets
import time
import unicodedata
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path
from typing import Any

import jwt
from msgspec import Struct

from protocol.errors import Refused
from server.jwks import KeyRing, UnknownKey
from server.settings import SECRET_BYTES, Settings

GUEST = "guest-"
GUEST_ISSUER = "sanctum"
LEEWAY_S = 30
TOKEN_CHARS = 4_096
NAME_CHARS = 40
SUBJECT_CHARS = 128

_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (UnknownKey, "unknown_key"),
    (jwt.ExpiredSignatureError, "expired"),
    (jwt.ImmatureSignatureError, "not_yet_valid"),
    (jwt.InvalidIssuedAtError, "not_yet_valid"),
    (jwt.InvalidIssuerError, "wrong_issuer"),
    (jwt.InvalidAudienceError, "wrong_audience"),
    (jwt.MissingRequiredClaimError, "missing_claim"),
    (jwt.InvalidAlgorithmError, "wrong_algorithm"),
    (jwt.InvalidKeyError, "wrong_algorithm"),
    (jwt.InvalidSignatureError, "bad_signature"),
)
"""What was wrong, from the error; the first that fits. Anything else is ``malformed``."""


class Account(Struct, frozen=True):
    """An authenticated identity. ``id``: the token's ``sub``; ``expires_at``: milliseconds since 1970."""

    id: str
    name: str
    scopes: frozenset[str]
    expires_at: int
    guest: bool


class Trust(Struct, frozen=True):
    """What a token must be to be believed. ``key``: the shared secret, or the provider's published keys."""

    algorithm: str
    key: bytes | KeyRing
    issuer: str | None
    audience: str | None

    async def claims(self, token: str) -> dict[str, Any]:
        """Check a token and give its claims. Raises ValueError, RecursionError or jwt.PyJWTError."""
        key = self.key if isinstance(self.key, bytes) else await self.key.find(jwt.get_unverified_header(token))
        return jwt.decode(
            token, key, algorithms=[self.algorithm], issuer=self.issuer, audience=self.audience, leeway=LEEWAY_S,
            options={"require": ["exp", "sub"], "verify_aud": self.audience is not None},
        )  # fmt: skip


class Tokens:
    """Issues own tokens and checks all tokens. ``secret``: see ``signing_secret``; ``keys``: the provider's.

    ``admit(account)`` is awaited for whoever has a good token, and raises Refused to keep them out all the same.
    """

    def __init__(self, settings: Settings, secret: bytes, keys: KeyRing | None = None) -> None:
        if keys is None and settings.jwks_url is not None:
            keys = KeyRing(settings.jwks_url, settings.jwt_algorithm)
        self._life_s = settings.token_h * 3_600
        self._own = Trust(
            "HS256", secret,
            GUEST_ISSUER if keys else settings.jwt_issuer, None if keys else settings.jwt_audience,
        )  # fmt: skip
        self.admit: Callable[[Account], Awaitable[None]] = _let_in
        self._provider = (
            Trust(settings.jwt_algorithm, keys, settings.jwt_issuer, settings.jwt_audience) if keys else None
        )

    def issue_guest(self, name: str) -> tuple[str, Account]:
        """Make a new account that lasts as long as its token. Raises Refused for a name that nobody could read."""
        now_s = int(time.time())
        account = Account(
            GUEST + secrets.token_hex(12), readable_name(name), frozenset(), (now_s + self._life_s) * 1_000, True
        )
        return self._sign(sub=account.id, name=account.name, iat=now_s, exp=now_s + self._life_s, guest=True), account

    def issue(self, subject: str, name: str, scopes: Collection[str], life_s: int) -> str:
        """Sign a token for an account that is nobody's but the operator's to name. Raises ValueError for a bad name."""
        if not 0 < len(subject) <= SUBJECT_CHARS or not subject.isprintable() or subject.startswith(GUEST):
            raise ValueError(f"an account has 1 to {SUBJECT_CHARS} characters that can be seen, not first {GUEST!r}")
        now_s = int(time.time())
        return self._sign(sub=subject, name=name, iat=now_s, exp=now_s + life_s, scope=" ".join(scopes))

    def _sign(self, **claims: Any) -> str:
        named = {"iss": self._own.issuer, "aud": self._own.audience}
        claims |= {claim: value for claim, value in named.items() if value is not None}
        assert isinstance(self._own.key, bytes)  # of the own key only
        return jwt.encode(claims, self._own.key, self._own.algorithm)

    async def verify(self, token: str) -> Account:
        """Say whose token this is. Raises Refused: ``unauthorized`` with ``reason``, ``unavailable``, as ``admit``."""
        account = await self._believe(token)
        await self.admit(account)
        return account

    async def _believe(self, token: str) -> Account:
        """Check a token. Only the keys of an identity provider are waited for; tokens of the own secret are not."""
        if len(token) > TOKEN_CHARS:
            raise _unauthorized("malformed")
        try:
            return _account(await self._own.claims(token), own=True)
        except _UNBELIEVED as error:
            if self._provider is None or not isinstance(error, _NOT_OURS):
                raise _unauthorized(_reason(error)) from None
        try:
            return _account(await self._provider.claims(token), own=False)
        except _UNBELIEVED as error:
            raise _unauthorized(_reason(error)) from None


async def _let_in(account: Account) -> None:
    del account


_UNBELIEVED = (jwt.PyJWTError, UnknownKey, ValueError, RecursionError)
_NOT_OURS = (jwt.InvalidAlgorithmError, jwt.InvalidSignatureError)


def readable_name(name: str) -> str:
    """Give a name as others will see it: one line, nothing invisible, at most 40 characters.

    Raises Refused if nothing is left.
    """
    text = unicodedata.normalize("NFC", name)
    shown = "".join(" " if unicodedata.category(c).startswith("Z") else c for c in text if _is_visible(c))
    shown = " ".join(shown.split())[:NAME_CHARS].strip()
    if not shown:
        raise Refused("bad_message", "a name has at least one letter that can be seen", where="name")
    return shown


def expired_in_s(account: Account | None) -> float:
    """Say for how many seconds an account's token is still good; without an account for ever."""
    return math.inf if account is None else account.expires_at / 1000 + LEEWAY_S - time.time()


def signing_secret(settings: Settings) -> bytes:
    """Give the key of own tokens: the setting, else the one kept in the data folder, made at the first start.

    Nodes that start at once agree on one. Raises OSError if the folder cannot be written.
    """
    if settings.secret is not None:
        return settings.secret.get_secret_value().encode()
    path = settings.data_dir / "secret"
    if not path.exists():
        _make_secret(path)
    kept = path.read_bytes().strip()
    if len(kept) < SECRET_BYTES:
        raise OSError(f"{path} is no secret of {SECRET_BYTES} bytes; remove it, and one is made (tokens end with it)")
    return kept


def _make_secret(path: Path) -> None:
    """Write a whole file aside, readable by its owner only, then link it into place unless another was faster."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"secret.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_hex(SECRET_BYTES).encode())
            file.flush()
            os.fsync(file.fileno())
        os.link(aside, path)
    except FileExistsError:
        return
    finally:
        aside.unlink()


def _account(claims: dict[str, Any], *, own: bool) -> Account:
    """Read checked claims. A provider cannot speak for guests, whatever it signs."""
    subject, guest = claims["sub"], own and claims.get("guest") is True
    if not 0 < len(subject) <= SUBJECT_CHARS or not subject.isprintable() or subject.startswith(GUEST) is not guest:
        raise ValueError("sub")
    name, scope = claims.get("name"), claims.get("scope")
    return Account(
        subject,
        _name_or(name if isinstance(name, str) else "", subject),
        frozenset(scope.split()) if isinstance(scope, str) and not guest else frozenset(),
        int(claims["exp"]) * 1_000,
        guest,
    )


def _name_or(name: str, subject: str) -> str:
    try:
        return readable_name(name)
    except Refused:
        return subject[:NAME_CHARS]


def _is_visible(character: str) -> bool:
    return not unicodedata.category(character).startswith("C")


def _reason(error: Exception) -> str:
    return next((reason for kind, reason in _REASONS if isinstance(error, kind)), "malformed")


def _unauthorized(reason: str) -> Refused:
    return Refused("unauthorized", f"the token cannot be used: {reason.replace('_', ' ')}", reason=reason)
