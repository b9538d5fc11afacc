"""The generated pages: fresh, valid by their own standards, and true of every sample."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from protocol.errors import ERRORS
from protocol.http import CreateRoom
from protocol.messages import Create
from protocol.routes import ROUTES, STATUS
from protocol.schema import asyncapi, json_schema, openapi, pages
from tests.protocol import node_scripts
from tests.protocol.vectors import read

FOLDER = Path(__file__).parents[2] / "docs" / "protocol"
ALL = [*read("commands.json"), *read("messages.json")]


@pytest.mark.parametrize("name", pages())
def test_pages_are_what_the_structs_give(name: str) -> None:
    assert (FOLDER / name).read_text() == pages()[name], "stale: make schema"


def test_the_json_schema_is_one() -> None:
    Draft202012Validator.check_schema(json_schema())


@pytest.mark.parametrize("vector", ALL, ids=[vector["name"] for vector in ALL])
def test_every_vector_obeys_the_json_schema(vector: dict[str, Any]) -> None:
    Draft202012Validator(json_schema()).validate(vector["value"])


@pytest.mark.parametrize(
    "message",
    [
        {"t": "choose", "id": "1", "room": "r"},
        {"t": "join", "id": "1", "room": "r", "seat": 8},
        {"t": "join", "id": "1", "room": "r", "role": "judge"},
        {"t": "say", "id": "1", "room": "r", "text": ""},
        {"t": "dance", "id": "1"},
        {"t": "frame", "room": "r", "v": 1, "tip": "x", "at": 0},
    ],
)
def test_the_json_schema_refuses_what_is_no_message(message: dict[str, Any]) -> None:
    assert not Draft202012Validator(json_schema()).is_valid(message)


def test_the_openapi_page_is_valid() -> None:
    OpenAPIV31SpecValidator(json.loads(pages()["openapi.json"])).validate()


def test_the_openapi_page_has_every_route_with_its_errors() -> None:
    paths = openapi()["paths"]
    for route in ROUTES:
        responses = paths[route.path][route.method.lower()]["responses"]
        assert set(responses) == {str(route.status), *(str(STATUS[code]) for code in route.errors)}


def test_the_asyncapi_page_is_valid_by_the_schema_that_asyncapi_publishes() -> None:
    assert node_scripts.run("asyncapi.mjs", str(FOLDER / "asyncapi.json")) == {"valid": True, "errors": []}


def test_every_reference_of_the_asyncapi_page_leads_somewhere() -> None:
    page = asyncapi()
    for reference in references(page):
        target: Any = page
        for step in reference.removeprefix("#/").split("/"):
            target = target[step]


def references(value: Any) -> list[str]:
    if isinstance(value, list):
        return [found for item in value for found in references(item)]
    if not isinstance(value, dict):
        return []
    own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
    return own + [found for item in value.values() for found in references(item)]


def test_a_room_is_created_over_http_as_over_the_socket() -> None:
    by_socket = msgspec.json.schema(Create)["$defs"]["Create"]["properties"]
    by_http = msgspec.json.schema(CreateRoom)["$defs"]["CreateRoom"]["properties"]
    assert {name: field for name, field in by_socket.items() if name not in ("t", "id")} == by_http


def test_every_error_code_has_a_status() -> None:
    assert set(STATUS) == set(ERRORS)
