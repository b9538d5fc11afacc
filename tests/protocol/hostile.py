"""Frames that are no commands, small enough to be kept as vectors, and larger ones that are made."""

from __future__ import annotations

import msgpack

from protocol.codec import decode_command
from protocol.errors import BadMessage
from protocol.messages import FRAME_BYTES, Command
from protocol.profile import MAX_DEPTH, MAX_INT, MAX_ITEMS, MAX_VALUES
from tests.protocol.samples import nested


def verdict(raw: bytes | str, subprotocol: str) -> Command | BadMessage:
    """Decode; give the refusal instead of raising it."""
    try:
        return decode_command(raw, subprotocol)
    except BadMessage as refusal:
        return refusal


def _ping(**fields: object) -> bytes:
    packed: bytes = msgpack.packb({"t": "ping", "id": "h-1", **fields})
    return packed


_PING = _ping()
_ENDS = b"\x83" + _PING[1:]  # a map of three, its third field missing

HOSTILE_MSGPACK: dict[str, bytes] = {
    "nothing at all": b"",
    "a type that does not exist": b"\xc1",
    "cut in the middle": _PING[:-2],
    "something behind the message": _PING + b"\xc0",
    "two messages": _PING + _PING,
    "an announced list of four billion": b"\xdd\xff\xff\xff\xff",
    "an announced map of four billion": b"\xdf\xff\xff\xff\xff",
    "announced text of four billion": b"\xdb\xff\xff\xff\xff",
    "announced bytes of four billion": b"\xc6\xff\xff\xff\xff",
    "an announced extension of four billion": b"\xc9\xff\xff\xff\xff\x05",
    "a huge list inside a field": _ENDS + b"\xa1x\xdd\xff\xff\xff\xff\x01\x02",
    "text that is not UTF-8": _ENDS + b"\xa1x\xa2\xff\xfe",
    "a surrogate in text": _ENDS + b"\xa1x\xa3\xed\xa0\x80",
    "not a map": b"\x93\x01\x02\x03",
    "a number": b"\x07",
    "a key that is a number": _ENDS + b"\x01\x02",
    "a key that is bytes": _ENDS + b"\xc4\x01x\x02",
    "a key that is a list": _ENDS + b"\x91\x01\x02",
    "a key that is a map": _ENDS + b"\x80\x02",
    "a number for a key deep inside": _ENDS + b"\xa1x\x91\x81\x01\x02",
    "a float": _ping(x=1.5),
    "a whole float": _ping(x=1.0),
    "a short float": _ENDS + b"\xa1x\xca\x3f\x80\x00\x00",
    "not a number": _ping(x=float("nan")),
    "infinity": _ping(x=float("inf")),
    "an extension": _ENDS + b"\xa1x\xd4\x05\x00",
    "a timestamp": _ENDS + b"\xa1x\xd6\xff\x00\x00\x00\x01",
    "an integer just too large": _ping(x=MAX_INT + 1),
    "an integer just too small": _ping(x=-MAX_INT - 1),
    "the largest integer": _ping(x=2**64 - 1),
    "bytes inside a value": _ping(x=[b"\x00"]),
    "one level too deep": _ping(x=nested(MAX_DEPTH)),
    "a key twice": b"\x83" + _PING[1:] + b"\xa2id\xa3h-2",
    "a key twice deep inside": _ENDS + b"\xa1x\x91\x82\xa1a\x01\xa1a\x01",
    "no type": msgpack.packb({"id": "h-1"}),
    "a type that is a number": msgpack.packb({"t": 3, "id": "h-1"}),
    "an unknown type": msgpack.packb({"t": "dance", "id": "h-1"}),
    "a message of the server": msgpack.packb({"t": "bye", "code": 1000, "reason": ""}),
    "no id": msgpack.packb({"t": "ping"}),
    "an empty id": msgpack.packb({"t": "ping", "id": ""}),
    "an id that is too long": msgpack.packb({"t": "ping", "id": "x" * 37}),
    "an id that is a number": msgpack.packb({"t": "ping", "id": 1}),
    "a seat that does not exist": msgpack.packb({"t": "join", "id": "h-1", "room": "r", "seat": 8}),
    "a seat below nothing": msgpack.packb({"t": "join", "id": "h-1", "room": "r", "seat": -1}),
    "a seat that is true": msgpack.packb({"t": "join", "id": "h-1", "room": "r", "seat": True}),
    "an unknown role": msgpack.packb({"t": "join", "id": "h-1", "room": "r", "role": "judge"}),
    "entropy as text": msgpack.packb({"t": "ready", "id": "h-1", "room": "r", "entropy": "x" * 16}),
    "too little entropy": msgpack.packb({"t": "ready", "id": "h-1", "room": "r", "entropy": b"x" * 15}),
    "too much entropy": msgpack.packb({"t": "ready", "id": "h-1", "room": "r", "entropy": b"x" * 65}),
    "bytes for a deck": msgpack.packb({"t": "join", "id": "h-1", "room": "r", "deck": b"x"}),
    "a pick that is a list": msgpack.packb({"t": "choose", "id": "h-1", "room": "r", "prompt": 1, "picks": [[]]}),
    "text that is empty": msgpack.packb({"t": "say", "id": "h-1", "room": "r", "text": ""}),
    "text that is too long": msgpack.packb({"t": "say", "id": "h-1", "room": "r", "text": "x" * 501}),
}

