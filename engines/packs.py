"""Read packs: TOML bytes from an operator in, checked structs out, or everything that is wrong with them.

Owns bounds on size and depth and the search for every misfit, field by field. Knows no game: a game brings
its structs and turns each misfit into a fault with a code of its own.
"""

from __future__ import annotations

import hashlib
import tomllib
import types
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo

from engines.rules import Fault, Pack, PackError

MAX_PACK_BYTES = 1 << 20
MAX_LINE_BYTES = 1000
MAX_DEPTH = 24
MAX_MISFITS = 1000

Path = tuple[str | int, ...]


class Misfit(Struct, frozen=True):
    """One place where read data does not fit a type. ``path``: field names and list places from the top.

    ``missing``: a required field is not there; ``unknown``: a field or tag word that the type does not have;
    ``value``: the wrong type, word, length, or a combination that the struct itself refuses.
    """

    path: Path
    problem: Literal["missing", "unknown", "value"]
    text: str


def parse(source: bytes, code: str) -> dict[str, Any]:
    """Parse a pack's TOML. Raises PackError with one fault of ``code`` if it is no TOML, too large or too deep."""
    try:
        if len(source) > MAX_PACK_BYTES:
            raise ValueError(f"a pack has at most {MAX_PACK_BYTES} bytes, this one {len(source)}")
        if any(len(line) > MAX_LINE_BYTES for line in source.splitlines()):  # parsing one dotted key is quadratic
            raise ValueError(f"a line has at most {MAX_LINE_BYTES} bytes")
        tree = tomllib.loads(source.decode())
        if _is_deeper(tree, MAX_DEPTH):
            raise ValueError(f"tables and lists are nested deeper than {MAX_DEPTH}")
    except (ValueError, RecursionError) as error:  # bad UTF-8 and TOML are ValueErrors; nesting exhausts the parser
        raise PackError([Fault(code, "pack", str(error)[:200])]) from None
    return tree


def misfits(kind: Any, value: Any, path: Path = ()) -> list[Misfit]:
    """List every place where ``value`` does not fit ``kind`` (at most 1,000), in the order of fields.

    ``kind``: a struct, a union of tagged structs, or tuples, lists, optionals and annotations of those.
    An empty list means that ``msgspec.convert(value, kind)`` succeeds.
    """
    return list(islice(_misfits(kind, value, path), MAX_MISFITS))


def spell(path: Path) -> str:
    """Write a path as people read it: ``ability[0].effect[1].n``."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).lstrip(".")


def game_named_in(tree: dict[str, Any]) -> str | None:
    """Give the game that a pack says it is for: ``ruleset`` or ``game`` under ``[pack]``, or ``game`` at its top."""
    head = tree.get("pack")
    places = (*((head.get("ruleset"), head.get("game")) if isinstance(head, dict) else ()), tree.get("game"))
    return next((name for name in places if isinstance(name, str)), None)


def made(source: bytes, *, id: str, title: str, game: str, cards: Any) -> Pack:  # noqa: A002  (the field's name)
    """Make a pack of checked cards, under the hash of the very bytes they were read from."""
    return Pack(id, title, game, hashlib.sha256(source).hexdigest(), source, cards)


def _is_deeper(tree: Any, depth: int) -> bool:
    level: list[Any] = [tree]
    for _ in range(depth):
        level = [part for node in level for part in _parts(node)]
        if not level:
            return False
    return True


def _parts(node: Any) -> Any:
    return node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()


def _misfits(kind: Any, value: Any, path: Path) -> Iterator[Misfit]:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        inner = _inside(_plain(kind), value, path)
        first = next(inner, None)
        yield first or Misfit(path, "value", _told(_plain(kind), value, error))
        yield from inner


def _told(kind: Any, value: Any, error: msgspec.ValidationError) -> str:
    """Say what is wrong with a value; of a closed set of words, which there are."""
    if get_origin(kind) is Literal:
        return f"{str(value)[:60]!r} is none of {', '.join(map(str, get_args(kind)))}"
    return str(error).partition(" - at `")[0]


def _plain(kind: Any) -> Any:
    """Take annotations and "or None" off a type: they do not change what lies inside."""
    if get_origin(kind) is Annotated:
        return _plain(get_args(kind)[0])
    if _is_union(kind):
        rest = [part for part in get_args(kind) if part is not type(None)]
        return _plain(rest[0]) if len(rest) == 1 else kind
    return kind


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, types.UnionType)


def _inside(kind: Any, value: Any, path: Path) -> Iterator[Misfit]:
    if isinstance(value, list) and get_origin(kind) in (tuple, list):
        for at, part in enumerate(value):
            yield from _misfits(get_args(kind)[0], part, (*path, at))
    elif isinstance(value, dict) and get_origin(kind) is dict:
        for key, part in value.items():
            yield from _misfits(get_args(kind)[1], part, (*path, key))
    elif isinstance(value, dict) and _is_union(kind):
        yield from _inside_union(get_args(kind), value, path)
    elif isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, Struct):
        yield from _inside_struct(kind, value, path)


def _inside_union(kinds: tuple[Any, ...], value: dict[str, Any], path: Path) -> Iterator[Misfit]:
    """Find the struct that the tag names; a union without tags is taken as a whole."""
    structs = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Struct)]
    fields = {kind.__struct_config__.tag_field for kind in structs}
    if len(fields) != 1 or None in fields:
        return
    tag = str(fields.pop())
    named = [kind for kind in structs if kind.__struct_config__.tag == value.get(tag)]
    if tag not in value:
        yield Misfit((*path, tag), "missing", f"`{tag}` is missing")
    elif not named:
        yield Misfit((*path, tag), "unknown", f"there is no `{tag}` {str(value[tag])[:60]!r}")
    else:
        yield from _inside_struct(named[0], value, path)


def _inside_struct(kind: type[Struct], value: dict[str, Any], path: Path) -> Iterator[Misfit]:
    fields = _fields(kind)
    for field in fields:
        here = (*path, field.encode_name)
        if field.encode_name in value:
            yield from _misfits(field.type, value[field.encode_name], here)
        elif field.required:
            yield Misfit(here, "missing", f"`{field.encode_name}` is missing")
    if kind.__struct_config__.forbid_unknown_fields:
        known = {field.encode_name for field in fields} | {kind.__struct_config__.tag_field}
        for name in (name for name in value if name not in known):
            yield Misfit((*path, name), "unknown", f"there is no field `{name[:60]}`")


@cache
def _fields(kind: type[Struct]) -> tuple[FieldInfo, ...]:
    return msgspec.structs.fields(kind)
