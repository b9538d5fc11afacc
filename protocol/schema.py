"""The schemas of the wire as other tools read them, made from the structs and the table of routes.

``python -m protocol.schema docs/protocol`` writes: schema.json (JSON Schema 2020-12), asyncapi.json (AsyncAPI 3),
openapi.json (OpenAPI 3.1) and messages.md. Nothing in them is written by hand.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import Struct

from protocol.errors import CLOSES, ERRORS
from protocol.http import Problem
from protocol.messages import FRAME_BYTES, SUBPROTOCOLS, VERSION, Command, Error, Message, Ok
from protocol.reference import messages_page
from protocol.routes import PROBLEM_MEDIA, ROUTES, STATUS, Route

TITLE = "Sanctum wire protocol"
COMMANDS: tuple[type[Struct], ...] = get_args(Command)
MESSAGES: tuple[type[Struct], ...] = get_args(Message)

_JSON = "application/json"
_COMPONENTS = "#/components/schemas/{name}"


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema of every message, in its JSON form (bytes are base64 text)."""
    (command, message), named = msgspec.json.schema_components([Command, Message], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:sanctum:protocol:{VERSION}",
        "title": TITLE,
        "anyOf": [{"$ref": "#/$defs/Command"}, {"$ref": "#/$defs/Message"}],
        "$defs": {"Command": command, "Message": message, **named},
    }


def asyncapi() -> dict[str, Any]:
    """Give the socket as an AsyncAPI 3 page: the service receives commands and sends messages."""
    _, named = msgspec.json.schema_components([*COMMANDS, *MESSAGES], ref_template=_COMPONENTS)
    kinds = (*COMMANDS, *MESSAGES)
    return {
        "asyncapi": "3.0.0",
        "info": {"title": TITLE, "version": str(VERSION), "description": _socket_text()},
        "defaultContentType": _JSON,
        "channels": {
            "socket": {
                "address": "/v1/ws",
                "messages": {_tag(kind): {"$ref": f"#/components/messages/{_tag(kind)}"} for kind in kinds},
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            **{_tag(kind): _receives(kind) for kind in COMMANDS},
            **{_tag(kind): _sends(kind) for kind in MESSAGES if kind not in (Ok, Error)},
        },
        "components": {
            "messages": {_tag(kind): _async_message(kind) for kind in kinds},
            "schemas": named,
        },
    }


def openapi() -> dict[str, Any]:
    """Give the HTTP routes as an OpenAPI 3.1 page."""
    bodies = [kind for route in ROUTES for kind in (route.request, route.response) if kind is not None]
    _, named = msgspec.json.schema_components([*dict.fromkeys(bodies), Problem], ref_template=_COMPONENTS)
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sanctum over HTTP", "version": str(VERSION)},
        "paths": paths,
        "components": {
            "schemas": named,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
    }


def pages() -> dict[str, str]:
    """Give every generated page by its file name."""
    return {
        "schema.json": _text(json_schema()),
        "asyncapi.json": _text(asyncapi()),
        "openapi.json": _text(openapi()),
        "messages.md": messages_page(json_schema()["$defs"], COMMANDS, MESSAGES),
    }


def _text(page: Mapping[str, Any]) -> str:
    return json.dumps(page, indent=2, ensure_ascii=False) + "\n"


def _tag(kind: type[Struct]) -> str:
    return str(kind.__struct_config__.tag)


def _name(kind: type[Struct]) -> str:
    return kind.__name__


def _summary(kind: type[Struct]) -> str:
    return (kind.__doc__ or "").partition("\n\n")[0].replace("``", "`")


def _socket_text() -> str:
    closes = "\n".join(f"- {kind.code}: {kind.text}" for kind in CLOSES.values())
    return (
        f"Subprotocols: {', '.join(SUBPROTOCOLS)}. The schemas show the JSON form; in msgpack, base64 text is bin. "
        f"At most {FRAME_BYTES} bytes a frame.\n\nClose codes:\n\n{closes}"
    )


def _async_message(kind: type[Struct]) -> dict[str, Any]:
    return {
        "name": _tag(kind),
        "title": _name(kind),
        "summary": _summary(kind),
        "payload": {"$ref": _COMPONENTS.format(name=_name(kind))},
    }


def _on_socket(kinds: Iterable[type[Struct]]) -> dict[str, Any]:
    messages = [{"$ref": f"#/channels/socket/messages/{_tag(kind)}"} for kind in kinds]
    return {"channel": {"$ref": "#/channels/socket"}, "messages": messages}


def _receives(kind: type[Struct]) -> dict[str, Any]:
    return {"action": "receive", "summary": _summary(kind), **_on_socket([kind]), "reply": _on_socket([Ok, Error])}


def _sends(kind: type[Struct]) -> dict[str, Any]:
    return {"action": "send", "summary": _summary(kind), **_on_socket([kind])}


def _body(kind: type[Struct], media: str = _JSON) -> dict[str, Any]:
    return {media: {"schema": {"$ref": _COMPONENTS.format(name=_name(kind))}}}


def _operation(route: Route) -> dict[str, Any]:
    content = {route.media: {}} if route.response is None else _body(route.response, route.media)
    page: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.text,
        "responses": {str(route.status): {"description": "Done.", "content": content}, **_refusals(route)},
    }
    if route.parameters:
        page["parameters"] = [
            {"name": p.name, "in": p.place, "description": p.text, "schema": p.schema, "required": p.required}
            for p in route.parameters
        ]
    if route.request is not None:
        page["requestBody"] = {"required": True, "content": _body(route.request)}
    if route.auth is not None:
        page["security"] = [{"token": []}] if route.auth == "must" else [{}, {"token": []}]
    return page


def _refusals(route: Route) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in route.errors:
        by_status.setdefault(STATUS[code], []).append(code)
    return {
        str(status): {
            "description": "; ".join(f"`{code}`: {ERRORS[code].text}" for code in codes),
            "content": _body(Problem, PROBLEM_MEDIA),
        }
        for status, codes in sorted(by_status.items())
    }


def main(folder: str) -> None:
    """Write all pages into a folder."""
    for name, text in pages().items():
        Path(folder, name).write_text(text)


if __name__ == "__main__":
    main(sys.argv[1])
