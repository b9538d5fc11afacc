"""The course of a match of probe and its honest steps (PR-2 to PR-4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.rules import AnyOf, Flow, Option, Prompt, Resigned, Table, number, order, pick
from probe.breaks import BREAKS
from probe.leaks import dodge, drawing_order, hold_ms, struck
from probe.state import State
from probe.table import discard, draw, named, score, shuffle

Step = Callable[[Table[State], int], Flow[None]]
PASS = {"do": "pass"}
NEVER_ENDS = ("endless",)


def play(table: Table[State]) -> Flow[None]:
    """Take one step: PR-2.1."""
    state = table.state
    plan = table.match.options.plan
    step = plan[state.step % len(plan)]
    try:
        yield from STEPS[step](table, state.leader)
    except Resigned as resigned:  # PR-2.4
        table.emit("cut", seat=resigned.seat)
    if step not in NEVER_ENDS:  # PR-5.6
        state.step += 1
    state.leader = _next_leader(table)


def _next_leader(table: Table[State]) -> int:
    seats = table.match.seats
    turns = [(table.state.step + more) % seats for more in range(seats)]
    return next(seat for seat in turns if seat not in table.gone)


def _draw(table: Table[State], leader: int) -> Flow[None]:
    seats = [(leader + more) % table.match.seats for more in range(table.match.seats)]  # PR-3.1
    for seat in drawing_order(table, seats):
        draw(table, seat)
    yield from ()


def _shuffle(table: Table[State], leader: int) -> Flow[None]:
    shuffle(table, leader)  # PR-3.2
    yield from ()


def _dice(table: Table[State], leader: int) -> Flow[None]:
    shown = table.chance.die("dice")  # PR-3.3
    table.emit("rolled", seat=leader, shown=shown)
    if shown == 6:
        score(table, leader, 1)
    yield from ()


def _peek(table: Table[State], leader: int) -> Flow[None]:
    state, other = table.state, (leader + 1) % table.match.seats  # PR-3.4
    table.emit("looked", seat=leader, at=other)
    for slot in state.decks[other][:1]:
        _show(state, slot, leader)
        table.emit("peeked", only=[leader], card=state.marks[slot][leader + 1], face=state.faces[slot])
    yield from ()


def _show(state: State, slot: int, seat: int) -> None:
    state.known[slot] = sorted({*state.known[slot], seat})


def _hand(table: Table[State], seat: int, do: str) -> list[dict[str, Any]]:
    return [{"do": do, "card": table.state.marks[slot][seat + 1]} for slot in table.state.hands[seat]]


def _pick(table: Table[State], leader: int) -> Flow[None]:
    suits = [table.match.pack[table.state.faces[slot]].suit for slot in table.state.hands[leader]]
    cards = [Option("", act, suit) for act, suit in zip(_hand(table, leader, "discard"), suits, strict=True)]
    options = [Option("", PASS), *cards]
    most = min(2, 1 + len(set(suits)))
    for act in (yield pick(leader, "pick", options, least=1, most=most, rule="PR-4.1")):  # PR-4.1
        if act != PASS:
            discard(table, leader, named(table.state, leader, act["card"]))


def _number(table: Table[State], leader: int) -> Flow[None]:
    named_number = yield number(leader, "number", 0, 5, default=2, rule="PR-4.2")  # PR-4.2
    shown = table.chance.die("number")
    table.emit("dared", seat=leader, number=named_number, shown=shown)
    if shown > named_number:
        score(table, leader, named_number)


def _order(table: Table[State], leader: int) -> Flow[None]:
    state = table.state
    for slot in state.decks[leader][:2]:
        _show(state, slot, leader)
    cards = [{"do": "place", "card": state.marks[slot][leader + 1]} for slot in state.decks[leader][:2]]
    acts = yield order(leader, "order", [*cards, {"do": "divider"}], rule="PR-4.3")  # PR-4.3
    placed = [named(state, leader, act["card"]) if "card" in act else None for act in acts]
    at = placed.index(None)
    above, below = placed[:at], placed[at + 1 :]
    state.decks[leader] = [slot for slot in (*above, *state.decks[leader][len(cards) :], *below) if slot is not None]
    table.emit("ordered", seat=leader, above=len(above), below=len(below))


def _both(table: Table[State], leader: int) -> Flow[None]:
    state, seats = table.state, range(table.match.seats)
    answers = yield tuple(pick(seat, "both", [PASS, *_hand(table, seat, "lay")], rule="PR-4.4") for seat in seats)
    laid = {seat: named(state, seat, acts[0]["card"]) for seat, acts in enumerate(answers) if acts[0] != PASS}
    worth = {seat: table.match.pack[state.faces[slot]].worth for seat, slot in laid.items()}
    for seat, slot in laid.items():  # PR-4.4
        discard(table, seat, slot)
    for seat in laid:
        if worth[seat] == max(worth.values()):
            score(table, seat, worth[seat])


def _offer(table: Table[State], leader: int) -> Flow[None]:
    snappers = [seat for seat in range(table.match.seats) if seat != leader]
    beats = 0
    while beats < 3:  # PR-4.5
        seat, acts = yield AnyOf(_offers(table, leader, snappers))
        if seat == leader and acts[0]["do"] == "done":
            return
        if seat == leader:
            beats += 1
            table.emit("beat", beat=beats)
        else:
            snappers.remove(seat)
            score(table, seat, 1)


def _offers(table: Table[State], leader: int, snappers: list[int]) -> tuple[Prompt, ...]:
    acts = [{"do": "done"}, {"do": "more"}, *dodge(table, leader)]
    snaps = [pick(seat, "snap", [{"do": "snap"}], optional=True, rule="PR-4.5") for seat in snappers]
    return (pick(leader, "offer", acts, rule="PR-4.5"), *snaps)


def _hold(table: Table[State], leader: int) -> Flow[None]:
    seats = [seat for seat in range(table.match.seats) if seat != leader] or [leader]  # PR-4.6
    if not (asked := struck(table, seats)):
        return
    answers = yield tuple(_window(table, seat) for seat in asked)
    for seat, acts in zip(asked, answers, strict=True):
        if acts[0]["do"] == "decline":
            score(table, seat, -1)
        else:
            discard(table, seat, named(table.state, seat, acts[0]["card"]))


def _window(table: Table[State], seat: int) -> Prompt:
    state, cards = table.state, table.match.pack
    shields = [slot for slot in state.hands[seat] if cards[state.faces[slot]].shield]
    acts = [{"do": "decline"}, *({"do": "shield", "card": state.marks[slot][seat + 1]} for slot in shields)]
    return pick(seat, "hold", acts, rule="PR-4.6", hold_ms=hold_ms(table, seat))


def _give(table: Table[State], leader: int) -> Flow[None]:
    state, other = table.state, (leader + 1) % table.match.seats
    acts = yield pick(leader, "give", [PASS, *_hand(table, leader, "give")], rule="PR-4.7", about={"to": other})
    if acts[0] == PASS:  # PR-4.7
        table.emit("gave", seat=leader, to=other, count=0)
        return
    slot = named(state, leader, acts[0]["card"])
    state.hands[leader].remove(slot)
    state.hands[other].append(slot)
    _show(state, slot, leader)
    state.marks[slot][other + 1] = table.handle(other)
    secret = {other: {"card": state.marks[slot][other + 1], "face": state.faces[slot]}}
    table.emit("gave", seat=leader, to=other, count=1, secret=secret)


def _long(table: Table[State], leader: int) -> Flow[None]:
    for trick in range(table.match.options.tricks):  # PR-4.8
        acts = yield pick(leader, "long", [{"do": "stop"}, {"do": "again"}], rule="PR-4.8", about={"trick": trick})
        if acts[0]["do"] == "stop":
            return


STEPS: dict[str, Step] = {
    "draw": _draw, "shuffle": _shuffle, "dice": _dice, "peek": _peek, "pick": _pick, "number": _number,
    "order": _order, "both": _both, "offer": _offer, "hold": _hold, "give": _give, "long": _long, **BREAKS,
}  # fmt: skip
