"""What any client must do, shown with lists of messages."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from protocol.client.actions import Action, Again, Greeted, Halt, Send, Settle, Stop, Tell, Wait
from protocol.client.core import MAX_TRIES, Core

Message = dict[str, Any]


class Scene:
    """A core and the server's side of the talk, played by hand."""

    def __init__(self, **more: Any) -> None:
        self.core = Core(nonce="n", random=Random(1), **more)
        self.now = 0.0

    def connect(self) -> list[Message]:
        """Open a socket and greet; give what is sent after the greeting."""
        (hello,) = sent(self.core.opened(self.now))
        actions = self.core.received({"t": "ok", "id": hello["id"]})
        assert Greeted() in actions
        return sent(actions)

    def command(self, kind: str, **fields: Any) -> Message:
        command, actions = self.core.request(kind, **fields)
        (message,) = sent(actions)
        assert message["id"] == command
        return message

    def ok(self, message: Message, **more: Any) -> list[Action]:
        return self.core.received({"t": "ok", "id": message["id"], **more})

    def error(self, message: Message, code: str, **more: Any) -> list[Action]:
        return self.core.received({"t": "error", "id": message["id"], "code": code, "message": "no", **more})

    def follow(self, room: str = "r", v: int = 5, **fields: Any) -> None:
        join = self.command("join", room=room, **fields)
        self.ok(join, room=room, seat=1, v=v)
        self.frame(v, room, why="joined", zones={"table": [0]})

    def frame(self, v: int, room: str = "r", **more: Any) -> list[Action]:
        message = {"t": "frame", "room": room, "v": v, "tip": f"t{v}", "at": v, "zones": {"table": [v]}, **more}
        return self.core.received(message)

    def drop(self, code: int = 1006) -> Again | Stop:
        return self.core.closed(code, "", self.now)


@pytest.fixture
def scene() -> Scene:
    scene = Scene(token="secret", name="tests")
    assert scene.connect() == []
    return scene


def sent(actions: list[Action]) -> list[Message]:
    return [action.message for action in actions if isinstance(action, Send)]


def told(actions: list[Action]) -> list[str]:
    return [action.update.kind for action in actions if isinstance(action, Tell)]


# ---- greeting


def test_hello_comes_first_and_carries_the_token() -> None:
    (hello,) = sent(Scene(token="secret", name="tests").core.opened(0.0))
    assert hello == {"t": "hello", "id": "n-1", "client": "tests", "protocol": [1], "token": "secret"}


def test_without_a_token_hello_has_none() -> None:
    (hello,) = sent(Scene().core.opened(0.0))
    assert "token" not in hello


def test_commands_made_before_the_greeting_wait_for_it() -> None:
    scene = Scene()
    command, actions = scene.core.request("create", game="probe")
    assert actions == []
    assert scene.connect() == [{"t": "create", "id": command, "game": "probe"}]


def test_the_welcome_is_kept(scene: Scene) -> None:
    welcome = {"t": "welcome", "protocol": 1, "account": "a"}
    assert scene.core.received(welcome) == []
    assert scene.core.welcome == welcome


def test_a_refused_greeting_is_the_end() -> None:
    scene = Scene()
    (hello,) = sent(scene.core.opened(0.0))
    (halt,) = scene.error(hello, "unauthorized")
    assert isinstance(halt, Halt)


def test_a_greeting_that_may_succeed_later_is_made_again() -> None:
    scene = Scene()
    (hello,) = sent(scene.core.opened(0.0))
    (wait,) = scene.error(hello, "rate_limited", retryable=True, retry_after_ms=700)
    assert wait == Wait(hello["id"], 0.7)
    (again,) = sent(scene.core.due(hello["id"]))
    assert again["t"] == "hello"


# ---- commands and their one answer


def test_fields_that_are_none_are_left_out(scene: Scene) -> None:
    assert scene.command("join", room="r", seat=None, code="x") == {"t": "join", "id": "n-2", "room": "r", "code": "x"}


