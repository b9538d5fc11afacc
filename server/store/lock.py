"""A file lock that lives as long as the processes that hold its descriptor. Knows nothing of what it guards."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def take(path: Path) -> int | None:
    """Lock a file and give its descriptor, which is not inherited; None if somebody holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def sign(descriptor: int, text: str) -> None:
    """Write who holds the lock into its file."""
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, text.encode(), 0)
