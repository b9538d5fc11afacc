"""A store on the session's Valkey."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from server.store.redis import Store
from tests.server.store.scene import opened


@pytest.fixture
async def store(valkey: str) -> AsyncIterator[Store]:
    """One node's store."""
    async with opened(valkey) as store:
        yield store


@pytest.fixture
async def other(store: Store, valkey: str) -> AsyncIterator[Store]:
    """Another node's store of the same server."""
    async with opened(valkey) as other:
        yield other
