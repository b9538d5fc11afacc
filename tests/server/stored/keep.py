"""One example of everything that is kept in Redis, every field set, and the bytes of it that releases have written.

``python -m tests.server.stored.keep`` adds the bytes of what has grown. Files that are there stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import Struct, inspect

from engines.record import decode_record, encode
from protocol.http import RoomInfo
from protocol.messages import Ok, Said
from server.crowd import Members, Word, decode_members, decode_word
from server.frames import Entry, decode_entry
from server.releases import Release
from server.state import Input, Logged, RoomState, decode_logged, decode_state

FOLDER = Path(__file__).parent
Decode = Callable[[bytes], Any]


def decoder(kind: Any) -> Decode:
    return msgspec.msgpack.Decoder(kind).decode


def example(kind: type[Struct]) -> Any:
    """Make a struct with a value in every field, the same each time."""
    made = {
        field.name: _value(field.type, at)
        for at, field in enumerate(inspect.type_info(kind).fields, 1)  # type: ignore[attr-defined]
    }
    return kind(**made)


def _value(kind: inspect.Type, at: int) -> Any:
    match kind:
        case inspect.Metadata():
            return _value(kind.type, at)
        case inspect.StructType():
            return example(kind.cls)
        case inspect.UnionType():
            return _value(next(one for one in kind.types if not isinstance(one, inspect.NoneType)), at)
        case inspect.ListType() | inspect.VarTupleType():
            of = list if isinstance(kind, inspect.ListType) else tuple
            return of([_value(kind.item_type, at)])
        case inspect.TupleType():
            return tuple(_value(one, at + n) for n, one in enumerate(kind.item_types))
        case inspect.DictType():
            return {"key": _value(kind.value_type, at)}
        case inspect.LiteralType():
            return kind.values[-1]
        case inspect.BoolType():
            return True
        case inspect.IntType():
            least = max(kind.ge or 0, (kind.gt + 1) if kind.gt is not None else 0)
            return min(least + at, kind.le if kind.le is not None else least + at)
        case inspect.BytesType():
            return b"bytes %d" % at + b"." * max(0, (kind.min_length or 0) - 8)
        case inspect.StrType() | inspect.AnyType():
            return f"text {at}"
    raise AssertionError(f"no example of {kind}")


def examples() -> dict[str, tuple[Any, Decode]]:
    """Give an example of everything that is stored, by name, with what decodes it."""
    logged = example(Logged)
    inputs = {
        f"logged-{kind.__struct_config__.tag}": (msgspec.structs.replace(logged, input=example(kind)), decode_logged)
        for kind in get_args(Input)
    }
    return {
        "state": (example(RoomState), decode_state), "record": (example(RoomState).record, decode_record), **inputs,
        "entry": (example(Entry), decode_entry), "members": (example(Members), decode_members),
        "word": (example(Word), decode_word), "listing": (example(RoomInfo), decoder(RoomInfo)),
        "outcome": (example(Ok), decoder(Ok)), "said": (example(Said), decoder(Said)),
        "release": (example(Release), decoder(Release)),
    }  # fmt: skip


def kept(name: str) -> list[bytes]:
    """Give the bytes of one example that releases have written, oldest first."""
    return [path.read_bytes() for path in sorted(FOLDER.glob(f"{name}.[0-9][0-9].bin"))]


def main() -> None:
    for name, (value, _) in examples().items():
        raw, known = encode(value), kept(name)
        if raw not in known:
            (FOLDER / f"{name}.{len(known) + 1:02}.bin").write_bytes(raw)


if __name__ == "__main__":
    main()
