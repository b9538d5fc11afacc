"""The golden wire vectors: three codecs that know nothing of each other agree on every byte."""

from __future__ import annotations

import base64
import json
from typing import Any

import msgpack
import msgspec
import pytest

from protocol.codec import JSON, MSGPACK, decode_command, encode, encode_json
from protocol.errors import ERRORS, BadMessage
from protocol.messages import Command, Message
from tests.protocol import node_scripts
from tests.protocol.hostile import verdict
from tests.protocol.samples import COMMANDS, MESSAGES
from tests.protocol.vectors import made, read

ALL = [*read("commands.json"), *read("messages.json")]
EVERY_VECTOR = pytest.mark.parametrize("vector", ALL, ids=[vector["name"] for vector in ALL])


def as_json(value: Any) -> Any:
    """Spell bytes in base64, as JSON does."""
    return json.loads(json.dumps(value, default=lambda raw: base64.b64encode(raw).decode()))


@pytest.mark.parametrize("name", made())
def test_vectors_are_what_the_samples_give(name: str) -> None:
    assert read(name) == made()[name], "the wire has changed: python -m tests.protocol.vectors, and say so"


@EVERY_VECTOR
def test_the_independent_codec_reads_the_same_value(vector: dict[str, Any]) -> None:
    assert as_json(msgpack.unpackb(bytes.fromhex(vector["hex"]))) == vector["value"] == json.loads(vector["text"])


@EVERY_VECTOR
def test_the_independent_codec_writes_the_same_bytes(vector: dict[str, Any]) -> None:
    raw = bytes.fromhex(vector["hex"])
    assert msgpack.packb(msgpack.unpackb(raw)) == raw


@EVERY_VECTOR
def test_bytes_become_the_text_of_the_vector(vector: dict[str, Any]) -> None:
    assert encode_json(bytes.fromhex(vector["hex"])) == vector["text"]


@pytest.mark.parametrize("vector", read("commands.json"), ids=lambda vector: vector["name"])
def test_the_server_reads_a_command_from_either_form(vector: dict[str, Any]) -> None:
    command = COMMANDS[vector["name"]]
    assert decode_command(bytes.fromhex(vector["hex"]), MSGPACK) == command
    assert decode_command(vector["text"], JSON) == command


@pytest.mark.parametrize("vector", read("messages.json"), ids=lambda vector: vector["name"])
def test_the_servers_messages_are_read_back_as_typed(vector: dict[str, Any]) -> None:
    message = MESSAGES[vector["name"]]
    read_back: Message = msgspec.msgpack.decode(bytes.fromhex(vector["hex"]), type=Message)
    assert encode(read_back, MSGPACK) == encode(message, MSGPACK)


@pytest.mark.parametrize("vector", read("refused-msgpack.json"), ids=lambda vector: vector["name"])
def test_refused_bytes_are_refused_as_the_vector_says(vector: dict[str, Any]) -> None:
    assert_refused(vector, verdict(bytes.fromhex(vector["hex"]), MSGPACK))


@pytest.mark.parametrize("vector", read("refused-json.json"), ids=lambda vector: vector["name"])
def test_refused_text_is_refused_as_the_vector_says(vector: dict[str, Any]) -> None:
    assert_refused(vector, verdict(vector["text"], JSON))


def assert_refused(vector: dict[str, Any], refusal: Command | BadMessage) -> None:
    assert isinstance(refusal, BadMessage)
    said = {"code": refusal.code, "where": refusal.where, "id": refusal.command, "fatal": refusal.fatal}
    assert said == {key: vector[key] for key in said}


def test_every_message_type_and_every_error_code_has_a_vector() -> None:
    types = {vector["value"]["t"] for vector in ALL}
    assert types == {kind.__struct_config__.tag for kind in (*Command.__args__, *Message.__args__)}
    assert {vector["value"]["code"] for vector in ALL if vector["value"]["t"] == "error"} == set(ERRORS)


def test_node_reads_and_writes_every_vector_alike() -> None:
    assert node_scripts.run("vectors.mjs") == {"count": len(ALL), "faults": []}
