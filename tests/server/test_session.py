"""One conversation without a socket: frames in, commands or answers out."""

from __future__ import annotations

import json
from typing import Any

import msgpack
import pytest

from protocol.errors import Refused
from protocol.messages import SUBPROTOCOLS, Error, Hello, Ping
from server.limits import Rate
from server.session import MOST_FAULTS, STRIKES, Closing, Session, details_of, error_of, packet, text_of


def session(*, text: bool = False, per_s: float = 1000, burst: float = 1000) -> Session:
    return Session(SUBPROTOCOLS[1 if text else 0], Rate(per_s, burst, burst, 0))


def frame(**message: Any) -> bytes:
    raw: bytes = msgpack.packb({"id": "1", **message})
    return raw


def test_commands_come_out_typed() -> None:
    talk = session()
    assert talk.receive(frame(t="hello"), 0) == Hello("1")
    assert talk.receive(frame(t="ping"), 0) == Ping("1")


def test_json_sockets_speak_text() -> None:
    talk = session(text=True)
    assert talk.receive(json.dumps({"t": "hello", "id": "1"}), 0) == Hello("1")
    assert talk.receive(b"{}", 0) == Closing(1003, "this subprotocol uses the other frame type")


def test_before_hello_everything_else_is_refused() -> None:
    refused = session().receive(frame(t="ping"), 0)
    assert isinstance(refused, Error)
    assert (refused.id, refused.code) == ("1", "hello_first")


def test_a_command_in_the_same_packet_as_hello_waits_behind_it() -> None:
    talk = session()
    talk.receive(frame(t="hello"), 0)
    assert not talk.greeted
    assert isinstance(talk.receive(frame(t="ping"), 0), Ping)


def test_a_frame_that_is_no_message_says_where_it_is_wrong() -> None:
    refused = session().receive(frame(t="join"), 0)
    assert isinstance(refused, Error)
    assert refused.code == "bad_message"
    assert "room" in refused.message


def test_an_unknown_type_is_answered() -> None:
    refused = session().receive(frame(t="dance"), 0)
    assert isinstance(refused, Error)
    assert refused.code == "unknown_type"


def test_bytes_that_are_no_value_end_the_conversation() -> None:
    end = session().receive(b"\xc1", 0)
    assert isinstance(end, Closing)
    assert end.code == 4400


def test_more_commands_than_allowed_are_told_how_long_to_wait() -> None:
    talk = session(per_s=10, burst=2)
    answers = [talk.receive(frame(t="hello"), 0.0) for _ in range(3)]
    assert [isinstance(answer, Hello) for answer in answers] == [True, True, False]
    refused = answers[2]
    assert isinstance(refused, Error)
    assert (refused.code, refused.retryable, refused.retry_after_ms) == ("rate_limited", True, 100)
    assert isinstance(talk.receive(frame(t="hello"), 0.1), Hello)


def test_the_bucket_never_holds_more_than_the_burst() -> None:
    rate = Rate(10, 2, 2, 0)
    assert [rate.take(100) for _ in range(3)] == [0, 0, 100]


def test_a_flood_of_refused_frames_ends_the_conversation() -> None:
    talk = session()
    answers = [talk.receive(frame(t="dance"), 0) for _ in range(STRIKES)]
    assert all(isinstance(answer, Error) for answer in answers[:-1])
    assert isinstance(answers[-1], Closing)
    assert answers[-1].code == 4429


def test_a_good_command_forgives_the_bad_ones_before() -> None:
    talk = session()
    for _ in range(STRIKES - 1):
        talk.receive(frame(t="dance"), 0)
    talk.receive(frame(t="hello"), 0)
    assert isinstance(talk.receive(frame(t="dance"), 0), Error)


@pytest.mark.parametrize(("code", "retryable"), [("not_found", False), ("unavailable", True)])
def test_a_refusal_becomes_an_answer_with_its_details(code: str, retryable: bool) -> None:
    error = error_of(Ping("7"), Refused(code, "why", retry_after_ms=5, seat=3))
    assert (error.id, error.code, error.message, error.retryable) == ("7", code, "why", retryable)
    assert (error.retry_after_ms, error.details) == (5, {"seat": 3})


def test_a_message_is_made_into_websocket_bytes_once() -> None:
    made = packet(Error("1", "busy", "again"))
    assert made.binary() is made.binary()
    assert made.text() is made.text()
    assert made.binary()[:2] == bytes((0x82, len(made.payload)))
    assert json.loads(made.text()[2:]) == msgpack.unpackb(made.payload)


def test_an_answer_has_a_bound_however_much_it_could_quote() -> None:
    faults = [{"where": f"x{n}", "text": "no such option " + "x" * 1000} for n in range(500)]
    cut = details_of(Refused("bad_options", faults=faults, most=3))
    assert (len(cut["faults"]), cut["left_off"], cut["most"]) == (MOST_FAULTS, 500 - MOST_FAULTS, 3)
    assert cut["faults"][0]["where"] == "x0"
    assert details_of(Refused("refused", text="x" * 60_000, prompt={"options": ["x"] * 60_000})) == {"text": "x" * 300}
    assert len(text_of(Refused("refused", "x" * 60_000))) == 300
    few = {"faults": faults[:3]}
    assert details_of(Refused("bad_options", **few)) == few
