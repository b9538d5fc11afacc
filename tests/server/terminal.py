"""Commands run in this process: what they wrote, and how they ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from server.cli import main


class Ran(Struct, frozen=True):
    """How a command ended. ``out`` and ``err`` are what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def complained(self, code: int, text: str) -> None:
        """Check that the end was an error of one line, with nothing beside it on stdout."""
        assert (self.code, self.out) == (code, "")
        assert self.err.startswith("sanctum: ")
        assert self.err.count("\n") == 1
        assert text in self.err


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def go(*arguments: str | Path) -> Ran:
        code = main([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return go
