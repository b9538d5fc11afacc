"""One clause for each operation of the vocabulary (PA-6.5, PA-6.6, PA-6.8). Owns wording alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engines.patron.phrases import (
    alternatives,
    cards,
    condition,
    count,
    does,
    own,
    plural,
    possessive,
    subject,
)
from engines.patron.terms import Who
from engines.patron.words import (
    AnyOp,
    Check,
    Choose,
    Cost,
    Dice,
    Discard,
    Draw,
    If,
    Intercession,
    Lasting,
    Look,
    Mill,
    Modifier,
    Number,
    Pay,
    Peek,
    PutSaint,
    Recover,
    Refresh,
    Remove,
    Restrict,
    ScoreChange,
    Search,
    SetFriend,
    Store,
    Tokens,
)

UNTIL = {
    "turn": " until the end of the turn",
    "round": " until the start of your next turn",
    "next": " for the next one only",
    "game": " for the rest of the match",
}
GOALS = {
    "hand": "into {} hand",
    "top": "on top of {} deck",
    "bottom": "under {} deck",
    "discard": "on {} discard pile",
}
DICE = {
    "one": "one die",
    "three": "three dice",
    "advantage": "three dice, of which the two highest count,",
    "disadvantage": "three dice, of which the two lowest count,",
}
CHECKS = {"event": "events", "grace": "graces", "milestone": "milestones", "effect": "effects", "any": "all checks"}
ACTIONS = {
    "play_saint": "play saints",
    "play_grace": "play graces",
    "set_event": "set events",
    "activate_event": "activate events",
    "activate_effect": "activate effects",
    "set_friend": "choose a friend",
    "cycle_saint": "cycle saints",
}


def clause(op: AnyOp) -> str:
    """Say what one operation does, without a full stop."""
    duration = op.duration if isinstance(op, Lasting) else None
    static = isinstance(op, Lasting) and duration is None
    said: str = CLAUSES[type(op)](op, op.who or ("self" if static else "active"))
    return said + UNTIL[duration] if duration else said


def _draw(op: Draw, who: Who) -> str:
    return f"{does(who, 'draw')} {count(op.n, 'card')}"


def _discard(op: Discard, who: Who) -> str:
    return f"{does(who, 'discard')} {count(op.n, cards(op.filter))}{' at random' if op.random else ''}"


def _tokens(op: Tokens, who: Who) -> str:
    return f"{does(who, 'gain' if op.n > 0 else 'lose')} {count(abs(op.n), 'token')}"


def _store(op: Store, who: Who) -> str:
    return f"{does(who, 'gain' if op.n > 0 else 'lose')} {count(abs(op.n), 'stored point')}"


def _search(op: Search, who: Who) -> str:
    secretly = "" if op.reveal else ", unseen by others,"
    goal = GOALS[op.to].format(own(who))
    return (
        f"{does(who, 'may')} put up to {count(op.n, cards(op.filter))} from {own(who)} deck{secretly} {goal}, "
        "and the rest is shuffled"
    )


def _look(op: Look, who: Who) -> str:
    taking = f" and may take up to {op.pick} of them into {own(who)} hand" if op.pick else ""
    rest = "on top" if op.rest == "top" else "below"
    where = f"{does(who, 'look')} at the top {count(op.n, 'card')} of {own(who)} deck"
    return f"{where}{taking}; the rest goes {'back ' if op.rest == 'top' else ''}{rest}"


def _recover(op: Recover, who: Who) -> str:
    goal = GOALS[op.to].format(own(who))
    return f"{does(who, 'may')} put up to {count(op.n, cards(op.filter))} from {own(who)} discard pile {goal}"


def _mill(op: Mill, who: Who) -> str:
    return f"{does(who, 'put')} the top {count(op.n, 'card')} of {own(who)} deck on {own(who)} discard pile"


def _peek(op: Peek, who: Who) -> str:
    what = f"{possessive(who)} hand" if op.what == "hand" else f"one of {possessive(who)} face-down events"
    return f"you look at {what}"


def _remove(op: Remove, who: Who) -> str:
    noun = {"saint": cards(op.filter, "saint"), "grace": cards(op.filter, "grace"), "event": "face-down event"}
    apart = op.filter is not None and op.filter.role is not None
    never = " other than the patron" if op.zone == "saint" and not apart else ""
    goal = GOALS[op.to].format("the owner's")
    return f"{does(op.chooser, 'put')} {count(op.n, noun[op.zone])}{never} of {subject(who)} {goal}"


def _put_saint(op: PutSaint, who: Who) -> str:
    return (
        f"{does(who, 'may')} put a {cards(op.filter, 'saint')} that costs at most {op.max_score} from {own(who)} hand "
        "into play"
    )


def _friend(op: SetFriend, who: Who) -> str:
    return f"{does(who, 'may')} choose another saint in play as friend"


def _refresh(op: Refresh, who: Who) -> str:
    return f"{does(who, 'take')} the stone from one used effect{' of this card' if op.own_only else ''}"


def _check(op: Check, who: Who) -> str:
    return (
        f"{does(who, 'make')} a check on {alternatives(op.virtues)} {op.number} "
        f"(success: {_branch(op.success)} / failure: {_branch(op.failure)})"
    )


def _choose(op: Choose, who: Who) -> str:
    return f"{does(who, 'choose')} one: {' / '.join(map(_branch, op.options))}"


def _pay(op: Pay, who: Who) -> str:
    otherwise = f" / otherwise: {_branch(op.otherwise)}" if op.otherwise else ""
    return f"{does(who, 'may')} pay {_cost(op.cost)} (then: {_branch(op.then)}{otherwise})"


def _cost(cost: Cost) -> str:
    parts = ((cost.tokens, "token"), (cost.discard, "card from hand"), (cost.graces, "grace"))
    return " and ".join(count(n, noun) for n, noun in parts if n)


def _if(op: If, who: Who) -> str:
    otherwise = f" / otherwise: {_branch(op.otherwise)}" if op.otherwise else ""
    return f"if {condition(op.cond)} (then: {_branch(op.then)}{otherwise})"


def _branch(ops: Sequence[AnyOp]) -> str:
    return ", then ".join(map(clause, ops)) or "nothing"


def _modifier(op: Modifier, who: Who) -> str:
    if op.virtue == "charity":
        return f"{does(who, 'have')} {op.n:+d} charity, which counts in every check,"
    what = "every check" if op.virtue == "all" else f"checks on {op.virtue}"
    return f"{does(who, 'have')} {op.n:+d} on {what}"


def _dice(op: Dice, who: Who) -> str:
    where = "in checks" if op.on == "check" else "for intercession"
    return f"{does(who, 'roll')} {DICE[op.rule]} {where}"


def _number(op: Number, who: Who) -> str:
    return f"numbers that {does(who, 'have')} to reach in {CHECKS[op.on]} change by {op.n:+d}"


def _intercession(op: Intercession, who: Who) -> str:
    return f"{possessive(who)} intercession rolls get {op.n:+d}"


def _score(op: ScoreChange, who: Who) -> str:
    return f"{possessive(who)} {plural(cards(op.filter, 'saint'))} cost {abs(op.n)} {'less' if op.n < 0 else 'more'}"


def _restrict(op: Restrict, who: Who) -> str:
    return f"{does(who, 'may')} not {ACTIONS[op.action]}"


CLAUSES: dict[type[Any], Callable[[Any, Who], str]] = {
    Draw: _draw, Discard: _discard, Tokens: _tokens, Store: _store, Search: _search, Look: _look, Recover: _recover,
    Mill: _mill, Peek: _peek, Remove: _remove, PutSaint: _put_saint, SetFriend: _friend, Refresh: _refresh,
    Check: _check, Choose: _choose, Pay: _pay, If: _if, Modifier: _modifier, Dice: _dice, Number: _number,
    Intercession: _intercession, ScoreChange: _score, Restrict: _restrict,
}  # fmt: skip
