"""Lines typed at a terminal, as an asyncio queue. Knows nothing of what they mean."""

from __future__ import annotations

import asyncio
import os
import threading


class Typed:
    """Reads standard input in a thread of its own, so that a clock can run out while somebody thinks."""

    def __init__(self, source: int = 0) -> None:
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._source = source
        self._loop = asyncio.get_running_loop()
        # The file descriptor is read directly: a thread that waits in sys.stdin would block the end of the program.
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        rest = b""
        while raw := self._chunk():
            *whole, rest = (rest + raw).split(b"\n")
            for line in whole:
                self._put(line.decode(errors="replace"))
        if rest:
            self._put(rest.decode(errors="replace"))
        self._put(None)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._source, 4096)
        except OSError:
            return b""

    def _put(self, line: str | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.lines.put_nowait, line)
