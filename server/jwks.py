"""The published keys of an identity provider, fetched seldom and kept.

Owns when keys are fetched: again after ten minutes, and for a key id never seen, but at most once in 30 seconds,
so that made-up key ids cost the provider nothing. Knows nothing of what a token says.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

import httpx
import jwt

from protocol.errors import Refused

FRESH_S = 600
PAUSE_S = 30
FETCH_S = 5
MAX_BYTES = 256 * 1024


class UnknownKey(LookupError):
    """The provider publishes no key of that id."""


class KeyRing:
    """The keys of one address for one algorithm, by id. ``clock``: seconds from anywhere."""

    def __init__(
        self, url: str, algorithm: str, *,
        transport: httpx.AsyncBaseTransport | None = None, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._url = url
        self._algorithm = algorithm
        self._transport = transport
        self._clock = clock
        self._keys: dict[str, jwt.PyJWK] = {}
        self._fetched = self._tried = float("-inf")
        self._fetching = asyncio.Lock()

    async def find(self, header: Mapping[str, Any]) -> jwt.PyJWK:
        """Give the key that a token's header names. Raises UnknownKey, or Refused while no key is known at all.

        Known keys stay good while the provider cannot be reached.
        """
        name = str(header.get("kid", ""))
        if name not in self._keys or self._clock() - self._fetched > FRESH_S:
            await self._renew(name)
        try:
            return self._keys[name]
        except KeyError:
            raise UnknownKey("no such key") from None

    async def _renew(self, name: str) -> None:
        async with self._fetching:
            fresh = name in self._keys and self._clock() - self._fetched <= FRESH_S
            if fresh or self._clock() - self._tried < PAUSE_S:
                return
            self._tried = self._clock()
            try:
                self._keys = await self._fetch()
                self._fetched = self._tried
            except (httpx.HTTPError, ValueError, jwt.PyJWTError) as error:
                if not self._keys:
                    raise Refused(
                        "unavailable", "the identity provider's keys cannot be fetched", retry_after_ms=PAUSE_S * 1_000
                    ) from error

    async def _fetch(self) -> dict[str, jwt.PyJWK]:
        async with (
            httpx.AsyncClient(timeout=FETCH_S, transport=self._transport) as client,
            client.stream("GET", self._url) as answer,
        ):
            answer.raise_for_status()
            body = b""
            async for chunk in answer.aiter_bytes():
                body += chunk
                if len(body) > MAX_BYTES:
                    raise ValueError("far too many keys")
        return _read(json.loads(body), self._algorithm)


def _read(published: Any, algorithm: str) -> dict[str, jwt.PyJWK]:
    """Read the keys that are for signing with this algorithm; others, secret ones above all, are left out."""
    listed = published.get("keys") if isinstance(published, dict) else None
    keys: dict[str, jwt.PyJWK] = {}
    for key in listed if isinstance(listed, list) else ():
        if not isinstance(key, dict) or key.get("use", "sig") != "sig" or key.get("alg", algorithm) != algorithm:
            continue
        with contextlib.suppress(jwt.PyJWTError):
            keys[str(key.get("kid", ""))] = jwt.PyJWK(key, algorithm)
    return keys
