"""Logs: one JSON object a line, or coloured text on a terminal; never a token, a hand or a choice.

Owns the form of every line that the service writes. Knows nothing of what happens in it.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, TextIO

import structlog
from structlog.typing import Processor

from server.settings import Settings

SECRET_KEYS = frozenset(
    {
        "act", "acts", "authorization", "deck", "decks", "entropy", "events", "hand", "key", "options", "password",
        "picks", "record", "secret", "seed", "token", "view", "zones",
    }
)  # fmt: skip
_OF_STRUCTLOG = ("event", "exc_info", "_record", "_from_structlog")
HIDDEN = "(not logged)"
MAX_DEPTH = 4
LIBRARIES = {
    "asyncio": logging.INFO,
    "httpcore": logging.WARNING,
    "httpx": logging.WARNING,
    "uvicorn": logging.INFO,
    "uvicorn.access": logging.WARNING,
    "uvicorn.error": logging.INFO,
    "websockets": logging.INFO,
}
"""The least level of each library, whatever is asked for. Access lines stay out: an address may carry a room's code."""


def configure_logs(settings: Settings, stream: TextIO | None = None) -> None:
    """Send all logs, those of libraries included, to ``stream`` (None: stderr) in the form that was asked for."""
    stream = stream or sys.stderr
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    before: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        hide_secrets,
    ]
    structlog.configure(
        processors=[*before, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    out = logging.StreamHandler(stream)
    out.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*before, structlog.stdlib.add_logger_name], processors=_rendering(settings, stream)
        )
    )
    _route(out, level)


def _rendering(settings: Settings, stream: TextIO) -> list[Processor]:
    """Choose the last steps. Tracebacks are plain: the richer ones print local variables."""
    drop_meta = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    if settings.log_format == "console" or (settings.log_format == "auto" and stream.isatty()):
        plain = structlog.dev.plain_traceback
        return [drop_meta, structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=plain)]
    return [drop_meta, structlog.processors.format_exc_info, structlog.processors.JSONRenderer(serializer=_one_line)]


def _route(out: logging.Handler, level: int) -> None:
    root = logging.getLogger()
    root.handlers[:] = [out]
    root.setLevel(level)
    for name, least in LIBRARIES.items():
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(max(level, least))


def _one_line(entry: Any, **kwargs: Any) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"), default=str)


def hide_secrets(_: Any, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Blank the values of keys that may hold a secret of an account or of a match, however deep they lie."""
    for name, value in entry.items():
        if name not in _OF_STRUCTLOG:
            entry[name] = HIDDEN if name.lower() in SECRET_KEYS else _hidden(value, MAX_DEPTH)
    return entry


def _hidden(value: Any, depth: int) -> Any:
    if isinstance(value, (str, int, float, type(None), BaseException)):
        return value
    if depth == 0:
        return HIDDEN
    if isinstance(value, Mapping):
        return {
            str(name): HIDDEN if str(name).lower() in SECRET_KEYS else _hidden(part, depth - 1)
            for name, part in value.items()
        }
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_hidden(part, depth - 1) for part in value]
    return value if isinstance(value, type) else HIDDEN
