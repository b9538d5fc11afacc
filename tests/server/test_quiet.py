"""Who hears nothing for long is told so once each time, and not everybody at one moment."""

from __future__ import annotations

import time

from server.quiet import QUIET_S, Quiet


def test_it_has_been_quiet_for_long_once_each_time() -> None:
    quiet = Quiet()
    quiet.end()
    began_s = time.monotonic()
    long = [second for second in range(1, 80) if quiet.long(began_s + second)]
    assert long == [25, 50, 75] == [round(QUIET_S * n) for n in (1, 2, 3)]


def test_what_is_told_begins_it_anew() -> None:
    quiet = Quiet()
    quiet.end()
    began_s = time.monotonic()
    assert not quiet.long(began_s + QUIET_S - 1)
    assert quiet.long(began_s + QUIET_S + 1)
    quiet.end()
    assert not quiet.long(began_s + QUIET_S - 1)


def test_what_begins_together_does_not_end_together() -> None:
    begun = [Quiet() for _ in range(1_000)]
    began_s = time.monotonic()
    each_second = [sum(quiet.long(began_s + second) for quiet in begun) for second in range(1, 26)]
    assert sum(each_second) == 1_000
    assert max(each_second) < 200
