"""What the public may see by now of a room with a delay: a view folded from what is kept for the delayed.

Owns when the end of such a room is public. Knows no sockets; rules and records are not needed for it.
"""

from __future__ import annotations

from collections import OrderedDict

import msgspec
from msgspec import Raw, Struct

from engines.record import encode
from protocol.http import RoomInfo
from protocol.messages import Why
from server.frames import decode_entry
from server.listing import room_info
from server.state import OVER, RoomState
from server.store.redis import Store
from server.store.rooms import KeptLate

PAGE = 32
KEPT_VIEWS = 200


class Torn(Exception):
    """What was seen of a room is not kept any more, or was lost: ``why``, as snapshots say it."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


class _RoomZone(Struct):
    rules: int


_parts = msgspec.msgpack.Decoder(dict[str, Raw]).decode


class LateView:
    """Where the public stands in a room, ``delay_ms`` after the seats. ``v`` is 0 as long as nothing is due."""

    def __init__(self, store: Store, room: str, delay_ms: int) -> None:
        self.room, self.delay_ms = room, delay_ms
        self.v, self.tip = 0, ""
        self.ended: tuple[bytes, ...] = ()
        self._store = store
        self._zones: dict[str, Raw] = {}
        self._frame: dict[str, Raw] = {}

    async def ahead(self) -> list[KeptLate]:
        """Give some of what comes next, due or not. Raises Torn, Unavailable."""
        page = await self._store.late(self.room, self.v, PAGE)
        if self.v == 0:
            return page
        if not page or page[0].v != self.v or decode_entry(page[0].entry).tip != self.tip:
            raise Torn("trimmed" if page and page[0].v > self.v else "lost")
        return page[1:]

    def is_due(self, kept: KeptLate) -> bool:
        return kept.at + self.delay_ms <= self._store.sure(self.room)

    def take(self, kept: KeptLate) -> None:
        """Fold the next version; what is folded already is passed over."""
        if kept.v <= self.v:
            return
        entry = decode_entry(kept.entry)
        if kept.keyframe is not None:
            self._zones = {}
        self._frame = _parts(kept.keyframe or entry.frames[0])
        self._zones.update(_parts(self._frame["zones"]))
        self.v, self.tip, self.ended = entry.v, entry.tip, entry.ended

    async def catch_up(self) -> None:
        """Fold all that is due. Raises Torn, Unavailable."""
        while page := await self.ahead():
            for kept in page:
                if not self.is_due(kept):
                    return
                self.take(kept)

    def snapshot(self, why: Why) -> bytes:
        """Encode the whole view: the same bytes as a snapshot of that version. There is one once ``v`` is not 0."""
        parts = {name: part for name, part in self._frame.items() if name not in ("events", "why")}
        return encode({**parts, "zones": self._zones, "why": why})

    def rules(self) -> int | None:
        """Give the version of the rules that the view shows, None as long as nothing is due."""
        zone = self._zones.get("room")
        return msgspec.msgpack.decode(zone, type=_RoomZone).rules if zone is not None else None


def is_hidden(state: RoomState, sure: int) -> bool:
    """Tell whether the public may not know yet how a room stands. ``sure``: service time that has come, in ms.

    The lobby is no secret, since whoever looks for a seat has to see it; the match is, until its end is old enough.
    """
    if not state.plan.delay_s or state.record is None:
        return False
    return state.status not in OVER or sure < public_from(state)


def public_from(state: RoomState) -> int:
    """Say from when on (service ms) the public may know how a room ended."""
    return state.at + state.plan.delay_s * 1_000


class LateViews:
    """Views for those who ask once, without following: each is folded further from where it was."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._views: OrderedDict[str, LateView] = OrderedDict()

    async def info(self, state: RoomState) -> RoomInfo:
        """Describe a room that is hidden as the public may know it. Raises Unavailable."""
        view = await self._view(state)
        rules = view.rules() or state.rules
        return msgspec.structs.replace(room_info(state), status="playing", v=view.v, rules=rules)

    async def _view(self, state: RoomState) -> LateView:
        view = self._views.pop(state.id, None)
        try:
            if view is None:
                raise Torn("joined")
            await view.catch_up()
        except Torn:
            view = LateView(self._store, state.id, state.plan.delay_s * 1_000)
            await view.catch_up()
        self._views[state.id] = view
        if len(self._views) > KEPT_VIEWS:
            self._views.popitem(last=False)
        return view
