"""What tests of commands share."""

from __future__ import annotations

from tests.server.terminal import run

__all__ = ["run"]
