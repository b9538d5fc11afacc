"""Faults of every class, planted between a real node and its clients, are reported by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgpack
import pytest

from loadtest.result import Result
from loadtest.scenario import Match, Scenario, Trouble
from tests.loadtest.conftest import Load, brief
from tests.loadtest.proxy import Message, Proxy, Socket, Spoil

Fits = Callable[[Socket, Message], bool]


def _spoil_one(fits: Fits, change: Callable[[Message, bytes], list[bytes]]) -> Spoil:
    """Spoil the first message that fits, and no other."""
    spoiled = False

    def spoil(socket: Socket, message: Message, raw: bytes) -> list[bytes]:
        nonlocal spoiled
        if spoiled or not fits(socket, message):
            return [raw]
        spoiled = True
        return change(message, raw)

    return spoil


def _watched(socket: Socket, message: Message) -> bool:
    """A frame in the middle of the match, to a spectator."""
    return socket.seat is None and _in_the_middle(message)


def _seated(socket: Socket, message: Message) -> bool:
    return socket.seat == 0 and _in_the_middle(message)


def _in_the_middle(message: Message) -> bool:
    return message["t"] == "frame" and message["v"] >= 12 and "why" not in message


def _chosen(socket: Socket, message: Message) -> bool:
    """The answer to a choice in the middle of the match."""
    return socket.seat == 0 and message["t"] == "ok" and message.get("v", 0) >= 6


def _changed(message: Message, **fields: Any) -> list[bytes]:
    return [msgpack.packb({**message, **fields})]


def _other_zones(message: Message) -> list[bytes]:
    return _changed(message, zones={**message["zones"], "rumour": [1, 2, 3]})


def _swap_seats() -> Spoil:
    """Give the seat that comes second the very frame that was for the first."""
    seen: dict[tuple[str, int], bytes] = {}

    def spoil(socket: Socket, message: Message, raw: bytes) -> list[bytes]:
        if socket.seat is None or not _in_the_middle(message):
            return [raw]
        return [seen.setdefault((message["room"], message["v"]), raw)]

    return spoil


TWO_VIEWS = "two clients of this audience|the snapshot is not what the frames before it come to"
"""Which of the two is seen depends on whether the spoiled frame is followed by a snapshot."""


def _lines(result: Result, kind: str) -> list[str]:
    return [text for found, text in result.findings if found == kind]


@pytest.mark.parametrize(
    ("spoil", "kind", "words"),
    [
        (_spoil_one(_watched, lambda _, __: []), "gap", "public: after version"),
        (_spoil_one(_seated, lambda _, __: []), "gap", "seat 0: after version"),
        (_spoil_one(_watched, lambda _, raw: [raw, raw]), "duplicate", "came again after"),
        (_spoil_one(_chosen, lambda _, raw: [raw, raw]), "duplicate", "was answered once too often"),
        (_spoil_one(_watched, lambda m, _: _other_zones(m)), "divergence", TWO_VIEWS),
        (_spoil_one(_seated, lambda m, _: _other_zones(m)), "divergence", "none that the match makes"),
        (_spoil_one(_chosen, lambda _, __: []), "unanswered", "no answer to choose"),
        (_spoil_one(_watched, lambda m, _: _changed(m, prompt={"id": 1})), "leak", "is shown a seat's prompt"),
        (_spoil_one(_watched, lambda m, _: _changed(m, room="elsewhere")), "leak", "which it does not follow"),
    ],
    ids=[
        "hole",
        "hole of a seat",
        "double",
        "two answers",
        "two views",
        "a view of its own",
        "no answer",
        "prompt",
        "room",
    ],
)
def test_planted_fault_is_reported_by_name(node: str, load: Load, spoil: Spoil, kind: str, words: str) -> None:
    with Proxy(node, spoil) as url:
        result = load(url, brief())
    assert any(word in text for text in _lines(result, kind) for word in words.split("|")), result.findings
    assert not result.faultless


def test_frame_of_another_seat_is_a_leak(node: str, load: Load) -> None:
    with Proxy(node, _swap_seats()) as url:
        result = load(url, brief())
    assert any(": contains what only others may see" in text for text in _lines(result, "leak")), (
        result.findings,
        result.counts,
    )


def test_second_outcome_of_a_resent_command_is_a_divergence(node: str, load: Load) -> None:
    seen: set[str] = set()

    def spoil(socket: Socket, message: Message, raw: bytes) -> list[bytes]:
        if message["t"] != "ok" or message.get("v", 0) < 6 or message["id"] not in seen:
            seen.update([message["id"]] if message["t"] == "ok" else [])
            return [raw]
        return _changed(message, v=message["v"] + 1)

    with Proxy(node, spoil) as url:
        result = load(url, brief(trouble=Trouble(twice=1.0)))
    assert any("has two outcomes" in text for text in _lines(result, "divergence")), (result.findings, result.counts)


def test_lost_last_frame_is_a_gap(node: str, load: Load) -> None:
    def spoil(socket: Socket, message: Message, raw: bytes) -> list[bytes]:
        over = message["t"] == "frame" and message["zones"].get("room", {}).get("status") == "resigned"
        return [] if over and socket.seat is None else [raw]

    with Proxy(node, spoil) as url:
        result = load(url, brief())
    assert any("the match ended in version" in text for text in _lines(result, "gap")), (result.findings, result.counts)


def test_refused_legal_choice_is_an_error(node: str, load: Load) -> None:
    def refuse(message: Message, _: bytes) -> list[bytes]:
        return [msgpack.packb({"t": "error", "id": message["id"], "code": "internal", "message": "broken"})]

    with Proxy(node, _spoil_one(_chosen, refuse)) as url:
        result = load(url, brief())
    assert any("choose: internal: broken" in text for text in _lines(result, "error")), (result.findings, result.counts)


def test_proxy_that_spoils_nothing_is_found_faultless(node: str, load: Load) -> None:
    scenario: Scenario = brief(
        match=Match("disciple", choices=10, churn=1), trouble=Trouble(twice=0.5, cut=0.5, cut_every_s=0.4)
    )
    with Proxy(node, lambda _, __, raw: [raw]) as url:
        result = load(url, scenario)
    assert result.findings == []
    assert result.faultless
    assert result.choices > 0
    assert result.counts["cuts"] > 0
    assert result.rooms_checked > 0
    assert result.rooms_unchecked == 0