def test_an_answer_settles_its_command_once(scene: Scene) -> None:
    message = scene.command("ping")
    assert scene.ok(message, at=5) == [Settle(message["id"], {"t": "ok", "id": message["id"], "at": 5})]
    assert scene.ok(message, at=5) == []


def test_a_refusal_settles_its_command(scene: Scene) -> None:
    message = scene.command("say", room="r", text="hi")
    (settle,) = scene.error(message, "not_joined")
    assert isinstance(settle, Settle)
    assert settle.answer["code"] == "not_joined"


def test_a_refused_create_settles_whatever_its_plan_of_the_room_is(scene: Scene) -> None:
    message = scene.command("create", game="g", room={"private": True})
    (settle,) = scene.error(message, "too_many")
    assert isinstance(settle, Settle)


def test_a_retryable_error_sends_the_same_command_again_after_the_wait(scene: Scene) -> None:
    message = scene.command("choose", room="r", prompt=1, picks=["1"])
    (wait,) = scene.error(message, "rate_limited", retryable=True, retry_after_ms=1500)
    assert wait == Wait(message["id"], 1.5)
    assert sent(scene.core.due(message["id"])) == [message]
    assert scene.ok(message, v=6) != []


def test_waits_that_the_server_does_not_name_grow(scene: Scene) -> None:
    message = scene.command("ping")
    waits = [scene.error(message, "busy", retryable=True)[0] for _ in range(MAX_TRIES - 1)]
    assert all(isinstance(wait, Wait) for wait in waits)
    assert waits[-1].after_s > 4 * waits[0].after_s  # type: ignore[union-attr]


def test_after_enough_tries_the_error_is_the_answer(scene: Scene) -> None:
    message = scene.command("ping")
    for _ in range(MAX_TRIES - 1):
        scene.error(message, "busy", retryable=True)
    (settle,) = scene.error(message, "busy", retryable=True)
    assert isinstance(settle, Settle)
    assert scene.core.due(message["id"]) == []


def test_a_wait_that_ends_without_a_connection_sends_nothing(scene: Scene) -> None:
    message = scene.command("ping")
    scene.error(message, "busy", retryable=True)
    scene.drop()
    assert scene.core.due(message["id"]) == []
    assert scene.connect() == [message]


def test_a_command_that_nobody_waits_for_is_not_sent_again(scene: Scene) -> None:
    message = scene.command("ping")
    scene.core.forget(message["id"])
    scene.drop()
    assert scene.connect() == []


def test_an_error_without_an_id_is_the_end(scene: Scene) -> None:
    (halt,) = scene.core.received({"t": "error", "id": None, "code": "bad_message", "message": "no"})
    assert isinstance(halt, Halt)


def test_messages_of_unknown_types_are_passed_over(scene: Scene) -> None:
    assert scene.core.received({"t": "weather", "id": 3}) == []


# ---- following rooms


def test_frames_may_come_before_the_answer_to_join(scene: Scene) -> None:
    join = scene.command("join", room="r")
    assert told(scene.frame(3, why="joined")) == ["frame"]
    assert scene.core.rooms["r"].audience is None
    scene.ok(join, room="r", seat=0)
    assert scene.core.rooms["r"].audience == 0


def test_a_spectator_is_the_public(scene: Scene) -> None:
    join = scene.command("join", room="r", role="spectator")
    scene.ok(join, room="r")
    assert scene.core.rooms["r"].audience == "public"


def test_a_refused_join_follows_nothing(scene: Scene) -> None:
    scene.error(scene.command("join", room="r"), "not_found")
    assert scene.core.rooms == {}


def test_a_refused_second_join_leaves_the_first_alone(scene: Scene) -> None:
    scene.follow()
    scene.error(scene.command("join", room="r", seat=0), "seat_taken")
    assert scene.core.rooms["r"].seat == 1


