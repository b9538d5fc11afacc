"""``sanctum load``: a scenario against a service, or against a node of its own, with figures, faults and a report.

Owns the command and where its node comes from. What the load is and what is wrong are the load test's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from loadtest.judge import Bench, Objection
from loadtest.own import UNHINDERED
from loadtest.progress import Progress
from loadtest.report import page, summary
from loadtest.run import RunFailed, Show, run
from loadtest.scenario import BadScenario, Scenario, load, shipped, with_given
from loadtest.service import Target, Unreachable
from server.commands.ends import FAILED, UNAVAILABLE, USAGE, stderr, stdout, stop, write_json
from server.commands.own_server import own_server
from server.replay import CannotCheck, read, verify, versions


def load_test(
    scenario: Annotated[str, typer.Argument(help=f"One of {', '.join(shipped())}; or a scenario file (.toml).")],
    url: Annotated[
        list[str] | None, typer.Option(help="A node of a running service; once for each (default: a node of its own).")
    ] = None,
    processes: Annotated[int | None, typer.Option(min=1, max=32, help="Processes that make the load.")] = None,
    duration: Annotated[float | None, typer.Option(min=0.5, help="Seconds that are measured.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable, alone on stdout.")] = False,
    report: Annotated[Path | None, typer.Option(help="Write a page (HTML) with all figures here.")] = None,
) -> None:
    """Put load on a service, and check that it stays right."""
    wanted = _wanted(scenario, processes, duration)
    with _service(url) as urls, Progress(stderr()) if not as_json else nullcontext(Show()) as show:
        try:
            target = Target(*urls)
            result = run(wanted, target, BENCH, show)
            target.close()
        except (Unreachable, RunFailed) as failed:
            stop(UNAVAILABLE, str(failed))
    if report is not None:
        _write(report, page(result))
    if as_json:
        write_json(result)
    else:
        stdout().print(summary(result))
    if not result.faultless:
        raise typer.Exit(FAILED)


def _wanted(name: str, processes: int | None, duration: float | None) -> Scenario:
    try:
        return with_given(load(name), processes=processes, duration_s=duration)
    except BadScenario as bad:
        stop(USAGE, f"{name}: {bad}")
    except (OSError, UnicodeDecodeError) as error:
        stop(USAGE, f"cannot read {name}: {error}")


@contextmanager
def _service(urls: list[str] | None) -> Iterator[list[str]]:
    if urls:
        yield urls
    else:
        with own_server(**UNHINDERED) as url:
            yield [url]


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text)
    except OSError as error:
        stop(USAGE, f"cannot write {path}: {error.strerror}")


# ---- who executes matches again --------------------------------------------------------------------------------


def _verify(replay: bytes, seen: list[str]) -> Objection | None:
    """Do what ``sanctum replay verify --seen`` does."""
    try:
        difference = verify(read(replay), seen).difference
    except CannotCheck as error:
        stop(UNAVAILABLE, f"replays cannot be checked here: {error}")
    return None if difference is None else Objection(difference.where, difference.text)


def _frames(replay: bytes) -> Iterator[tuple[int, list[bytes]]]:
    for given, version in versions(read(replay)):
        yield given.v, list(version.entry.frames)


BENCH = Bench(_verify, _frames)
"""What the load test checks recordings with."""
