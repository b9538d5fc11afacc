"""The page of all messages, error codes and close codes, as markdown made from their schemas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from protocol.errors import CLOSES, ERRORS

_HEAD = """# Messages

Made from the structs in `protocol/messages.py` (`python -m protocol.schema docs/protocol`); not written by hand.
How they are used together: [README.md](README.md). Every message is a map; `t` names its type. "base64" is `bin` in
msgpack and base64 text in JSON.
"""


def messages_page(
    schemas: Mapping[str, Any], commands: Iterable[type[Struct]], messages: Iterable[type[Struct]]
) -> str:
    """Write the page. ``schemas``: JSON Schemas by struct name; what is neither command nor message is a part."""
    sent = [kind.__name__ for kind in commands]
    got = [kind.__name__ for kind in messages]
    parts = [name for name in schemas if name not in {*sent, *got, "Command", "Message"}]
    chunks = [_HEAD, "## From the client\n", *(_section(schemas[name]) for name in sent)]
    chunks += ["## From the server\n", *(_section(schemas[name]) for name in got)]
    chunks += ["## Parts\n", *(_section(schemas[name]) for name in parts), _errors(), _closes()]
    return "\n".join(chunks)


def _section(schema: Mapping[str, Any]) -> str:
    tag = schema["properties"].get("t")
    title = f"`{tag['enum'][0]}`" if tag else schema["title"]
    needed = schema.get("required", ())
    rows = [_row(name, field, name in needed) for name, field in schema["properties"].items() if name != "t"]
    table = ["| field | type | |", "|---|---|---|", *rows, ""] if rows else []
    return "\n".join([f"### {title}\n", schema.get("description", "").replace("``", "`") + "\n", *table])


def _row(name: str, field: Mapping[str, Any], needed: bool) -> str:
    default = "required" if needed else _default(field)
    notes = [default, field.get("description", ""), *_bounds(field)]
    return f"| `{name}` | {_kind(field)} | {'; '.join(note for note in notes if note)} |"


def _default(field: Mapping[str, Any]) -> str:
    return f"default `{json.dumps(field['default'])}`" if "default" in field else "optional"


def _kind(field: Mapping[str, Any]) -> str:
    if "$ref" in field:
        return _link(field["$ref"].rpartition("/")[2])
    if "anyOf" in field:
        return " or ".join(map(_kind, field["anyOf"]))
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    kind: str = "base64" if "contentEncoding" in field else field.get("type", "any")
    return f"array of {_kind(field['items'])}" if kind == "array" and "items" in field else kind


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def _bounds(field: Mapping[str, Any]) -> Iterator[str]:
    for choice in field.get("anyOf", [field]):
        if "exclusiveMaximum" in choice:
            yield _range(choice.get("minimum"), choice["exclusiveMaximum"] - 1, "")
        else:
            yield _range(choice.get("minimum"), choice.get("maximum"), "")
        yield _range(choice.get("minLength"), choice.get("maxLength"), " characters")
        yield _range(choice.get("minItems"), choice.get("maxItems"), " items")


def _range(low: int | None, high: int | None, unit: str) -> str:
    if low is not None and high is not None:
        return f"{low}…{high}{unit}"
    return f"at least {low}{unit}" if low is not None else f"at most {high}{unit}" if high is not None else ""


def _errors() -> str:
    rows = [f"| `{kind.code}` | {'yes' if kind.retryable else 'no'} | {kind.text} |" for kind in ERRORS.values()]
    return "\n".join(["## Error codes\n", "| code | retry | meaning |", "|---|---|---|", *rows, ""])


def _closes() -> str:
    rows = [f"| {kind.code} | {'yes' if kind.again else 'no'} | {kind.text} |" for kind in CLOSES.values()]
    return "\n".join(["## Close codes\n", "| code | come back | meaning |", "|---|---|---|", *rows, ""])
