"""``sanctum doctor``: everything that an operator would look at, each in a line, with what to do."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, get_args

import structlog
import typer
from rich.text import Text

from server.commands.ends import FAILED, stdout, write_json
from server.doctor.finding import Finding, Level, fail, ok, warn
from server.doctor.host import host
from server.doctor.service import provider, service
from server.settings import BadSettings, Settings, read_settings, unknown_variables

COLOURS: dict[Level, str] = {"ok": "green", "warn": "yellow", "fail": "bold red"}
CHECK_WIDTH = 18


def doctor(
    url: Annotated[str | None, typer.Option(help="A running server to ask too: http://host:port.")] = None,
    redis: Annotated[str | None, typer.Option(help="Redis or Valkey to look at (default: as set).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable, alone on stdout.")] = False,
) -> None:
    """Look at settings, host, store and a running server: what is well, what is not, and what to do."""
    findings = []
    for finding in _all(url, redis):
        findings.append(finding)
        if not as_json:
            _show(finding)
    counts = {level: sum(each.level == level for each in findings) for level in get_args(Level)}
    if as_json:
        write_json({"ok": not counts["fail"], "counts": counts, "findings": findings})
    else:
        stdout().print(", ".join(f"{count} {level}" for level, count in counts.items()))
    if counts["fail"]:
        raise typer.Exit(FAILED)


def _show(finding: Finding) -> None:
    line = Text(f"{finding.level:<5}", style=COLOURS[finding.level])
    line.append(f"{finding.check:<{CHECK_WIDTH}} {finding.text}", style="default")
    stdout().print(line)
    if finding.advice:
        stdout().print(f"{'':5}{'':{CHECK_WIDTH}} -> {finding.advice}")


def _all(url: str | None, redis: str | None) -> Iterator[Finding]:
    for name, near in unknown_variables(os.environ):
        yield warn("settings", f"{name} is not a setting", f"did you mean {near}?" if near else "see: sanctum config")
    try:
        settings = read_settings(redis_url=redis)
    except BadSettings as error:
        for fault in error.faults:
            yield fail("settings", fault, "see: sanctum config")
        return
    yield ok("settings", f"valid, {len(settings.model_fields_set)} set")
    yield from host(settings)
    yield from provider(settings)
    yield from _store(settings)
    if url is not None:
        yield from service(url)


def _store(settings: Settings) -> list[Finding]:
    """Look at the operator's store, or at the embedded one while it runs."""
    from server.store.checkup import checkup

    address = settings.redis_url.get_secret_value() if settings.redis_url else _embedded(settings.data_dir)
    if not address:
        return [ok("redis", "the embedded store does not run; a server starts it")]

    async def all_of_it() -> list[Finding]:
        return [finding async for finding in checkup(address, settings.durability)]

    with _silence():
        return asyncio.run(all_of_it())


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Keep the store from logging what the findings say."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    try:
        yield
    finally:
        structlog.configure(**before)


def _embedded(folder: Path) -> str:
    """Give the address of the embedded store, '' if none runs."""
    try:
        path = (folder / "valkey.socket").read_text().splitlines()[0]
    except (OSError, IndexError):
        return ""
    return f"unix://{path}" if Path(path).is_socket() else ""
