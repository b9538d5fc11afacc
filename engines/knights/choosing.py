"""Which cards an effect is about, asking where there is a choice (KN-6.7, KN-5.33 to KN-5.40).

Whether a seat is asked follows from public facts alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engines.knights.bout import Bout, ask
from engines.knights.conditions import Selector, Target
from engines.knights.reading import Frame, is_on, is_public
from engines.knights.state import Looked
from engines.rules import Act, Flow, pick

Only = Callable[[int], bool]


def targets(bout: Bout, frame: Frame, target: Target | None, only: Only = lambda _: True) -> Flow[list[int]]:
    """Give the cards that an op is about (KN-6.7). ``only``: those that the op can mean at all."""
    found = yield from _targets(bout, frame, target, only)
    return [number for number in found if only(number)]


def _targets(bout: Bout, frame: Frame, target: Target | None, only: Only) -> Flow[list[int]]:
    reading = bout.reading
    if target is None:
        stand = reading.stand(frame)
        return [] if stand is None else [stand]
    if isinstance(target, str):
        return reading.refs(frame, target)
    match target.pick:
        case "ref":
            assert target.ref is not None  # the form has it so
            return [n for n in reading.refs(frame, target.ref) if reading.fits(n, target.filter, frame.seat)]
        case "front" | "adjacent":
            return reading.around(target, frame)
        case "all":
            return reading.among(target, frame, frame.seat, frame.seat)
        case "random":
            return at_random(bout, reading.among(target, frame, frame.seat, frame.seat), target.n)
        case _:
            return (yield from _chosen(bout, frame, target, only))


def at_random(bout: Bout, found: Sequence[int], n: int) -> list[int]:
    """Take up to n without replacement, by the match's chance, in the order drawn (KN-6.7)."""
    left = list(found)
    return [left.pop(bout.table.chance.below(len(left), "random pick")) for _ in range(min(n, len(left)))]


def _chosen(bout: Bout, frame: Frame, selector: Selector, only: Only) -> Flow[list[int]]:
    seat = frame.seat if selector.by == "controller" else 1 - frame.seat
    # what the foe of the controller is offered must not tell face-down cards apart
    eyes = frame.seat if seat == frame.seat else None
    found = [number for number in bout.reading.among(selector, frame, seat, eyes) if only(number)]
    most = min(selector.n, len(found))
    least = 0 if selector.up_to else most
    names = [place(bout, number) for number in found]
    asked = _has_hidden(bout, frame, selector, seat) or (bool(found) and not least == most == len(found))
    picked = list(range(len(found)))
    if asked:  # KN-5.40
        acts = [{"do": "target", **name} for name in names]
        about = bout.about(frame)
        prompt = pick(
            seat, "choose_targets", acts, least=least, most=most, default=range(least), rule="KN-5.33", about=about
        )
        answers = yield from ask(bout, prompt)
        picked = [acts.index(act) for act in answers]
    chosen = [found[at] for at in picked]
    frame.chosen = [bout.state.mention(number) for number in chosen]
    return chosen


def _has_hidden(bout: Bout, frame: Frame, selector: Selector, seat: int) -> bool:
    """Say whether the asked seat has face-down cards where it is to choose: then it is always asked (KN-5.40).

    Without that a question that is not put would tell that none of them, or only one, matches.
    """
    if selector.zone != "support" or not is_on(seat, selector.who, frame.seat):
        return False
    if selector.filter.face == "up" and is_public(selector.filter):
        return False
    pieces = bout.state.pieces
    return any(number is not None and not pieces[number].up for number in bout.state.support[seat])


def place(bout: Bout, number: int) -> Act:
    """Name a card of the field by where it lies (KN-5.33)."""
    piece = bout.state.pieces[number]
    slot = piece.slot if piece.zone in ("knight", "support") else 1
    return {"seat": bout.reading.side_of(number), "zone": piece.zone, "slot": slot}


def choose_slot(bout: Bout, seat: int, slots: Sequence[int], about: dict[str, Any]) -> Flow[int]:
    """Let a seat choose an empty slot; a single one is taken without asking (KN-5.36, KN-5.40)."""
    if len(slots) == 1:
        return slots[0]
    acts = [{"do": "slot", "slot": slot} for slot in slots]
    (answer,) = yield from ask(bout, pick(seat, "choose_slot", acts, rule="KN-5.36", about=about))
    return int(answer["slot"])


def look_at(bout: Bout, seat: int, numbers: Sequence[int]) -> None:
    """Show hidden cards to a seat, each under a name for this look alone (KN-2.37, KN-2.38)."""
    state = bout.state
    state.looker = seat
    state.look = [Looked(bout.table.handle(seat), number) for number in numbers]


def sort_look(bout: Bout) -> None:
    """Put shown cards into an order that tells nothing: by card, then by name (KN-5.39)."""
    pieces = bout.state.pieces
    bout.state.look.sort(key=lambda looked: (pieces[looked.card].key, looked.id))


def choose_cards(
    bout: Bout, seat: int, names: Sequence[str], numbers: Sequence[int], least: int, most: int, about: dict[str, Any],
    *, kind: str = "choose_cards", default: Sequence[int] | None = None,
) -> Flow[list[int]]:  # fmt: skip
    """Let a seat choose cards that are named for it, in the order in which they are to move (KN-5.34)."""
    acts = [{"do": "card" if kind == "choose_cards" else "discard", "card": name} for name in names]
    silence = range(least) if default is None else default
    rule = "KN-5.34" if kind == "choose_cards" else "KN-5.38"
    prompt = pick(seat, kind, acts, least=least, most=most, default=silence, rule=rule, about=about)
    answers = yield from ask(bout, prompt)
    by_name = dict(zip(names, numbers, strict=True))
    return [by_name[act["card"]] for act in answers]
