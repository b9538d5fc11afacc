"""What tests of the server share: a real Valkey."""

from __future__ import annotations

from tests.valkey import own_valkey, single_server, valkey, valkey_server

__all__ = ["own_valkey", "single_server", "valkey", "valkey_server"]