def test_several_rooms_are_folded_apart(scene: Scene) -> None:
    scene.follow("r", 5)
    scene.follow("s", 8)
    scene.frame(6, "r")
    scene.frame(9, "s")
    assert {room.id: room.v for room in scene.core.rooms.values()} == {"r": 6, "s": 9}


def test_a_room_that_was_left_is_followed_no_more(scene: Scene) -> None:
    scene.follow()
    scene.ok(scene.command("leave", room="r"))
    assert scene.core.rooms == {}
    for push in ("frame", "tip", "presence", "said", "ended", "rematched"):
        assert scene.core.received({"t": push, "room": "r", "v": 6, "tip": "t6"}) == []
    scene.drop()
    assert scene.connect() == []


def test_presence_talk_and_the_end_are_told(scene: Scene) -> None:
    scene.follow()
    room = scene.core.rooms["r"]
    assert told(scene.core.received({"t": "presence", "room": "r", "here": [0], "away": [1], "spectators": 3})) == [
        "presence"
    ]
    assert (room.here, room.away, room.spectators) == ([0], [1], 3)
    hi = {"t": "said", "room": "r", "id": "ann/1", "text": "hi"}
    assert told(scene.core.received(hi)) == ["said"]
    assert told(scene.core.received(hi)) == []  # coming back tells the last talk again
    ended = {"t": "ended", "room": "r", "v": 6, "status": "finished"}
    assert told(scene.core.received(ended)) == ["ended"]
    assert room.ended == ended
    rematched = {"t": "rematched", "room": "r", "next": "s", "at": 1}
    assert told(scene.core.received(rematched)) == ["rematched"]
    assert told(scene.core.received(rematched)) == []  # so does a rematch
    assert room.next == "s"


def test_an_accepted_choice_counts_as_answered_even_while_its_prompt_is_held(scene: Scene) -> None:
    scene.follow()
    scene.frame(6, prompt={"id": 4})
    scene.ok(scene.command("choose", room="r", prompt=4, picks=["1"]), held=True)
    scene.frame(7, prompt={"id": 4})
    assert scene.core.rooms["r"].question is None


def test_a_refused_choice_leaves_the_question_open(scene: Scene) -> None:
    scene.follow()
    scene.frame(6, prompt={"id": 4})
    scene.error(scene.command("choose", room="r", prompt=4, picks=["9"]), "refused", details={"prompt_id": 4})
    assert scene.core.rooms["r"].question == {"id": 4}


# ---- gaps


def test_a_gap_asks_for_what_is_missing_once(scene: Scene) -> None:
    scene.follow(code="secret")
    (join,) = sent(scene.frame(7))
    assert join == {
        "t": "join", "id": "n-3", "room": "r", "role": "player", "code": "secret", "seat": 1,
        "since": {"v": 5, "tip": "t5"},
    }  # fmt: skip
    assert sent(scene.frame(8)) == []


def test_missing_frames_close_the_gap(scene: Scene) -> None:
    scene.follow()
    (join,) = sent(scene.frame(7))
    assert scene.ok(join, room="r", seat=1, v=7) == []
    assert told(scene.frame(6)) == ["frame"]
    assert told(scene.frame(7)) == ["frame"]
    assert scene.core.rooms["r"].v == 7


def test_a_second_gap_asks_again(scene: Scene) -> None:
    scene.follow()
    (join,) = sent(scene.frame(7))
    scene.ok(join, room="r", seat=1, v=7)
    (second,) = sent(scene.frame(9))
    assert second["id"] != join["id"]


def test_doubles_are_dropped(scene: Scene) -> None:
    scene.follow()
    assert scene.frame(5) == []
    assert scene.frame(4) == []


@pytest.mark.parametrize("tip", [{"v": 6, "tip": "t6"}, {"v": 5, "tip": "another"}, {"v": 4, "tip": "t4"}])
def test_a_tip_that_is_not_where_we_stand_asks_for_what_is_missing(scene: Scene, tip: Message) -> None:
    scene.follow()
    (join,) = sent(scene.core.received({"t": "tip", "room": "r", **tip}))
    assert join["since"] == {"v": 5, "tip": "t5"}


