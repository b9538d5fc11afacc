"""What the active seat may answer in its turn, in canonical order (KN-4.1, KN-5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.knights.bout import Bout
from engines.knights.limits import Limits, limits
from engines.rules import Act, Prompt, pick
from protocol.prompt import MAX_OPTIONS

END: Act = {"do": "end_turn"}


def main_prompt(bout: Bout) -> Prompt:
    """Ask the active seat for its next action; silence ends the turn (KN-8.5)."""
    seat = bout.state.active
    found = limits(bout, seat)
    acts = [*_acts(bout, seat, found, slots=True)]
    if len(acts) >= MAX_OPTIONS:  # so many cards in one hand: their support slot is the lowest, as if not named
        acts = [*_acts(bout, seat, found, slots=False)][: MAX_OPTIONS - 1]
    acts.append(END)
    return pick(seat, "main", acts, default=(len(acts) - 1,), rule="KN-4.1")


def _acts(bout: Bout, seat: int, found: Limits, *, slots: bool) -> Iterator[Act]:
    for card, codes in found["hand"].items():
        yield from _plays(bout, seat, card, codes, slots=slots)
    for slot, codes in found["knights"].items():
        yield from _attacks(int(slot), codes, found["targets"])
    for slot, codes in found["support"].items():
        yield from _uses(int(slot), codes)
    for slot, codes in found["knights"].items():
        yield from ({"do": do, "knight": int(slot)} for do in ("defend", "evade") if codes[do] is None)
    for slot, codes in found["knights"].items():
        for at, code in codes["abilities"].items():
            if code is None:
                yield {"do": "activate", "source": {"knight": int(slot), "ability": int(at)}}
    if found["helper"] is None:
        yield {"do": "activate", "source": {"helper": True}}
    for slot, codes in found["support"].items():
        if codes["kind"] == "technique":
            yield {"do": "discard_technique", "slot": int(slot)}


def _plays(bout: Bout, seat: int, card: str, codes: dict[str, Any], *, slots: bool) -> Iterator[Act]:
    """Give the ways to play one card of the hand."""
    if codes["before"] is not None or codes.get("after") is not None:
        return
    kind, state = codes["kind"], bout.state
    act: Act = {"do": f"play_{kind}", "card": card}
    if kind == "knight":
        yield from ({**act, "slot": slot} for slot in state.free(state.knights, seat))
    elif kind in ("helper", "scenario"):
        yield act
    else:
        free = state.free(state.support, seat) if slots else ()
        for way in _ways(kind, codes):
            yield act | way
            yield from ({**act, **way, "slot": slot} for slot in free)


def _ways(kind: str, codes: dict[str, Any]) -> Iterator[Act]:
    if kind == "occasion":
        yield {}
        return
    for host, code in codes["hosts"].items():
        if code is None:
            yield from (
                ({"host": int(host), "face": face} for face in ("up", "down"))
                if kind == "technique"
                else ({"host": int(host)},)
            )


def _attacks(slot: int, codes: dict[str, Any], targets: dict[str, str | None]) -> Iterator[Act]:
    if codes["attack"] is not None:
        return
    for target, code in targets.items():
        if code is None:
            yield {"do": "attack", "knight": slot, "target": int(target)}
    if codes["direct"] is None:
        yield {"do": "attack", "knight": slot, "target": "direct"}


def _uses(slot: int, codes: dict[str, Any]) -> Iterator[Act]:
    if codes["use"] is not None or codes.get("all") is not None:
        return
    if codes["aim"] != "one":
        yield {"do": "use_technique", "slot": slot}
        return
    for target, code in codes["targets"].items():
        if code is None:
            yield {"do": "use_technique", "slot": slot, "target": int(target)}
