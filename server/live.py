"""A room in a node's memory: its record, its rules, and what every audience sees of it."""

from __future__ import annotations

from msgspec import Struct

from engines.flow import Position
from engines.sight import Audience
from protocol.messages import Why
from server.frames import Sight, ended_messages, rematched_message, snapshot
from server.packet import Packet
from server.room import Ruleset, position_or_none
from server.state import RoomState


class Live(Struct):
    """A room as last read or written by this node. ``raw``: the state, encoded, so that each use has its own copy.

    ``at_hand``: the match's position, None before the start, if the rules raise, or once it is ``used`` up.
    """

    rev: bytes
    raw: bytes
    state: RoomState
    ruleset: Ruleset
    at_hand: Position | None
    sights: dict[Audience, Sight]
    packets: dict[tuple[Audience, Why], Packet] = {}
    used: bool = False

    @property
    def position(self) -> Position | None:
        """The match as it stands; None before the start, and where the rules cannot go on."""
        if self.used:
            self.at_hand, self.used = position_or_none(self.ruleset, self.state), False
        return self.at_hand

    def take_position(self) -> Position | None:
        """Hand the position over to whoever makes the next version: it will be that of another record."""
        taken, self.at_hand, self.used = self.at_hand, None, True
        return taken

    def snapshot(self, audience: Audience, why: Why) -> Packet:
        """Give the whole view of one audience, made once however many ask for it."""
        packet = self.packets.get((audience, why))
        if packet is None:
            packet = Packet(snapshot(self.state, self.sights[audience], why), self.state.id)
            self.packets[audience, why] = packet
        return packet

    def after(self, audience: Audience) -> list[bytes]:
        """Give what follows the last frame: how it ended, and where it is played again; nothing before the end."""
        ended, following = ended_messages(self.state), self.state.next
        told = [ended[0 if audience is None else 1]] if ended else []
        return told if following is None else [*told, rematched_message(self.state.id, following)]
