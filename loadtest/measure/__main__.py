"""``python -m loadtest.measure WHAT``: one figure of docs/performance.md, measured here and now, as JSON on stdout."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable
from typing import Any

from loadtest.measure import cold, costs, growth, memory, start
from loadtest.run import machine

WHAT: dict[str, tuple[str, Callable[[int], dict[str, Any]], int]] = {
    "flood": ("one choice of disciple, beside a bare echo", costs.flood, 5),
    "relay": ("one move of relay, beside a bare echo", costs.relay, 5),
    "crowd": ("one delivery to 1,000 spectators, beside a bare broadcast", costs.crowd, 5),
    "rooms": ("one choice, from 100 to 5,000 rooms in play", growth.rooms, 1),
    "spectators": ("one delivery, from 10 to 5,000 spectators of one room", growth.spectators, 1),
    "memory": ("an idle socket, an idle room, a room in Redis", memory.memory, 2_000),
    "start": ("from start to ready, with a store that is there", start.start, 5),
    "cold": ("random play of each game, every choice from bytes", cold.cold, 20),
}
"""Word, what it is, how it is measured, and how many runs (sockets, matches) without ``--n``."""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m loadtest.measure", formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__,
        epilog="\n".join(f"{word:11} {text} (--n {n})" for word, (text, _, n) in WHAT.items()),
    )  # fmt: skip
    parser.add_argument("what", choices=WHAT)
    parser.add_argument(
        "--n", type=int, help="how many runs (memory: sockets, and a fifth as many rooms; cold: matches)"
    )
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no server outlives this
    _, measure, n = WHAT[given.what]
    print(json.dumps({"what": given.what, "machine": machine(), **measure(given.n or n)}, indent=1))


if __name__ == "__main__":
    main()
