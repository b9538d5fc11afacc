"""``python -m tests.e2e.soak --seconds 300``: all parts one after the other, and one JSON object at the end.

Ends with 1 when a figure is bad, a part does not end in time, or a long run had too few commands.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import msgspec

from tests.conftest import GAMES
from tests.e2e.rig import Release
from tests.e2e.soak.parts import cluster, kills, releases
from tests.e2e.soak.tally import RSS_GROWTH_PCT, Tally, tell
from tests.valkey import Server
from tests.valkey_cluster import ValkeyCluster

LONG_S = 300.0
LONG_COMMANDS = 10_000
SHARES = {"kills": 0.5, "cluster": 0.25, "releases": 0.25}


def main() -> int:
    """Run all parts and print the figures; give the exit code."""
    assert GAMES  # the test games are installed, in all processes
    given = argparse.ArgumentParser(prog="soak", description=__doc__)
    given.add_argument("--seconds", type=float, default=LONG_S, help="how long in all, starts and checks apart")
    given.add_argument("--seed", type=int, default=1, help="of all that is left to chance here")
    given.add_argument("--other", default="", help="the commit that is the other release (default: the last tag)")
    asked = given.parse_args()
    whole, failed = Tally(), False
    for name, share in SHARES.items():
        tell(f"{name}, for {share * asked.seconds:.0f} s")
        try:
            tally = PARTS[name](share * asked.seconds, Random(asked.seed), asked.other)
        except Exception:
            traceback.print_exc()
            failed = True
            continue
        tell(f"{name}: {json.dumps(msgspec.structs.asdict(tally))}")
        whole.add(tally)
        if name == "kills" and asked.seconds >= LONG_S:
            failed |= tally.commands < LONG_COMMANDS or tally.rss_growth_pct > RSS_GROWTH_PCT
    print(json.dumps(msgspec.structs.asdict(whole)), flush=True)
    return int(failed or not whole.faultless)


def _kills(seconds: float, chance: Random, _: str) -> Tally:
    least = LONG_COMMANDS if seconds >= SHARES["kills"] * LONG_S else 0
    with _valkey() as server:
        return asyncio.run(kills(server.url, seconds, chance, least))


def _cluster(seconds: float, chance: Random, _: str) -> Tally:
    with _folder() as folder:
        valkeys = ValkeyCluster(folder)
        try:
            valkeys.start()
            return asyncio.run(cluster(valkeys, seconds, chance))
        finally:
            valkeys.kill()


def _releases(seconds: float, chance: Random, other: str) -> Tally:
    with _valkey() as server, _folder() as folder:
        return asyncio.run(releases(server.url, checkout(other, folder), seconds, chance))


PARTS: dict[str, Callable[[float, Random, str], Tally]] = {
    "kills": _kills, "cluster": _cluster, "releases": _releases,
}  # fmt: skip


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="soak-", dir="/tmp"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _valkey() -> Iterator[Server]:
    with _folder() as folder:
        server = Server(folder, "--appendonly", "yes", "--appendfsync", "everysec")
        server.start()
        try:
            yield server
        finally:
            server.kill()


def checkout(commit: str, folder: Path) -> Release | None:
    """Write another release into a folder: a commit, else the last tag, else the commit before this one.

    None, with a word about it, where there is no history: then nodes are restarted as what they were.
    """
    for wanted in filter(None, (commit, _git("describe", "--tags", "--abbrev=0", "HEAD~1"), "HEAD~1")):
        packed = folder / "release.tar"
        if _git("archive", "--output", str(packed), wanted) is not None:
            tell(f"the other release is {wanted}")
            (folder / "release").mkdir()
            subprocess.run(["tar", "-x", "-f", str(packed), "-C", str(folder / "release")], check=True)
            tree = folder / "release"
            return Release(tree, os.pathsep.join((str(tree), str(tree / "tests" / "games"))))
        if commit:
            raise SystemExit(f"soak: {commit} is no commit here")
    tell("there is no history here: nodes are restarted as the same release")
    return None


def _git(*words: str) -> str | None:
    try:
        done = subprocess.run(["git", *words], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
