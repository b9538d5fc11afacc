"""Lines typed at a terminal."""

from __future__ import annotations

import os

from server.commands.typed import Typed


async def test_lines_come_whole_and_the_end_comes_last() -> None:
    source, sink = os.pipe()
    typed = Typed(source)
    os.write(sink, b"on")
    os.write(sink, "e\ntwo\n\u00e9nd".encode())
    os.close(sink)
    assert [await typed.lines.get() for _ in range(4)] == ["one", "two", "\u00e9nd", None]
    os.close(source)


async def test_a_closed_keyboard_is_the_end() -> None:
    source, sink = os.pipe()
    os.close(sink)
    os.close(source)
    assert await Typed(source).lines.get() is None
