"""The form of an answer: what was looked at, how it is, and what to do. Knows no check."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Level = Literal["ok", "warn", "fail"]


class Finding(Struct, frozen=True):
    """One line of the doctor's. ``advice``: what to do, '' where nothing has to be done."""

    check: str
    level: Level
    text: str
    advice: str = ""


def ok(check: str, text: str) -> Finding:
    """It is as it should be."""
    return Finding(check, "ok", text)


def warn(check: str, text: str, advice: str) -> Finding:
    """It works, yet not as well, as safely or as long as it could."""
    return Finding(check, "warn", text, advice)


def fail(check: str, text: str, advice: str) -> Finding:
    """A server would not start, or not serve, like this."""
    return Finding(check, "fail", text, advice)
