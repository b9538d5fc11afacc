"""What one seat recorded does not depend on what it may not know: the match executed again with that exchanged.

Every version of a real match over real sockets is made once more from the state before it, with hidden cards of the
other side exchanged; the bytes that the seat recorded must come out again.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgpack
import msgspec

from engines.record import Choice, decode_state, encode
from engines.sight import Audience
from protocol.prompt import picks_of
from server import replay
from server.room import Ruleset, position_of
from server.state import Play, RoomState
from server.state import decode_state as decode_room
from server.version import next_version
from tests.e2e.rig import Node, Raw
from tests.e2e.test_resume import duel, play_on

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]


def _slots(ruleset: Ruleset, state: RoomState, seat: Audience) -> dict[str, set[str]]:
    position = position_of(ruleset, state)
    assert position is not None
    found = ruleset.rules.secrets(position.table.match, position.table.state, seat)
    return {group: set(slots) for group, slots in found.items()}


def _exchanged(ruleset: Ruleset, state: RoomState, one: str, other: str) -> RoomState:
    """Give a copy of a room at rest, with the contents of two hidden slots exchanged."""
    twin = decode_room(encode(state))
    position = position_of(ruleset, twin)
    assert position is not None
    assert twin.record is not None
    inner = decode_state(ruleset.rules, twin.record.base)
    ruleset.rules.exchange(position.table.match, inner, one, other)
    twin.record = msgspec.structs.replace(twin.record, base=encode(inner))
    return twin


def _by_meaning(ruleset: Ruleset, before: RoomState, twin: RoomState, given: Play) -> Play | None:
    """Give the same choices as the twin's options name them; None if the twin does not offer one."""
    was, now = position_of(ruleset, before), position_of(ruleset, twin)
    assert was is not None
    assert now is not None
    choices = []
    for choice in given.choices:
        asked, other = was.of(choice.seat), now.of(choice.seat)
        if choice.gone or asked is None or other is None or asked.prompt.shape == "number":
            return None
        picks = picks_of(other.prompt, asked.prompt.acts(choice.picks))
        if picks is None:
            return None
        choices.append(Choice(choice.seat, choice.prompt, picks))
    return Play(tuple(choices), given.by)


async def test_recorded_bytes_of_a_seat_and_of_the_public_do_not_depend_on_hidden_cards(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    chance, compared = random.Random(8), 0
    room, _, players = await duel(two, connect, account)
    watcher: Raw = await connect(two[1])
    await watcher.ask({"t": "join", "room": room, "role": "spectator"})
    while await play_on(room, players, chance) is not None:
        pass
    for client in (*players, watcher):
        await client.view(room, lambda view: "result" in view["zones"]["room"])
    told = replay.read(two[0].http("GET", f"/v1/replays/{room}").content)
    assert replay.verify(told).difference is None
    ruleset = replay.rulesets_of(told)[told.rules]
    seen: dict[Audience, dict[int, bytes]] = {
        audience: {msgpack.unpackb(raw)["v"]: raw for raw in client.frames[room] if "why" not in msgpack.unpackb(raw)}
        for audience, client in ((0, players[0]), (1, players[1]), (None, watcher))
    }
    state, sights = None, {}
    for entry in told.inputs:
        given = replay.input_of(entry)
        before = decode_room(encode(state)) if state is not None else None
        made = next_version(ruleset, state, sights, given, entry.at, entry.tip)
        if before is not None and before.record is not None and not before.record.choices and isinstance(given, Play):
            for audience, frames in seen.items():
                if entry.v in frames and made.position is not None:
                    compared += _compare(
                        ruleset, before, sights, given, entry, made.state, audience, frames[entry.v], chance
                    )
        state, sights = made.state, made.sights
    assert compared >= 50


def _compare(
    ruleset: Ruleset, before: RoomState, sights: Any, given: Play, entry: Any, after: RoomState,
    audience: Audience, recorded: bytes, chance: random.Random,
) -> int:  # fmt: skip
    """Make one version again with two cards exchanged that stay hidden. Gives how often it was conclusive."""
    still = _slots(ruleset, after, audience)
    conclusive = 0
    for group, slots in _slots(ruleset, before, audience).items():
        hidden = sorted(slots & still.get(group, set()))
        if len(hidden) < 2:
            continue
        twin = _exchanged(ruleset, before, *chance.sample(hidden, 2))
        choices = _by_meaning(ruleset, before, twin, given)
        if choices is None:
            continue
        again = next_version(ruleset, twin, sights, choices, entry.at, entry.tip)
        assert again.entry.frames[0 if audience is None else audience + 1] == recorded, (entry.v, audience, group)
        conclusive += 1
    return conclusive
