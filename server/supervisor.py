"""What stands above nodes on one host: the embedded Valkey, the listening socket, and one process for each worker.

Owns starting and ending in bounded time. Knows nothing of rooms.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import resource
import signal
import socket
import tempfile
from collections.abc import AsyncIterator, Coroutine
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import structlog
import uvloop

from server.app import run
from server.auth import signing_secret
from server.metrics import share_among_workers
from server.settings import Settings
from server.store.embedded import Embedded, Fsync
from server.telemetry import configure_logs

log = structlog.get_logger()

WATCH_S = 0.2
RESPAWN_S = 1.0
GRACE_S = 5.0
BACKLOG = 2_048
SPARE_FILES = 1_200
"""For other connections (see patience.py), the store, files."""


def serve(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT. Raises Unfit, Unavailable, AlreadyRunning, OSError if it cannot start."""
    configure_logs(settings)
    _raise_file_limit(settings.max_sockets + SPARE_FILES)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_until_signal(_serve(settings)))


def _raise_file_limit(wanted: int) -> None:
    """Let this process and its workers have a file for every socket, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most < wanted:
        log.warning("few_files", allowed=most, wanted=wanted, hint="raise `ulimit -Hn`, or lower SANCTUM_MAX_SOCKETS")


async def _until_signal(work: Coroutine[Any, Any, None]) -> None:
    """Run until done, or until SIGTERM or SIGINT, which may come at any moment: then cancel, and wait for the end."""
    task = asyncio.create_task(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def _serve(settings: Settings) -> None:
    secret = signing_secret(settings)
    with contextlib.closing(_listen(settings)) as listening:
        async with store_of(settings) as url:
            host, port = listening.getsockname()[:2]
            log.info("listening", url=f"http://{host}:{port}", workers=settings.workers)
            if settings.workers == 1:
                await run(settings, secret, url, [listening])
            else:
                await _supervise(settings, secret, url, listening)


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        text = f"cannot listen on {settings.host}:{settings.port} ({error.strerror}); choose another with --port"
        raise OSError(text) from error
    return listening


@contextlib.asynccontextmanager
async def store_of(settings: Settings) -> AsyncIterator[str]:
    """Give the store's address: the operator's, or that of a Valkey which runs as long as this does."""
    if settings.redis_url is not None:
        yield settings.redis_url.get_secret_value()
        return
    fsync: Fsync = "always" if settings.durability == "always" else "everysec"
    embedded = await Embedded.start(settings.data_dir, fsync)
    keeper = asyncio.create_task(embedded.keep())
    try:
        yield embedded.url
    finally:
        keeper.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await keeper
        await embedded.stop()


# ---- several workers -------------------------------------------------------------------------------------------


async def _supervise(settings: Settings, secret: bytes, url: str, listening: socket.socket) -> None:
    """Keep as many workers as asked for; each is a node of its own on the same listening socket."""
    with tempfile.TemporaryDirectory(prefix="sanctum-figures-") as folder:
        share_among_workers(Path(folder))
        workers = [_start_worker(settings, secret, url, listening) for _ in range(settings.workers)]
        try:
            while True:
                await asyncio.sleep(WATCH_S)
                workers = [await _kept(worker, settings, secret, url, listening) for worker in workers]
        finally:
            await _end(workers, settings.drain_s + GRACE_S)


def _start_worker(settings: Settings, secret: bytes, url: str, listening: socket.socket) -> BaseProcess:
    spawn = multiprocessing.get_context("spawn")
    worker = spawn.Process(target=_work, args=(settings, secret, url, listening), name="sanctum-worker")
    worker.start()
    log.info("worker_started", pid=worker.pid)
    return worker


async def _kept(
    worker: BaseProcess, settings: Settings, secret: bytes, url: str, listening: socket.socket
) -> BaseProcess:
    if worker.is_alive():
        return worker
    log.error("worker_ended", pid=worker.pid, code=worker.exitcode)
    await asyncio.sleep(RESPAWN_S)
    return _start_worker(settings, secret, url, listening)


def _work(settings: Settings, secret: bytes, url: str, listening: socket.socket) -> None:
    configure_logs(settings)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_until_signal(run(settings, secret, url, [listening])))


async def _end(workers: list[BaseProcess], most_s: float) -> None:
    """Ask all workers to stop; those that do not in time are killed."""
    for worker in workers:
        if worker.is_alive():
            worker.terminate()
    await asyncio.gather(*(asyncio.to_thread(worker.join, most_s) for worker in workers))
    for worker in workers:
        if worker.is_alive():
            log.error("worker_killed", pid=worker.pid)
            worker.kill()
        worker.join()
