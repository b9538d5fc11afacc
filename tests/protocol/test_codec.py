"""Bytes to commands and back: nothing but commands and BadMessage comes out."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.codec import DIGEST_BYTES, JSON, MSGPACK, command_digest, decode_command, encode, encode_json
from protocol.errors import BadMessage
from protocol.messages import FRAME_BYTES, Choose, Command, Hello, Join, Message, Ping, Ready, Say
from protocol.profile import misfit
from tests.protocol.hostile import HOSTILE_JSON, HOSTILE_MSGPACK, LARGE_JSON, LARGE_MSGPACK, verdict
from tests.protocol.samples import COMMANDS, MESSAGES, ROOM

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault
BOTH = pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
EVERY_COMMAND = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)


def written(command: Command, subprotocol: str) -> bytes | str:
    packed: bytes = msgspec.msgpack.encode(command)
    return packed if subprotocol == MSGPACK else msgspec.json.encode(command).decode()


@BOTH
@EVERY_COMMAND
def test_every_command_is_read_as_it_was_written(command: Command, subprotocol: str) -> None:
    read = decode_command(written(command, subprotocol), subprotocol)
    assert read == command
    assert type(read) is type(command)


def test_json_is_read_from_bytes_as_well_as_from_text() -> None:
    assert decode_command(b'{"t":"ping","id":"1"}', JSON) == Ping("1")


@BOTH
def test_unknown_fields_are_passed_over(subprotocol: str) -> None:
    body = {"t": "ping", "id": "1", "later": {"x": [1, "y", None]}}
    assert decode_command(msgpack.packb(body) if subprotocol == MSGPACK else json.dumps(body), subprotocol) == Ping("1")


def test_keys_may_come_in_any_order() -> None:
    assert decode_command('{"room":"r","id":"1","t":"ping"}', JSON) == Ping("1", "r")


def test_a_frame_that_was_written_more_lengthily_is_read_all_the_same() -> None:
    long_ints = (
        b"\x85\xa1t\xd9\x06choose\xa2id\xda\x00\x011\xa4room\xa1r\xa6prompt\xd3" + bytes(7) + b"\x07\xa5picks\x90"
    )
    assert decode_command(long_ints, MSGPACK) == Choose("1", "r", 7, ())
    assert decode_command(' { "t" : "say", "id":"1", "room":"r", "text": "\\u0041\\/" } ', JSON) == Say("1", "r", "A/")


@pytest.mark.parametrize("name", HOSTILE_MSGPACK)
def test_hostile_bytes_are_refused(name: str) -> None:
    assert isinstance(verdict(HOSTILE_MSGPACK[name], MSGPACK), BadMessage)


@pytest.mark.parametrize("name", HOSTILE_JSON)
def test_hostile_text_is_refused(name: str) -> None:
    assert isinstance(verdict(HOSTILE_JSON[name], JSON), BadMessage)


@pytest.mark.parametrize(
    ("raw", "subprotocol"),
    [
        *(pytest.param(raw, MSGPACK, id=f"msgpack {name}") for name, raw in (HOSTILE_MSGPACK | LARGE_MSGPACK).items()),
        *(pytest.param(raw, JSON, id=f"json {name}") for name, raw in (HOSTILE_JSON | LARGE_JSON).items()),
    ],
)
def test_hostile_frames_take_no_memory_and_get_a_short_answer(raw: bytes | str, subprotocol: str) -> None:
    tracemalloc.start()
    refusal = verdict(raw, subprotocol)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(refusal, BadMessage)
    assert len(str(refusal)) <= 200
    assert len(refusal.where) <= 200
    assert peak < 32 * FRAME_BYTES


def test_text_in_the_subprotocol_of_bytes_is_fatal() -> None:
    refusal = verdict('{"t":"ping","id":"1"}', MSGPACK)
    assert isinstance(refusal, BadMessage)
    assert refusal.fatal


@BOTH
def test_a_frame_of_exactly_the_limit_is_read_and_one_byte_more_is_fatal(subprotocol: str) -> None:
    def frame(filling: int) -> bytes:
        body = {"t": "ping", "id": "1", "x": "x" * filling}
        packed: bytes = msgpack.packb(body)
        return packed if subprotocol == MSGPACK else json.dumps(body).encode()

    spare = FRAME_BYTES - len(frame(40_000)) + 40_000
    assert decode_command(frame(spare), subprotocol) == Ping("1")
    refusal = verdict(frame(spare + 1), subprotocol)
    assert isinstance(refusal, BadMessage)
    assert refusal.fatal


@EVERY_COMMAND
def test_the_digest_is_the_same_over_both_subprotocols(command: Command) -> None:
    digests = {command_digest(decode_command(written(command, sub), sub)) for sub in (MSGPACK, JSON)}
    assert len(digests) == 1
    assert len(digests.pop()) == DIGEST_BYTES


def test_the_digest_does_not_depend_on_the_id_or_on_the_order_of_keys() -> None:
    one = Choose("1", ROOM, 3, act={"do": "move", "to": {"x": 1, "y": 2}})
    other = Choose("2", ROOM, 3, act={"to": {"y": 2, "x": 1}, "do": "move"})
    assert command_digest(one) == command_digest(other)


def test_the_digest_depends_on_type_and_every_field() -> None:
    commands = [
        Choose("1", ROOM, 3, ("1",)),
        Choose("1", ROOM, 4, ("1",)),
        Choose("1", ROOM, 3, (1,)),
        Choose("1", ROOM, 3, ("1", "2")),
        Choose("1", ROOM, 3),
        Choose("1", ROOM, 3, act={"do": 1}),
        Choose("1", ROOM, 3, act={"do": True}),
        Choose("1", ROOM, 3, act=({"do": 1},)),
        Choose("1", "other", 3, ("1",)),
        Ready("1", ROOM),
        Ready("1", ROOM, False),
        Ready("1", ROOM, entropy=bytes(16)),
        Ready("1", ROOM, entropy=bytes(17)),
        Join("1", ROOM),
        Ping("1", ROOM),
    ]
    assert len(set(map(command_digest, commands))) == len(commands)


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_a_frame_becomes_the_same_json_whether_from_the_message_or_from_its_bytes(message: Message) -> None:
    packed = encode(message, MSGPACK)
    assert isinstance(packed, bytes)
    assert encode_json(packed) == encode(message, JSON)


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_every_sample_of_the_server_stays_within_the_profile(message: Message) -> None:
    packed = encode(message, MSGPACK)
    assert isinstance(packed, bytes)
    assert misfit(msgpack.unpackb(packed)) is None


_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner), max_leaves=20
)
_FIELDS = st.sampled_from(["t", "id", "room", "prompt", "picks", "act", "seat", "deck", "entropy", "since", "seats"])
_TYPES = st.sampled_from(["hello", "create", "join", "ready", "choose", "resign", "leave", "say", "ping", "dance"])


def packed_or_nothing(value: object) -> bytes:
    try:
        packed: bytes = msgpack.packb(value)
    except (OverflowError, UnicodeEncodeError):
        return b""
    return packed


@CALM
@given(st.binary(max_size=200))
def test_random_bytes_raise_nothing_but_bad_message(raw: bytes) -> None:
    for subprotocol in (MSGPACK, JSON):
        verdict(raw, subprotocol)


@CALM
@given(st.text(max_size=200))
def test_random_text_raises_nothing_but_bad_message(text: str) -> None:
    verdict(text, JSON)


@CALM
@given(st.dictionaries(_FIELDS, _VALUES), _TYPES)
def test_random_fields_raise_nothing_but_bad_message(fields: dict[str, Any], kind: str) -> None:
    message = {**fields, "t": kind}
    verdict(packed_or_nothing(message), MSGPACK)
    verdict(json.dumps(message, default=repr, skipkeys=True), JSON)


@CALM
@given(st.sampled_from(sorted(COMMANDS)), st.integers(0, 400), st.integers(0, 255))
def test_a_command_with_one_byte_changed_is_read_or_refused(name: str, place: int, byte: int) -> None:
    for subprotocol in (MSGPACK, JSON):
        raw = written(COMMANDS[name], subprotocol)
        changed = bytearray(raw.encode() if isinstance(raw, str) else raw)
        changed[place % len(changed)] = byte
        verdict(bytes(changed), subprotocol)


@CALM
@given(_VALUES)
def test_an_accepted_value_says_the_same_in_both_encodings(value: object) -> None:
    """What the profile lets through survives either encoding; what it stops never reaches a game."""
    packed = packed_or_nothing({"t": "choose", "id": "1", "room": "r", "prompt": 1, "act": {"do": value}})
    read = verdict(packed, MSGPACK)
    if isinstance(read, BadMessage):
        return
    assert decode_command(msgspec.json.encode(read), JSON) == read


def test_hello_may_name_versions_that_the_server_does_not_know() -> None:
    read = decode_command(msgpack.packb({"t": "hello", "id": "1", "protocol": [9, 1]}), MSGPACK)
    assert isinstance(read, Hello)
    assert read.protocol == (9, 1)
