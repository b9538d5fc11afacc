"""Random bytes that name a version or a write: taken from the system by the block, as each call to it is dear.

Not for keys: what is kept here for later could be read out of this process.
"""

from __future__ import annotations

import os
from base64 import urlsafe_b64encode

TIP_BYTES, REV_BYTES = 9, 8
_BLOCK = 4096


class Fresh:
    """A stock of random bytes. Made where it is used: two processes must not share one."""

    def __init__(self) -> None:
        self._stock, self._at = b"", 0

    def tip(self) -> str:
        """Name a version: twelve letters, digits, ``-`` and ``_``."""
        return urlsafe_b64encode(self._take(TIP_BYTES)).decode()

    def rev(self) -> bytes:
        """Name a write."""
        return self._take(REV_BYTES)

    def _take(self, size: int) -> bytes:
        if self._at + size > len(self._stock):
            self._stock, self._at = os.urandom(_BLOCK), 0
        taken = self._stock[self._at : self._at + size]
        self._at += size
        return taken
