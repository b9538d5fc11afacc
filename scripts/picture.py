"""Draw the picture of the README: what ``sanctum demo`` shows in a terminal, as docs/terminal.svg.

Run it from a checkout: ``python scripts/picture.py``. A real server, real bots and a real check make it.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from server.commands.demo import perform

WIDTH = 100
PICTURE = Path(__file__).parents[1] / "docs" / "terminal.svg"
LINES = 46
"""So much of the end is shown: a whole match would be metres high."""


def main() -> int:
    """Record the show and write the picture of its end."""
    shown = _console()
    if not perform("disciple", shown, live=False, pause_s=0):
        sys.stderr.write("the match was not as told; no picture is made\n")
        return 1
    picture = _console()
    picture.print("$ sanctum demo", style="bold")
    for line in shown.export_text(styles=True).splitlines()[-LINES:]:
        picture.print(Text.from_ansi(line))
    picture.save_svg(str(PICTURE), title="sanctum demo")
    sys.stdout.write(f"{PICTURE}\n")
    return 0


def _console() -> Console:
    return Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor",
        highlight=False, markup=False,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
