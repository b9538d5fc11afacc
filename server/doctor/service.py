"""A running server from outside, and the identity provider that it believes. Knows HTTP only."""

from __future__ import annotations

import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from importlib.metadata import version as installed

import httpx

from server.doctor.finding import Finding, fail, ok, warn
from server.settings import PREFIX, Settings

ASK_S = 5.0
SKEW_S = 5.0
"""HTTP tells its time in whole seconds."""


def service(url: str) -> Iterator[Finding]:
    """Ask a running server how it is. ``url``: http://host:port."""
    base = (url if "://" in url else f"http://{url}").rstrip("/")
    try:
        with httpx.Client(base_url=base, timeout=ASK_S) as http:
            alive = http.get("/healthz")
            yield (
                ok("server", f"{base} lives")
                if alive.status_code == 200
                else fail("server", f"{base}/healthz answered {alive.status_code}", "look at its log")
            )
            yield _ready(http.get("/readyz"))
            yield _release(http.get("/version"))
            yield _skew(alive)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError) as error:
        yield fail("server", f"{base} cannot be asked ({error})", "start it by `sanctum serve`, or mend the address")


def _ready(answer: httpx.Response) -> Finding:
    told = answer.json()
    if answer.status_code == 200:
        return ok("ready", "what is published at the store arrives")
    if told.get("status") == "draining":
        return warn("ready", "it drains", "none: it is about to stop")
    return fail(
        "ready",
        f"store: {told.get('checks', {}).get('store', told)}",
        "see the lines about redis; if all are ok, its log",
    )


def _release(answer: httpx.Response) -> Finding:
    there, here = answer.json()["server"], installed("sanctum")
    if there != here:
        return warn("release", f"the server is {there}, this is {here}", "ask it with its own release to be sure")
    return ok("release", f"{there}, like this one")


def _skew(answer: httpx.Response) -> Finding:
    if "date" not in answer.headers:
        return ok("server clock", "not told")
    off = abs(parsedate_to_datetime(answer.headers["date"]).timestamp() - time.time())
    if off > SKEW_S:
        return warn("server clock", f"{off:.0f} s from this host's", "run ntpd or chronyd on both: tokens expire by it")
    return ok("server clock", "like this host's")


def provider(settings: Settings) -> Iterator[Finding]:
    """Fetch the keys of the identity provider, where one is set."""
    if settings.jwks_url is None:
        return
    try:
        answer = httpx.get(settings.jwks_url, timeout=ASK_S).raise_for_status()
        count = len(answer.json()["keys"])
    except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
        advice = f"mend {PREFIX}JWKS_URL, or the way there: nobody new can be let in"
        yield fail("identity provider", f"its keys cannot be fetched ({error})", advice)
        return
    yield ok("identity provider", f"{count} keys")
