"""What is right and what is not: judges what clients are sent, while it comes. Sans-I/O.

Owns the classes of faults. What only the whole match can tell (judge.py) is left for the end; for that, every frame
is kept once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

import msgpack
from msgspec import Struct

Kind = Literal["gap", "duplicate", "divergence", "unanswered", "leak", "error"]
KINDS: tuple[Kind, ...] = ("gap", "duplicate", "divergence", "unanswered", "leak", "error")
Audience = int | Literal["public"]
Message = dict[str, Any]
KEPT = 256
LASTING = ("create", "ready", "choose", "resign")
"""Commands whose first outcome every resend gets again, word for word."""
TOLD = 20


class Findings:
    """What was found wrong: all are counted by kind, and the first few told in words."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.texts: list[tuple[Kind, str]] = []

    def add(self, kind: Kind, text: str) -> None:
        self.counts[kind] += 1
        if self.counts[kind] <= TOLD:
            self.texts.append((kind, text))

    def merge(self, counts: dict[str, int], texts: list[tuple[Kind, str]]) -> None:
        """Take over what another process found."""
        self.counts.update(counts)
        self.texts += texts


class Seen(Struct, frozen=True):
    """What identifies a frame. ``why``: set for a snapshot. ``at``: its service time, milliseconds."""

    v: int
    tip: str
    why: str | None
    at: int = 0


class Ledger:
    """All frames of one room for one audience, whoever of this process got them: equal audiences see the same.

    ``first_bytes``: the size of a frame in the middle of the match, for comparison with a bare broadcast.
    """

    def __init__(self, room: str, audience: Audience, findings: Findings) -> None:
        self.room, self.audience = room, audience
        self.kept: list[tuple[int, str, bytes]] = []
        self._findings = findings
        self._known: dict[bytes, Seen] = {}
        self._frames: dict[int, tuple[str, bytes]] = {}
        self._view: Message = {}
        self._v = -1
        self._tip = ""

    def seen(self, raw: bytes) -> Seen | None:
        """Recognise a frame by its bytes, without decoding it."""
        return self._known.get(raw)

    def add(self, raw: bytes, frame: Message) -> Seen:
        """Enter a frame; bytes that are new are judged, and kept for the end."""
        if (known := self._known.get(raw)) is not None:
            return known
        seen = self._known[raw] = Seen(frame["v"], frame["tip"], frame.get("why"), frame["at"])
        if len(self._known) > KEPT:
            del self._known[next(iter(self._known))]
        self.kept.append((seen.v, seen.tip, raw))
        self._judge(seen, raw, frame)
        return seen

    def _judge(self, seen: Seen, raw: bytes, frame: Message) -> None:
        where = f"room {self.room}, {name(self.audience)}, version {seen.v}"
        if frame["room"] != self.room:
            self._findings.add("leak", f"{where}: a frame of another room")
        if self.audience == "public" and "prompt" in frame:
            self._findings.add("leak", f"{where}: a spectator is shown a seat's prompt")
        if seen.why is None:
            self._compare_frames(where, seen, raw)
        self._fold(where, seen, frame)

    def _compare_frames(self, where: str, seen: Seen, raw: bytes) -> None:
        former = self._frames.setdefault(seen.v, (seen.tip, raw))
        if len(self._frames) > KEPT:
            del self._frames[next(iter(self._frames))]
        if former[0] == seen.tip and former[1] != raw:
            self._findings.add("divergence", f"{where}: two clients of this audience got different frames")

    def _fold(self, where: str, seen: Seen, frame: Message) -> None:
        """Hold a snapshot against the view that frames have led to."""
        if seen.why is None:
            if seen.v != self._v + 1:
                return
            self._view.update(frame["zones"])
        else:
            same = (seen.v, seen.tip) == (self._v, self._tip)
            if same and frame["zones"] != self._view:
                self._findings.add("divergence", f"{where}: the snapshot is not what the frames before it come to")
            if seen.v < self._v and seen.why != "lost":
                return
            self._view = dict(frame["zones"])
        self._v, self._tip = seen.v, seen.tip


