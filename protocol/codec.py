"""From bytes to commands and from messages to bytes, in both subprotocols, and nothing but commands or BadMessage.

Owns the encodings; knows what may travel from profile.py and never what a message means.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, TypeVar, get_args

import msgpack
import msgspec

from protocol.errors import BadMessage
from protocol.messages import FRAME_BYTES, SUBPROTOCOLS, Command, Message
from protocol.profile import misfit

MSGPACK, JSON = SUBPROTOCOLS
DIGEST_BYTES = 16

T = TypeVar("T", bound=msgspec.Struct)

_COMMANDS: dict[str, type[Command]] = {kind.__struct_config__.tag: kind for kind in get_args(Command)}
_MAX_ID = 36
_MAX_TEXT = 200

_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder().decode
_pack_sorted = msgspec.msgpack.Encoder(order="deterministic").encode
_write = msgspec.json.Encoder().encode
_read = msgspec.json.Decoder().decode


def decode_command(raw: bytes | str, subprotocol: str) -> Command:
    """Read one command. Raises BadMessage, and nothing else, for anything that is not one."""
    frame = _frame(raw, subprotocol)
    value = _value(frame, subprotocol)
    command = _id_of(value)
    return _typed(_fit(frame, value, command, subprotocol), command, subprotocol)


def decode_body(raw: bytes, kind: type[T]) -> T:
    """Read the JSON body of an HTTP request, within the bounds of a frame. Raises BadMessage."""
    frame = _frame(raw, JSON)
    value = _fit(frame, _value(frame, JSON), None, JSON)
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise BadMessage(str(error)) from None


def encode(message: Message, subprotocol: str) -> bytes | str:
    """Write one message of the server: bytes in msgpack, text in JSON."""
    return _pack(message) if subprotocol == MSGPACK else _write(message).decode()


def pack(message: Message) -> bytes:
    """Write one message of the server in msgpack."""
    return _pack(message)


def encode_json(frame: bytes) -> str:
    """Write as JSON what was encoded as msgpack: the same text that ``encode`` gives."""
    return _write(_unpack(frame)).decode()


def command_digest(command: Command) -> bytes:
    """Digest what a command asks for, its id apart: equal over both subprotocols, in any order of keys."""
    return body_digest(msgspec.structs.replace(command, id=""))


def body_digest(body: msgspec.Struct) -> bytes:
    """Digest the body of a request, in any order of keys."""
    return hashlib.blake2b(_pack_sorted(body), digest_size=DIGEST_BYTES).digest()


def _frame(raw: bytes | str, subprotocol: str) -> bytes:
    """Give a frame's bytes, within the bound."""
    if isinstance(raw, str):
        if subprotocol == MSGPACK:
            raise BadMessage("text where this subprotocol has bytes", fatal=True)
        raw = raw.encode(errors="surrogatepass")
    if len(raw) > FRAME_BYTES:
        raise BadMessage(f"a frame of more than {FRAME_BYTES} bytes", fatal=True)
    return raw


def _value(frame: bytes, subprotocol: str) -> Any:
    """Decode without a schema, so that what no field names is looked at too.

    msgspec takes no announced length for granted: it compares with the bytes there are, and allocates as they come.
    """
    try:
        return _unpack(frame) if subprotocol == MSGPACK else _read(frame)
    except RecursionError:
        raise BadMessage("too deep", fatal=True) from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadMessage(str(error)[:_MAX_TEXT], fatal=True) from None


def _fit(frame: bytes, value: Any, command: str | None, subprotocol: str) -> dict[str, Any]:
    """Give a decoded value if it is a map within the profile. Raises BadMessage."""
    if (found := misfit(value)) is not None:
        raise BadMessage(found.text, where=found.where, command=command, fatal=found.bound)
    if type(value) is not dict:
        raise BadMessage("a message is a map")
    if (key := _twin(frame, value, subprotocol)) is not None:
        raise BadMessage("a key that stands twice in one map", where=key[:64], command=command)
    return value


def _id_of(value: Any) -> str | None:
    found = value.get("id") if type(value) is dict else None
    return found if type(found) is str and 0 < len(found) <= _MAX_ID else None


def _twin(frame: bytes, value: dict[str, Any], subprotocol: str) -> str | None:
    """Name a key that stands twice in one map, or None.

    Written back, a value takes the fewest bytes that it can: if the frame has no more, nothing was lost in
    reading it. Only frames that were written more lengthily are read a second time, with every key.
    """
    written = _pack(value) if subprotocol == MSGPACK else _write(value)
    if len(written) == len(frame):
        return None
    try:
        if subprotocol == MSGPACK:
            msgpack.unpackb(frame, object_pairs_hook=_refuse_twins)
        else:
            json.loads(frame, object_pairs_hook=_refuse_twins)
    except _TwinFound as found:
        return str(found)
    return None


class _TwinFound(Exception):
    """A key stands twice in one map."""


def _refuse_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, item in pairs:
        if key in seen:
            raise _TwinFound(key)
        seen[key] = item
    return seen


def _typed(value: dict[str, Any], command: str | None, subprotocol: str) -> Command:
    tag = value.get("t")
    if type(tag) is not str:
        raise BadMessage("a message names its type", where="t", command=command)
    kind = _COMMANDS.get(tag)
    if kind is None:
        raise BadMessage("no command of that name", code="unknown_type", where="t", command=command)
    try:
        return _CONVERT[subprotocol](value, kind)
    except msgspec.ValidationError as error:
        text, _, where = str(error).partition(" - at `$")
        raise BadMessage(text[:_MAX_TEXT], where=where.strip("`.")[:_MAX_TEXT], command=command) from None


def _from_msgpack(value: dict[str, Any], kind: type[Command]) -> Command:
    return msgspec.convert(value, kind, builtin_types=(bytes,))


def _from_json(value: dict[str, Any], kind: type[Command]) -> Command:
    """Like the above, but bytes are spelled in base64."""
    return msgspec.convert(value, kind)


_CONVERT: dict[str, Callable[[dict[str, Any], type[Command]], Command]] = {MSGPACK: _from_msgpack, JSON: _from_json}
