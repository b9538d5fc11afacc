"""How a command ends: exit codes, one-line errors, and results on stdout.

Owns the meaning of exit codes. Knows no command.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final, NoReturn

import msgspec
from rich.console import Console

DONE: Final = 0
FAILED: Final = 1
USAGE: Final = 2
UNCHECKED: Final = 3
UNAVAILABLE: Final = 4
INTERRUPTED: Final = 130

PIPE_WIDTH = 100

MEANINGS: Final = {
    DONE: "done; what was checked is in order",
    FAILED: "what was checked is not in order",
    USAGE: "the command line, a setting or a file cannot be used as given",
    UNCHECKED: "cannot be checked here: the rules or the pack are missing",
    UNAVAILABLE: "the service or its store cannot be reached or started",
    INTERRUPTED: "interrupted",
}


class Stop(Exception):
    """A command cannot go on. ``text``: one line that says what is wrong and what to do; ``code``: see MEANINGS."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = " ".join(text.split())


def stop(code: int, text: str) -> NoReturn:
    """End the command with an error."""
    raise Stop(code, text)


def stdout() -> Console:
    """Give the console for results. Texts of cards and rules are no markup, and are not coloured by guess."""
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(highlight=False, markup=False, width=width, soft_wrap=width is not None)


def stderr() -> Console:
    """Give the console for progress and errors."""
    return Console(stderr=True, highlight=False, markup=False)


def write_json(value: Any) -> None:
    """Write a result as JSON, alone on stdout. ``value``: structs and plain data; bytes become hex."""
    sys.stdout.write(json.dumps(_plain(value), indent=2, ensure_ascii=False) + "\n")


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if isinstance(value, msgspec.Struct):
        return _plain(msgspec.structs.asdict(value))
    return value
