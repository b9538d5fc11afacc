"""A real browser for the page, or a plain word that there is none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

LEFT_OUT = "the page tests were left out: there is no chromium on this machine (Debian: apt-get install chromium)"
HERE = Path(__file__).parent


def chromium() -> str | None:
    """Find the browser of the distribution."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what needs a browser where there is none."""
    for item in items:
        if item.path.parent == HERE and "browser" in item.path.name:
            item.add_marker(pytest.mark.skipif(chromium() is None, reason=LEFT_OUT))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say it once more where everybody reads it."""
    if any(LEFT_OUT in str(report.longrepr) for report in terminalreporter.stats.get("skipped", ())):
        terminalreporter.write_line(LEFT_OUT, yellow=True)