def test_a_tip_where_we_stand_asks_nothing(scene: Scene) -> None:
    scene.follow()
    assert scene.core.received({"t": "tip", "room": "r", "v": 5, "tip": "t5"}) == []


def test_a_gap_before_the_answer_to_the_first_join_waits_for_that_answer(scene: Scene) -> None:
    scene.command("join", room="r")
    assert scene.frame(7) == []


def test_a_room_that_cannot_be_followed_again_is_told_lost(scene: Scene) -> None:
    scene.follow()
    (join,) = sent(scene.frame(7))
    assert told(scene.error(join, "not_found")) == ["lost"]
    assert scene.core.rooms == {}


# ---- coming back


def test_coming_back_resumes_every_room_and_then_resends_what_has_no_answer(scene: Scene) -> None:
    scene.follow("r", 5)
    scene.follow("s", 8)
    choose = scene.command("choose", room="r", prompt=1, picks=["1"])
    assert isinstance(scene.drop(), Again)
    one, two, resent = scene.connect()
    assert [(join["t"], join["room"], join["since"]["v"]) for join in (one, two)] == [
        ("join", "r", 5),
        ("join", "s", 8),
    ]
    assert resent == choose


def test_a_join_without_an_answer_is_resent_as_it_was(scene: Scene) -> None:
    join = scene.command("join", room="r", seat=1)
    scene.frame(5, why="joined")
    scene.drop()
    assert scene.connect() == [join]


def test_a_resume_that_the_cut_swallowed_is_made_afresh(scene: Scene) -> None:
    scene.follow()
    scene.drop()
    (first,) = scene.connect()
    scene.drop()
    (second,) = scene.connect()
    assert second["id"] != first["id"]
    assert second["since"] == first["since"]


def test_each_resume_says_where_the_room_stands_now(scene: Scene) -> None:
    scene.follow()
    for v in (6, 7, 8):
        scene.frame(v)
        scene.drop()
        (join,) = scene.connect()
        assert join["since"] == {"v": v, "tip": f"t{v}"}
        scene.ok(join, room="r", seat=1, v=v)


def test_a_room_without_any_frame_is_resumed_without_since(scene: Scene) -> None:
    scene.ok(scene.command("join", room="r"), room="r", seat=1)
    scene.drop()
    (join,) = scene.connect()
    assert "since" not in join


def test_a_close_for_good_says_why(scene: Scene) -> None:
    verdict = scene.core.closed(4401, "token expired", 1.0)
    assert verdict == Stop(4401, "token expired")
    assert scene.core.closed(4429, "", 1.0) == Stop(4429, "flood: far more frames than the limit, again and again")
    assert scene.core.closed(4999, "", 1.0) == Stop(4999, "")


def test_connections_that_never_greeted_back_off_further(scene: Scene) -> None:
    waits = [scene.drop() for _ in range(8)]
    assert all(isinstance(wait, Again) for wait in waits)
    assert waits[-1].after_s > 8 * waits[0].after_s  # type: ignore[union-attr]


def test_a_connection_that_lasted_comes_back_at_once(scene: Scene) -> None:
    for _ in range(8):
        scene.drop()
    scene.connect()
    scene.now = 60.0
    verdict = scene.drop()
    assert isinstance(verdict, Again)
    assert verdict.after_s < 0.3


def test_an_announced_drain_says_when_to_come_back_once(scene: Scene) -> None:
    scene.core.received({"t": "draining", "retry_after_ms": 4200})
    assert scene.drop(1012) == Again(4.2)
    verdict = scene.drop()
    assert isinstance(verdict, Again)
    assert verdict.after_s < 2


def test_ids_never_come_twice_over_reconnects(scene: Scene) -> None:
    seen = set()
    for _ in range(5):
        seen.add(scene.command("ping")["id"])
        scene.drop()
        seen.update(message["id"] for message in scene.connect())
    assert len(seen) == 5
