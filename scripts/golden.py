"""Renew the golden playthroughs, or check them: ``python scripts/golden.py [GAME] [--check]``."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> int:
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "games")]
    from tests.golden.renewal import main

    return main()


if __name__ == "__main__":
    sys.exit(main())