class Tracker:
    """Where one client stands in one room: every next frame must be the next version, or a snapshot that says why.

    ``restarts``: versions from which the server was asked to go on, by joins that have no answer yet.
    """

    __slots__ = ("audience", "findings", "healing", "restarts", "room", "tip", "v")

    def __init__(self, room: str, audience: Audience, findings: Findings) -> None:
        self.room, self.audience, self.findings = room, audience, findings
        self.v: int | None = None
        self.tip = ""
        self.restarts: list[int] = []
        self.healing = False

    def take(self, seen: Seen) -> bool:
        """Judge the next frame of this line; gives False if something is missing and has to be asked for."""
        whole = seen.why is not None or (self.v is not None and seen.v == self.v + 1)
        if not whole and seen.v - 1 in self.restarts:
            self.restarts.remove(seen.v - 1)
            whole = True
        if not whole:
            return self._fault(seen)
        self.v, self.tip, self.healing = seen.v, seen.tip, False
        return True

    def stands_at(self, v: int) -> bool:
        """The room is said to stand at a version: it must have been told. Gives False if something is missing."""
        if self.v == v or self.healing:
            return True
        where = f"room {self.room}, {name(self.audience)}"
        self.findings.add("gap", f"{where}: the room stands at version {v}, the last frame was {self.v}")
        self.healing = True
        return False

    def ended(self, v: int) -> None:
        """The match is said to be over since version ``v``: all frames up to it must be here."""
        if self.v != v and not self.healing:
            where = f"room {self.room}, {name(self.audience)}"
            self.findings.add("gap", f"{where}: the match ended in version {v}, the last frame was {self.v}")

    def _fault(self, seen: Seen) -> bool:
        where = f"room {self.room}, {name(self.audience)}"
        if self.healing:
            return True  # told already; what was asked for is on its way
        if self.v is None or seen.v > self.v:
            self.findings.add("gap", f"{where}: after version {self.v} came {seen.v}")
            self.healing = True
            return False
        self.findings.add("duplicate", f"{where}: version {seen.v} came again after {self.v}")
        return True


class Answers:
    """Each command gets exactly one answer for each time it was sent, in bounded time, and always the same."""

    __slots__ = ("_done", "_findings", "_open", "_sent", "_who")

    def __init__(self, who: str, findings: Findings) -> None:
        self._who, self._findings = who, findings
        self._open: dict[str, tuple[str, float]] = {}
        self._sent: dict[str, int] = {}
        self._done: dict[str, tuple[str, Message]] = {}

    def sent(self, command: Message, now: float) -> None:
        """A command goes out, for the first time or again."""
        key = command["id"]
        if key not in self._done:
            self._open.setdefault(key, (command["t"], now))
        self._sent[key] = self._sent.get(key, 0) + 1
        if len(self._sent) > KEPT:
            oldest = next(iter(self._sent))
            del self._sent[oldest]
            self._done.pop(oldest, None)

    def came(self, answer: Message) -> None:
        """An answer is here."""
        key = answer["id"]
        left = self._sent.get(key, 0)
        if left == 0:
            self._findings.add("duplicate", f"{self._who}: {key} was answered once too often: {_short(answer)}")
            return
        self._sent[key] = left - 1
        kind = self._open.pop(key, ("", 0.0))[0]
        if answer.get("retryable"):
            return  # the same command may fare better later
        kind, former = self._done.setdefault(key, (kind, answer))
        if former != answer and kind in LASTING:
            self._findings.add(
                "divergence", f"{self._who}: {kind} {key} has two outcomes: {_short(former)}, {_short(answer)}"
            )

    def cut(self) -> None:
        """The line is gone, and answers on their way with it. What still matters is sent again over the next."""
        self._sent = dict.fromkeys(self._sent, 0)
        self._open.clear()

    @property
    def waiting(self) -> bool:
        """Whether some command has no answer yet."""
        return bool(self._open)

    def overdue(self, before: float) -> None:
        """Tell what was sent before a moment and has no answer. Each is told once."""
        late = [key for key, (_, sent) in self._open.items() if sent < before]
        for key in late:
            self._findings.add("unanswered", f"{self._who}: no answer to {self._open.pop(key)[0]} {key}")


class Oracle:
    """All ledgers of one process. ``keep``: takes a finished ledger's frames."""

    def __init__(self, findings: Findings, keep: Callable[[Ledger], None]) -> None:
        self.findings = findings
        self._keep = keep
        self._ledgers: dict[tuple[str, Audience], Ledger] = {}

    def ledger(self, room: str, audience: Audience) -> Ledger:
        key = (room, audience)
        if key not in self._ledgers:
            self._ledgers[key] = Ledger(room, audience, self.findings)
        return self._ledgers[key]

    def finish(self, room: str) -> None:
        """The room is over for all clients of this process."""
        for key in [key for key in self._ledgers if key[0] == room]:
            self._keep(self._ledgers.pop(key))

    def finish_all(self) -> None:
        for room in {room for room, _ in self._ledgers}:
            self.finish(room)


def name(audience: Audience) -> str:
    """Say who an audience is."""
    return "public" if audience == "public" else f"seat {audience}"


def _short(message: Message) -> str:
    return str({key: value for key, value in message.items() if key not in ("id", "zones")})[:160]


def unpack(raw: bytes) -> Message:
    """Decode one message of the server."""
    message: Message = msgpack.unpackb(raw)
    return message
