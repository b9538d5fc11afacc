"""Logs: their form, what is kept out of them, and that libraries write in the same form."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from server.settings import read_settings
from server.telemetry import HIDDEN, LIBRARIES, configure_logs, hide_secrets


@pytest.fixture(autouse=True)
def _logs_as_they_were() -> Iterator[None]:
    root = logging.getLogger()
    before = (root.handlers[:], root.level, {name: logging.getLogger(name).level for name in LIBRARIES})
    yield
    root.handlers[:], root.level = before[0], before[1]
    for name, level in before[2].items():
        logging.getLogger(name).setLevel(level)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def logged(level: str = "info", form: str = "json", stream: io.StringIO | None = None) -> io.StringIO:
    stream = stream or io.StringIO()
    configure_logs(read_settings(log_level=level, log_format=form), stream)
    return stream


def entries(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_one_event_is_one_json_object_on_one_line() -> None:
    stream = logged()
    structlog.get_logger().info("commit_made", version=3, room="r1", text="two\nlines")
    (entry,) = entries(stream)
    assert entry["event"] == "commit_made"
    assert (entry["version"], entry["level"], entry["text"]) == (3, "info", "two\nlines")
    assert entry["timestamp"].endswith("Z")


def test_what_is_bound_to_a_socket_is_on_all_its_lines() -> None:
    stream = logged()
    with structlog.contextvars.bound_contextvars(conn="c1"):
        structlog.get_logger().info("inside")
    structlog.get_logger().info("outside")
    assert [entry.get("conn") for entry in entries(stream)] == ["c1", None]


def test_secrets_are_blanked_however_deep_they_lie() -> None:
    stream = logged()
    structlog.get_logger().info(
        "choice_taken", token="t-secret", Seed=b"s-secret", seat=1,
        command={"t": "choose", "picks": ["p-secret"], "more": [{"hand": "h-secret"}]},
    )  # fmt: skip
    (entry,) = entries(stream)
    assert "secret" not in stream.getvalue()
    assert entry["command"] == {"t": "choose", "picks": HIDDEN, "more": [{"hand": HIDDEN}]}
    assert entry["seat"] == 1


def test_what_has_no_plain_form_is_blanked_rather_than_printed() -> None:
    class Hand:
        def __repr__(self) -> str:
            return "h-secret"

    nested: Any = "n-secret"
    for _ in range(10):
        nested = [nested]
    entry = hide_secrets(None, "info", {"event": "x", "who": Hand(), "blob": b"b-secret", "nested": nested})
    assert "secret" not in repr(entry)


def test_what_is_logged_stays_as_it_was_for_the_caller() -> None:
    logged()
    command = {"picks": ["1"]}
    structlog.get_logger().info("choice_taken", command=command)
    assert command == {"picks": ["1"]}


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_traceback_tells_where_and_not_the_local_variables(form: str) -> None:
    stream = logged(form=form)
    try:
        hidden = "l-" + "secret"
        raise KeyError(len(hidden))
    except KeyError:
        structlog.get_logger().exception("rule_raised")
    assert "KeyError: 8" in stream.getvalue()
    assert "l-secret" not in stream.getvalue()


def test_libraries_write_in_the_same_form() -> None:
    stream = logged()
    logging.getLogger("uvicorn.error").info("Started server process [%d]", 7)
    logging.getLogger("uvicorn.access").info("GET /v1/rooms/r1?code=c-secret")
    logging.getLogger("httpx").info("GET https://id.example/keys")
    (entry,) = entries(stream)
    assert (entry["event"], entry["logger"]) == ("Started server process [7]", "uvicorn.error")


def test_what_a_library_could_not_do_is_told_with_its_traceback() -> None:
    stream = logged()
    try:
        raise OSError("no route")
    except OSError:
        logging.getLogger("asyncio").exception("gave up")
    (entry,) = entries(stream)
    assert "OSError: no route" in entry["exception"]


def test_less_than_the_level_is_not_logged() -> None:
    stream = logged("warning")
    structlog.get_logger().info("quiet")
    structlog.get_logger().warning("loud")
    logging.getLogger("uvicorn.error").info("quiet")
    assert [entry["event"] for entry in entries(stream)] == ["loud"]


def test_debug_is_for_the_service_and_not_for_chatty_libraries() -> None:
    stream = logged("debug")
    structlog.get_logger().debug("detail")
    logging.getLogger("websockets").debug("bytes")
    logging.getLogger("asyncio").debug("selector")
    assert [entry["event"] for entry in entries(stream)] == ["detail"]


def test_a_terminal_gets_coloured_text_and_a_pipe_gets_json() -> None:
    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        logged(form="auto", stream=stream)
        structlog.get_logger().info("commit_made", version=3)
        structlog.reset_defaults()
    assert "\x1b[" in terminal.getvalue()
    assert "commit_made" in terminal.getvalue()
    assert entries(pipe)[0]["version"] == 3
