"""The strangers' clients of the documents play a whole match over a line that is cut, refused and full of holes."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from tests.protocol import node_scripts
from tests.protocol.toy_service import QUESTIONS, ROOM, Toy, running

EXAMPLES = Path(__file__).parents[2] / "docs" / "protocol" / "examples"
BOTH = pytest.mark.parametrize("language", ["python", "node"])


def command(language: str, folder: Path) -> list[str]:
    if language == "python":
        return [sys.executable, str(EXAMPLES / "client.py")]
    (folder / "node_modules").symlink_to(node_scripts.modules())
    (folder / "client.mjs").write_text((EXAMPLES / "client.mjs").read_text())
    return ["node", str(folder / "client.mjs")]


async def play(language: str, folder: Path, toy: Toy, *arguments: str) -> dict[str, object]:
    async with running(toy) as url:
        child = await asyncio.create_subprocess_exec(
            *command(language, folder), url, "toy", *arguments,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, err = await asyncio.wait_for(child.communicate(), 60)
    assert child.returncode == 0, err.decode()
    result: dict[str, object] = json.loads(out)
    return result


@BOTH
async def test_an_example_plays_to_the_end_whatever_the_line_does(language: str, tmp_path: Path) -> None:
    toy = Toy()
    result = await play(language, tmp_path, toy, "bot=steady")
    assert result == {"room": ROOM, "status": "finished", "reason": "all answered", "winners": [0]}
    assert len(toy.choices) == len(QUESTIONS)
    assert [plan.bot for plan in toy.created[0].seats] == [None, "steady"]
    assert toy.connections == 3
    assert toy.resent >= 2
    assert toy.resumed == [0, 2, 4]


@BOTH
async def test_an_example_joins_a_room_that_is_there(language: str, tmp_path: Path) -> None:
    toy = Toy()
    result = await play(language, tmp_path, toy, f"room={ROOM}", "seat=0", "code=QW34ER56")
    assert result["status"] == "finished"
    assert toy.created == []


@pytest.mark.parametrize("name", ["client.py", "client.mjs"])
def test_an_example_is_at_most_a_hundred_lines(name: str) -> None:
    assert len((EXAMPLES / name).read_text().splitlines()) <= 100
