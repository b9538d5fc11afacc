"""Steps of probe that break the contract on demand (PR-5), for tests of what guards against them."""

from __future__ import annotations

from collections.abc import Callable

from engines.rules import Flow, Table, number, pick
from probe.state import State

FINE = {"do": "fine"}


class Broken(Exception):
    """Raised by rules that raise on purpose."""


def _raise(table: Table[State], leader: int) -> Flow[None]:
    acts = yield pick(leader, "raise", [FINE, {"do": "raise"}], rule="PR-5.1")
    if acts[0] != FINE:  # PR-5.1
        raise Broken("this step raises")


def _deadline(table: Table[State], leader: int) -> Flow[None]:
    acts = yield pick(leader, "deadline", [FINE, {"do": "raise"}], default=(1,), rule="PR-5.2")
    if acts[0] != FINE:  # PR-5.2
        raise Broken("this default raises")


def _crash(table: Table[State], leader: int) -> Flow[None]:
    yield from ()
    raise Broken("this step cannot be reached")  # PR-5.3


def _loop(table: Table[State], leader: int) -> Flow[None]:
    acts = yield pick(leader, "loop", [FINE, {"do": "loop"}], rule="PR-5.4")
    while acts[0] != FINE:  # PR-5.4
        table.spend()


def _flood(table: Table[State], leader: int) -> Flow[None]:
    yield pick(leader, "flood", [{"do": "take", "number": at} for at in range(513)], rule="PR-5.5")  # PR-5.5


def _nobody(table: Table[State], leader: int) -> Flow[None]:
    yield ()


def _twice(table: Table[State], leader: int) -> Flow[None]:
    yield (pick(leader, "twice", [FINE]), pick(leader, "twice", [FINE]))


def _wrong(table: Table[State], leader: int) -> Flow[None]:
    yield pick(leader, "wrong", [FINE, {"do": "more"}], default=(0, 1))


def _stray(table: Table[State], leader: int) -> Flow[None]:
    others = [seat for seat in range(table.match.seats) if seat != leader]
    yield (pick(leader, "stray", [FINE]), *(pick(seat, "stray", [FINE], optional=True) for seat in others))


def _endless(table: Table[State], leader: int) -> Flow[None]:
    yield pick(leader, "endless", [FINE], rule="PR-5.6")


def _spin(table: Table[State], leader: int) -> Flow[None]:
    while True:  # PR-5.7
        yield number(leader, "spin", 0, 9, rule="PR-5.7")


BREAKS: dict[str, Callable[[Table[State], int], Flow[None]]] = {
    "raise": _raise, "deadline": _deadline, "crash": _crash, "loop": _loop, "flood": _flood, "nobody": _nobody,
    "twice": _twice, "wrong": _wrong, "stray": _stray, "endless": _endless, "spin": _spin,
}  # fmt: skip
