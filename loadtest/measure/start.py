"""How long a server with an embedded store takes from its start until it is ready."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from loadtest.own import started


def start(rounds: int) -> dict[str, Any]:
    """Start a server on a new folder, and then again and again on what it left there."""
    with tempfile.TemporaryDirectory(prefix="sanctum-measure-") as folder:
        first = _once(Path(folder))
        again = [_once(Path(folder)) for _ in range(rounds)]
    return {"first_s": first, "again_s": round(median(again), 2), "runs": again}


def _once(folder: Path) -> float:
    began = time.monotonic()
    with started(folder, os.sched_getaffinity(0)):
        return round(time.monotonic() - began, 2)
