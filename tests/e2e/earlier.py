"""The release before: the last commit of this repository that wrote the store format before the present one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from server.store.redis import FORMAT
from tests.e2e.rig import Release

ROOT = Path(__file__).parents[2]
PARTS = ("engines", "loadtest", "protocol", "server", "tests/games")


def earlier_release(folder: Path) -> Release:
    """Check it out into a folder. Skips the test where this tree has no history to find it in."""
    own = _git("rev-parse", "--show-toplevel").decode() == str(ROOT)
    if not own or _git("rev-parse", "--is-shallow-repository") != b"false":
        pytest.skip("this source tree is no clone with its whole history, so there is no earlier release to run")
    packed = _git("archive", _last_of_the_format_before(), *PARTS)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)  # early 3.11 has no safe tarfile
    return Release(folder, str(folder / "tests" / "games"))


def _last_of_the_format_before() -> str:
    """Name the parent of the commit that brought the present format, or the latest commit if it is not committed."""
    brought = _git("log", "--reverse", "--format=%H", f"-G^FORMAT = {FORMAT}$", "--", "server/store/redis.py").split()
    return f"{brought[0].decode()}^" if brought else "HEAD"


def _git(*words: str) -> bytes:
    """Ask git about this tree; a tree that is none of its own gives nothing."""
    try:
        found = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, check=False)
    except FileNotFoundError:
        return b""
    return found.stdout.strip() if words[0] != "archive" else found.stdout
