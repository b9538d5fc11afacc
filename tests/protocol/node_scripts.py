"""Runs the Node scripts beside the tests: checks of the wire by an implementation that is not ours."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).with_name("node")


def modules() -> Path:
    """Give the folder of installed modules, installing them once. Says so and leaves out where there is no Node."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("left out: these tests need Node and npm, and there is none on this machine")
    installed = FOLDER / "node_modules"
    stamp, lock = installed / ".package-lock.json", FOLDER / "package-lock.json"
    if not stamp.exists() or stamp.stat().st_mtime < lock.stat().st_mtime:
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=FOLDER, check=True, capture_output=True)
    return installed


def run(script: str, *arguments: str) -> dict[str, Any]:
    """Run a script and give what it printed, whether or not it found faults."""
    modules()
    command = ["node", str(FOLDER / script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout, done.stderr
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed
