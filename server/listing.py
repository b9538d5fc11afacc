"""What lists show of a room, and whether they do. Pure."""

from __future__ import annotations

from protocol.http import RoomInfo, SeatInfo
from server.state import OVER, RoomState


def room_info(state: RoomState) -> RoomInfo:
    """Describe a room as everybody who may see it sees it."""
    seats = tuple(
        SeatInfo(at, seat.name or None, seat.bot, seat.ready, seat.taken, seat.kept_for is not None and not seat.taken)
        for at, seat in enumerate(state.seats)
    )
    return RoomInfo(
        state.id, state.game, state.rules, state.pack_id, state.status, seats, state.options, state.plan, state.v
    )


def is_listed(state: RoomState) -> bool:
    """Tell whether lists show a room. With a delay only while a seat is free: no end, no rematch shows."""
    if state.plan.delay_s and (state.status != "lobby" or all(seat.taken for seat in state.seats)):
        return False
    return not state.plan.private and state.status not in OVER
