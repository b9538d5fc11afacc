"""The two ways in which a player of a soak speaks: frames kept as they came, and commands sent again elsewhere.

Knows messages and nodes, no game.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from collections.abc import Callable
from random import Random
from typing import Any

from websockets.exceptions import WebSocketException

from protocol.client.room import Message
from tests.e2e.rig import Node, Raw

AGAIN_S = 0.1
LOST_LINE = (OSError, TimeoutError, WebSocketException)


class Stream:
    """All frames that one client got of its room, for which the reference client takes it as its recorder.

    ``breaks``: what was not contiguous. History that was lost takes back the frames that it makes untrue.
    """

    def __init__(self) -> None:
        self.breaks: list[str] = []
        self._frames: list[tuple[int, str, bytes]] = []

    def keep(self, frame: Message, raw: bytes | str) -> None:
        """Take one frame as it came."""
        assert isinstance(raw, bytes)
        v, why = frame["v"], frame.get("why")
        if why == "lost":
            self._frames = [kept for kept in self._frames if kept[0] < v]
        last = self._frames[-1][0] if self._frames else None
        if last is not None and (v != last + 1 if why is None else v < last):
            self.breaks.append(f"room {frame['room']}: {v} after {last}")
        self._frames.append((v, frame["tip"], raw))

    def joined(self, room_id: str, audience: int | str) -> None:
        """Hear whose frames these are: it is known already."""

    def recording(self, room: str, audience: int | str) -> list[str]:
        """Give the frames that count, as `sanctum replay verify --seen` reads them."""
        head = {"room": room, "audience": audience, "encoding": "msgpack"}
        return [
            json.dumps({**head, "v": v, "tip": tip, "frame": base64.b64encode(raw).decode()})
            for v, tip, raw in self._frames
        ]


class Line:
    """A bare line of an account to some node; when it breaks, the next one goes to any node that lives."""

    def __init__(self, nodes: Callable[[], list[Node]], token: str, chance: Random) -> None:
        self._nodes, self._token, self._chance = nodes, token, chance
        self._raw: Raw | None = None
        self.room: str | None = None

    async def tell(self, command: Message) -> Message:
        """Send a command, again and elsewhere if need be, until it is answered for good; give that answer."""
        while True:
            try:
                raw = self._raw = self._raw or await self._open()
                answer = await raw.ask(command)
            except LOST_LINE:
                await self.close()
            else:
                if not answer.get("retryable"):
                    return answer
            await asyncio.sleep(AGAIN_S)

    async def _open(self) -> Raw:
        nodes = self._nodes()
        if not nodes:
            raise ConnectionError("no node lives")
        raw = await Raw.open(self._chance.choice(nodes), self._token)
        if self.room is not None:
            joined: dict[str, Any] = await raw.ask({"t": "join", "room": self.room})
            if joined["t"] != "ok":
                await raw.close()
                raise ConnectionError(str(joined))
        return raw

    async def close(self) -> None:
        """Give the line up."""
        raw, self._raw = self._raw, None
        if raw is not None:
            with contextlib.suppress(*LOST_LINE):
                await raw.close()
