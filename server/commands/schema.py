"""``sanctum schema``: the wire as other tools read it."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from protocol.schema import pages


class Form(StrEnum):
    """What a page is for."""

    JSONSCHEMA = "jsonschema"
    ASYNCAPI = "asyncapi"
    OPENAPI = "openapi"
    MARKDOWN = "markdown"


PAGES = {
    Form.JSONSCHEMA: "schema.json",
    Form.ASYNCAPI: "asyncapi.json",
    Form.OPENAPI: "openapi.json",
    Form.MARKDOWN: "messages.md",
}


def print_schema(
    form: Annotated[Form, typer.Option("--format", help="Which description.")] = Form.JSONSCHEMA,
) -> None:
    """Print the schema of all messages, of the socket (AsyncAPI 3) or of the HTTP side (OpenAPI 3.1)."""
    sys.stdout.write(pages()[PAGES[form]])