HOSTILE_JSON: dict[str, str] = {
    "nothing at all": "",
    "no JSON": "ping",
    "cut in the middle": '{"t":"ping","id":"h-1"',
    "something behind the message": '{"t":"ping","id":"h-1"} {}',
    "not a map": '["ping"]',
    "a float": '{"t":"ping","id":"h-1","x":1.5}',
    "a whole float": '{"t":"choose","id":"h-1","room":"r","prompt":1.0,"picks":[]}',
    "a float by exponent": '{"t":"ping","id":"h-1","x":1e3}',
    "not a number": '{"t":"ping","id":"h-1","x":NaN}',
    "infinity": '{"t":"ping","id":"h-1","x":-Infinity}',
    "a float out of range": '{"t":"ping","id":"h-1","x":1e400}',
    "an integer just too large": f'{{"t":"ping","id":"h-1","x":{MAX_INT + 1}}}',
    "an integer of thirty digits": f'{{"t":"ping","id":"h-1","x":{"1" * 30}}}',
    "a key twice": '{"t":"ping","id":"h-1","id":"h-2"}',
    "a key twice, spelled differently": '{"t":"ping","id":"h-1","x":{"a":1,"\\u0061":2}}',
    "half a surrogate pair": '{"t":"ping","id":"h-1","x":"\\ud800"}',
    "a control character": '{"t":"ping","id":"h-1","x":"\x01"}',
    "one level too deep": '{"t":"ping","id":"h-1","x":' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}",
    "an unknown type": '{"t":"dance","id":"h-1"}',
    "entropy that is no base64": '{"t":"ready","id":"h-1","room":"r","entropy":"????????????????????????"}',
    "too little entropy": '{"t":"ready","id":"h-1","room":"r","entropy":"AAAA"}',
    "a comment": '{"t":"ping","id":"h-1" /* here */}',
}

LARGE_MSGPACK: dict[str, bytes] = {
    "lists in lists in lists": b"\x91" * FRAME_BYTES,
    "maps in maps in maps": b"\x81\xa1a" * (FRAME_BYTES // 3),
    "announced lists in announced lists": b"\xdd\xff\xff\xff\xff" * (FRAME_BYTES // 5),
    "announced maps in announced maps": b"\xdf\xff\xff\xff\xff\xa1a" * (FRAME_BYTES // 7),
    "lists that announce what is just there": b"\xdc\xff\xf0" * (FRAME_BYTES // 3),
    "too many items": _ping(x=[0] * (MAX_ITEMS + 1)),
    "too many keys": _ping(x={str(n): n for n in range(MAX_ITEMS + 1)}),
    "too many values": _ping(x=[[0] * MAX_ITEMS] * (MAX_VALUES // MAX_ITEMS)),
    "sixty thousand numbers": _ping(x=[[0] * 1000] * 60),
    "sixty thousand bytes of text for an enum": _ping(t="join", room="r", role="x" * 60_000),
    "a byte too many": _ping(x="x" * FRAME_BYTES),
}

LARGE_JSON: dict[str, str] = {
    "lists in lists in lists": "[" * FRAME_BYTES,
    "maps in maps in maps": '{"a":' * (FRAME_BYTES // 5),
    "an integer of sixty thousand digits": "1" * 60_000,
    "a float of sixty thousand digits": "1" * 60_000 + ".5",
    "an exponent of sixty thousand digits": "1e" + "9" * 60_000,
    "an integer inside a field": '{"t":"ping","id":"h-1","x":' + "7" * 60_000 + "}",
    "blanks": " " * FRAME_BYTES,
    "a byte too many": " " * FRAME_BYTES + "1",
    "escapes": '"' + "\\u0041" * 10_000 + '"',
    "a lone surrogate in the text itself": '{"t":"ping","id":"h-1","x":"\ud800"}',
}
