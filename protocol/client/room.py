"""A room as one client sees it: frames folded into a view, and what stands beside it.

Knows neither sockets nor commands. Messages are plain maps, as they come off the wire.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Message = dict[str, Any]
SAID = 100  # joining tells the last 50 of the seats, and to spectators 50 of their own
Folded = Literal["new", "double", "gap"]
"""What a frame was: the next one (or a snapshot), one that was here before, or one from beyond a hole."""


class Room:
    """One followed room. ``zones`` is the view; ``v`` and ``tip`` say where it stands (None: nothing seen yet).

    ``next``: the room in which this one is played again.
    ``audience``: a seat, ``"public"``, or None as long as the answer to ``join`` is not here.
    """

    __slots__ = (
        "answered", "at", "audience", "away", "clocks", "ended", "here", "id", "next", "prompt", "said", "spectators",
        "tip", "v", "waiting_for", "zones",
    )  # fmt: skip

    def __init__(self, room_id: str) -> None:
        self.id = room_id
        self.v: int | None = None
        self.tip = ""
        self.at = 0
        self.zones: dict[str, Any] = {}
        self.prompt: Message | None = None
        self.answered = 0
        self.waiting_for: list[Message] = []
        self.clocks: list[Message] = []
        self.here: list[int] = []
        self.away: list[int] = []
        self.spectators = 0
        self.said: dict[str, Message] = {}
        self.audience: int | Literal["public"] | None = None
        self.ended: Message | None = None
        self.next: str | None = None

    @property
    def seat(self) -> int | None:
        """This client's seat, None for a spectator."""
        return self.audience if isinstance(self.audience, int) else None

    @property
    def question(self) -> Message | None:
        """The prompt that waits for this client: an early answer to a held one is given, though it still stands."""
        return self.prompt if self.prompt is not None and self.prompt["id"] > self.answered else None

    @property
    def since(self) -> Message | None:
        """Where to go on from, for ``join``."""
        return None if self.v is None else {"v": self.v, "tip": self.tip}

    def fold(self, frame: Message) -> Folded:
        """Fold one frame into the view, unless it is a double or leaves a hole."""
        v = frame["v"]
        if "why" in frame:
            self.zones = {}
            self.answered = 0 if frame["why"] == "lost" else self.answered  # the answer may be lost with its version
        elif self.v is None or v > self.v + 1:
            return "gap"
        elif v <= self.v:
            return "gap" if v == self.v and frame["tip"] != self.tip else "double"
        self.zones.update(frame["zones"])
        self.v, self.tip, self.at = v, frame["tip"], frame["at"]
        self.prompt = frame.get("prompt")
        self.waiting_for = frame.get("waiting_for", [])
        self.clocks = frame.get("clocks", [])
        return "new"

    def hears(self, said: Message) -> bool:
        """Keep what was said, the latest by id. Gives False for what was heard before: joining tells it again."""
        if said["id"] in self.said:
            return False
        self.said[said["id"]] = said
        if len(self.said) > SAID:
            del self.said[next(iter(self.said))]
        return True

    def stands_at(self, tip: Message) -> bool:
        """Say whether a ``tip`` push tells what is known here already."""
        return bool(self.v == tip["v"] and self.tip == tip["tip"])


class Update(Struct):
    """Something new in a room. ``message``: what came (for ``lost``: the error that says why).

    ``room`` is the room as it stands, which may be further on than the message.
    ``now``: the room as it stands when one starts to listen; ``lost``: the room is not followed any more.
    """

    kind: Literal["now", "frame", "presence", "said", "ended", "rematched", "lost"]
    room: Room
    message: Message

    @property
    def events(self) -> list[Message]:
        """What happened, as told to this audience."""
        found: list[Message] = self.message.get("events", [])
        return found
