"""One or more messages of every type, with edge values: what the golden vectors are made from."""

from __future__ import annotations

from protocol.errors import ERRORS
from protocol.messages import (
    Bye,
    Choose,
    Clock,
    Command,
    Create,
    Draining,
    Ended,
    Error,
    Frame,
    Hello,
    Join,
    Leave,
    Message,
    Ok,
    Ping,
    Presence,
    PromptOut,
    Ready,
    Rematch,
    Rematched,
    Resign,
    RoomPlan,
    Said,
    Say,
    SeatPlan,
    Since,
    Tip,
    WaitingFor,
    Welcome,
)
from protocol.profile import MAX_DEPTH, MAX_INT
from protocol.prompt import Option

AT = 1_790_000_000_123
ROOM = "k7wq2m9x4c"


def nested(depth: int) -> object:
    """Lists in lists: ``depth`` of them."""
    value: object = []
    for _ in range(depth - 1):
        value = [value]
    return value


COMMANDS: dict[str, Command] = {
    "hello": Hello("a-1", "eyJhbGciOiJIUzI1NiJ9.e30.x", "example/1.0"),
    "hello without a token": Hello("a-1"),
    "hello with several versions": Hello("a-1", None, "", (1, 2, 3)),
    "create": Create("a-2", "probe"),
    "create with everything": Create(
        "a-2",
        "probe",
        {"rounds": 3, "blind": True, "variant": "long"},
        (SeatPlan(), SeatPlan("steady", {"cards": {"ash": 3, "oak": 2}}), SeatPlan(None, "starter")),
        "basic",
        RoomPlan(True, 604_800, False, replays="seats"),
    ),
    "create with clocks": Create(
        "a-2", "probe", room=RoomPlan(turn_s=30, bank_s=600, increment_s=5, disconnect_s=120, on_expiry="forfeit")
    ),
    "create with late spectators": Create("a-2", "probe", room=RoomPlan(delay_s=3_600, spectators=0)),
    "join": Join("a-3", ROOM),
    "join a seat with a deck and a code": Join("a-3", ROOM, "player", 7, {"cards": ["ash", "ash"]}, "QW34ER56"),
    "join as a spectator": Join("a-3", ROOM, "spectator"),
    "join to come back": Join("a-3", ROOM, "player", 0, since=Since(41, "9f86d081884c7d65")),
    "ready": Ready("a-4", ROOM),
    "ready with the least entropy": Ready("a-4", ROOM, True, bytes(range(16))),
    "ready with the most entropy": Ready("a-4", ROOM, True, bytes(range(192, 256))),
    "ready no longer": Ready("a-4", ROOM, False),
    "choose by option": Choose("a-5", ROOM, 12, ("3",)),
    "choose nothing": Choose("a-5", ROOM, 12, ()),
    "choose a number": Choose("a-5", ROOM, 12, (-5,)),
    "choose by meaning": Choose("a-5", ROOM, 12, act={"do": "play_card", "card": "qx3f9a", "column": 2}),
    "choose by several meanings": Choose("a-5", ROOM, 12, act=({"do": "take", "n": MAX_INT}, {"do": "stop"})),
    "choose with the deepest meaning": Choose("a-5", ROOM, 12, act={"do": nested(MAX_DEPTH - 2)}),
    "resign": Resign("a-6", ROOM),
    "leave": Leave("a-7", ROOM),
    "say": Say("a-8", ROOM, "Good game — 好棋 🎲\u0000\n"),
    "ping": Ping("a-9"),
    "ping a room": Ping("x" * 36, ROOM),
    "rematch": Rematch("a-10", ROOM),
}

_PROMPT = PromptOut(
    12,
    "turn",
    AT + 60_000,
    (Option("1", {"do": "play_card", "card": "qx3f9a", "column": 0}), Option("2", {"do": "pass"}, "rest")),
    default=("2",),
    rule="PR-2.1",
    about={"step": "main"},
)

MESSAGES: dict[str, Message] = {
    "ok": Ok("a-1"),
    "ok to create": Ok("a-2", ROOM, code="QW34ER56"),
    "ok to join": Ok("a-3", ROOM, 0, 0),
    "ok to an early choice": Ok("a-5", held=True),
    "ok to ping": Ok("a-9", at=AT),
    **{f"error {code}": Error("a-5", code, kind.text, kind.retryable) for code, kind in ERRORS.items()},
    "error without an id": Error(None, "bad_message", "no value of the encoding"),
    "error with a wait": Error("a-5", "rate_limited", "too many of these", True, 1500),
    "error with details": Error(
        "a-5", "refused", "not your card", details={"code": "not_in_hand", "rule": "PR-2.4", "prompt_id": 12}
    ),
    "welcome": Welcome(1, "sanctum/0.1.0", AT, "guest-7f", "Robin"),
    "welcome to nobody": Welcome(1, "sanctum/0.1.0", AT),
    "snapshot": Frame(
        ROOM,
        0,
        "9f86d081884c7d65",
        AT,
        {"room": {"id": ROOM, "status": "lobby", "seats": [{"seat": 0, "name": "Robin"}]}, "table": {}},
        why="joined",
    ),
    "frame with everything": Frame(
        ROOM,
        42,
        "2c624232cdd221771294dfbb310aca00",
        AT,
        {"hand": [{"id": "qx3f9a", "card": "ash"}], "table": {"columns": [[], []], "round": 3, "first": None}},
        ({"event": "drawn", "seat": 0, "count": 1, "cards": ["ash"]},),
        _PROMPT,
        (WaitingFor(0, "turn"), WaitingFor(2, "react", {"to": "storm"})),
        (Clock(0, AT + 60_000),),
    ),
    "frame in which nothing was seen": Frame(ROOM, 43, "3fdba35f04dc8c46", AT, {}),
    "frame with a number to choose": Frame(
        ROOM, 44, "4fc82b26aecb47d2", AT, {}, (), PromptOut(13, "bid", AT, (), "number", -3, 100, (0,), optional=True)
    ),
    "frame with things to order": Frame(
        ROOM,
        45,
        "6b51d431df5d7f14",
        AT,
        {},
        (),
        PromptOut(14, "arrange", AT, (Option("1", {}), Option("2", {})), "order", 2, 2, ("1", "2"), hold_ms=8000),
    ),
    "frame with edge values": Frame(
        ROOM,
        MAX_INT,
        "",
        0,
        {"n": [0, -1, 127, 128, -32, -33, 255, 256, 65535, 65536, 2**31, 2**32, MAX_INT, -MAX_INT],
         "text": ["", "x" * 31, "y" * 32, "z" * 256, "日本語", "🂡", "\"\\/\u0001"],
         "kinds": [True, False, None, {}, []], "long": [0] * 16, "deep": nested(MAX_DEPTH - 2)},
    ),
    "tip": Tip(ROOM, 43, "3fdba35f04dc8c46", AT),
    "presence": Presence(ROOM, (0, 2), (1,), 250),
    "said": Said(ROOM, "7", "Robin", "Good luck!", AT, 0),
    "said by a spectator": Said(ROOM, "8", "Kim", "😀", AT),
    "ended": Ended(
        ROOM, 99, "finished", "points", (1,), (2, 1), {"points": [17, 21]}, bytes(range(32)), f"/v1/replays/{ROOM}"
    ),
    "ended without a winner": Ended(ROOM, 3, "void", "rule_fault"),
    "rematched": Rematched(ROOM, "p3d8s6b1zt", AT),
    "draining": Draining(2500),
    "bye": Bye(1012, "service restarts"),
}  # fmt: skip
