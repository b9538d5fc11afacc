"""Serves the page at GET /: files of this package, and ``table.js`` from the folder of a game's rules.

Owns addresses, headers and caching of static files. Knows no game, no room and no account.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from engines.registry import games

MEDIA: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
POLICY = "; ".join(
    (
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    )
)  # fmt: skip
HEADERS: Mapping[str, str] = {
    "cache-control": "no-cache",
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
PLAIN = b'export { line, table } from "/page/plain.js";\n'
"""What draws a game that brings no ``table.js``."""


class File(Struct, frozen=True):
    """A file as it is sent. ``etag``: moves with the bytes."""

    body: bytes
    media: str
    etag: str


def routes() -> list[Route]:
    """Give the routes of the page."""
    return [
        Route("/", _index, methods=["GET"]),
        Route("/page/{name}", _part, methods=["GET"]),
        Route("/games/{game}/table.js", _table, methods=["GET"]),
    ]


async def _index(request: Request) -> Response:
    return _answer(request, _files().get("index.html"))


async def _part(request: Request) -> Response:
    return _answer(request, _files().get(request.path_params["name"]))


async def _table(request: Request) -> Response:
    return _answer(request, _tables().get(request.path_params["game"]))


def _answer(request: Request, file: File | None) -> Response:
    """Send a file, or say that the one which the browser has is still right (RFC 9110, section 13.1.2)."""
    if file is None:
        return Response("There is nothing here.\n", 404, HEADERS, "text/plain")
    headers = {**HEADERS, "etag": file.etag}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if file.etag in known:
        return Response(status_code=304, headers=headers)
    return Response(file.body, 200, headers, file.media)


@cache
def _files() -> dict[str, File]:
    """Read the page's own files, by name: whatever else is asked for is not there."""
    folder = files("server.page") / "static"
    return {path.name: _file(path.name, path.read_bytes()) for path in folder.iterdir() if _ending(path.name) in MEDIA}


@cache
def _tables() -> dict[str, File]:
    """Read how each game draws its table: ``table.js`` beside its rules, wherever it is installed from."""
    return {name: _file("table.js", drawing_of(type(rules).__module__) or PLAIN) for name, rules in games().items()}


def drawing_of(module: str) -> bytes | None:
    """Find ``table.js`` beside a game's rules: in its package, or in a package that the rules themselves are."""
    for folder in (module, module.rpartition(".")[0]):
        try:
            found = files(folder) / "table.js"
        except (ImportError, TypeError, ValueError):
            continue  # a module that is no package has no folder
        if found.is_file():
            return found.read_bytes()
    return None


def _file(name: str, body: bytes) -> File:
    return File(body, MEDIA[_ending(name)], f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def _ending(name: str) -> str:
    return name[name.rfind(".") :]
