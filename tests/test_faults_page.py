"""docs/faults.md promises tests; all of them are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "faults.md").read_text()


def test_every_test_that_the_page_of_faults_names_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    there = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    assert len(named) > 100
    assert named - there == set()


def test_every_file_that_it_names_is_there() -> None:
    paths = re.findall(r"`((?:engines|server|tests)/[\w/]+\.py)`|\]\(([^)]+)\)", PAGE)
    assert paths
    for code, link in paths:
        assert ((ROOT / code) if code else (ROOT / "docs" / link)).exists(), code or link
