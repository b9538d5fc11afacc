"""What all HTTP answers share: who asks, bodies, pages, JSON, and problems (RFC 9457). Knows no route."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
import structlog
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from protocol.codec import decode_body
from protocol.errors import BadMessage, Refused
from protocol.http import Problem
from protocol.messages import FRAME_BYTES
from protocol.routes import PROBLEM_MEDIA, PROBLEM_TYPE, STATUS
from server.auth import Account, Tokens
from server.rulesets import RulesMissing
from server.session import details_of, text_of
from server.store.errors import Unavailable

log = structlog.get_logger()

T = TypeVar("T", bound=Struct)
R = TypeVar("R")
Answerer = Callable[[Request], Awaitable[Response]]
PAGE, LONGEST_PAGE = 50, 100


async def body_of(request: Request, kind: type[T]) -> T:
    """Read a JSON body of at most 64 KiB. Raises Refused (bad_message)."""
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > FRAME_BYTES:
            raise Refused("bad_message", f"a body has at most {FRAME_BYTES} bytes")
    try:
        return decode_body(bytes(raw), kind)
    except BadMessage as bad:
        raise Refused("bad_message", str(bad), where=bad.where) from None


async def account_of(request: Request, tokens: Tokens) -> Account | None:
    """Say who asks, None without a token. Raises Refused: see Tokens.verify."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Refused("unauthorized", "the header is: Authorization: Bearer TOKEN", reason="malformed")
    return await tokens.verify(token.strip())


async def required_account(request: Request, tokens: Tokens) -> Account:
    """Say who asks. Raises Refused."""
    account = await account_of(request, tokens)
    if account is None:
        raise Refused("unauthorized", reason="no_token")
    return account


def idempotency_key(request: Request) -> str:
    """Give what the client named its request by. Raises Refused."""
    key = request.headers.get("idempotency-key", "")
    if not 1 <= len(key) <= 36:
        raise Refused("bad_message", "the header Idempotency-Key has 1 to 36 characters", where="Idempotency-Key")
    return key


def limit_of(request: Request) -> int:
    """Say how much a page may hold. Raises Refused."""
    limit = request.query_params.get("limit", str(PAGE))
    if not (limit.isascii() and limit.isdecimal() and 1 <= int(limit) <= LONGEST_PAGE):
        raise Refused("bad_message", f"limit is 1 to {LONGEST_PAGE}", where="limit")
    return int(limit)


def cursor_of(request: Request) -> str:
    return request.query_params.get("cursor", "")


async def paged(page: Awaitable[tuple[R, str]]) -> tuple[R, str | None]:
    """Await a page of the store. Raises Refused for a cursor that is none."""
    try:
        rows, more = await page
    except ValueError:
        raise Refused("bad_message", "that cursor was not given out here", where="cursor") from None
    return rows, more or None


def answer(body: Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(body), status, media_type="application/json")


def guarded(answerer: Answerer) -> Answerer:
    """Turn every refusal and failure of a route into a problem."""

    async def guard(request: Request) -> Response:
        try:
            return await answerer(request)
        except Refused as refused:
            return problem(refused, request)
        except (Unavailable, RulesMissing) as error:
            return problem(Refused("unavailable", str(error), retry_after_ms=1_000), request)
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:
            log.error("request_failed", path=request.url.path, exc_info=error)
            return problem(Refused("internal"), request)

    return guard


def problem(refused: Refused, request: Request) -> Response:
    """Make the answer that says why not (RFC 9457, section 3)."""
    status = STATUS[refused.code]
    body = Problem(
        PROBLEM_TYPE + refused.code, refused.kind.text, status, refused.code, text_of(refused), request.url.path,
        refused.kind.retryable, refused.retry_after_ms, details_of(refused),
    )  # fmt: skip
    headers = {"retry-after": str(-(-refused.retry_after_ms // 1000))} if refused.retry_after_ms else None
    return Response(msgspec.json.encode(body), status, headers, PROBLEM_MEDIA)
