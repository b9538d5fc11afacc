"""What a card says, written out from what it does (PA-6, PA-10.2): the data is the text.

Owns the sentences of effects, events and milestones. Carries nothing out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.patron.cards import AnyCard, Event, Grace, Milestone, Test, effects_of
from engines.patron.op_text import clause
from engines.patron.phrases import alternatives, cards, condition, count
from engines.patron.words import Act, AnyOp, Effect, Static, Triggered

PLACES = {"patron": "as the patron", "friend": "as the friend", "patron_or_friend": "as patron or friend"}
DOERS = {"self": "you", "opponent": "your opponent", "any": "any player"}
MODES = {
    "trial": "the first may be followed by the other",
    "solo": "only one player tries",
    "duel": "both try, the higher total wins",
}
OCCURRENCES = {
    "event_won": "win {} in either turn",
    "event_won_off_turn": "win {} in the other player's turn",
    "saint_played": "play {}",
    "grace_played": "play {}",
    "effect_activated": "activate {}",
    "event_set": "set {}",
    "check_passed": "pass {}",
    "card_cycled": "cycle {}",
}
NOUNS = {"saint_played": "saint", "grace_played": "grace", "effect_activated": "effect", "card_cycled": "saint"}


def text_of(card: AnyCard) -> str:
    """Say all that a card does besides what its numbers say."""
    lines = [] if isinstance(card, Event) else [_effect(effect) for effect in effects_of(card)]
    if isinstance(card, Grace) and card.overcome is not None:
        lines.insert(0, f"To play this, pass a check on {test(card.overcome)}.")
    if isinstance(card, Event):
        lines += _event(card)
    return " ".join(lines)


def test(what: Test) -> str:
    return f"{alternatives(what.virtues)} {what.number}"


def _event(card: Event) -> Iterator[str]:
    if card.mode is not None:
        yield _sentence(f"{card.mode}: {MODES[card.mode]}")
    if card.dice != 2:
        yield f"{'One die is' if card.dice == 1 else 'Three dice are'} rolled."
    if card.bonus is not None:
        who = {"self": "You have", "opponent": "Your opponent has", "active": "The active player has",
               "activator": "The activator has", "each": "Each player has"}[card.bonus.who]  # fmt: skip
        yield f"{who} {card.bonus.n:+d}."
    if card.on_win:
        yield f"If it is won: {_list(card.on_win)}."
    if card.on_fail:
        yield f"If nobody wins it: {_list(card.on_fail)}."


def _list(ops: Sequence[AnyOp]) -> str:
    return "; ".join(map(clause, ops))


def _effect(effect: Act | Static | Triggered) -> str:
    if isinstance(effect, Static):
        return _headed([], effect, clause(effect.hold))
    if isinstance(effect, Act):
        return _headed(["once a match"], effect, _list(effect.do))
    return _headed([_moment(effect)], effect, _list(effect.do))


def _headed(head: list[str], effect: Effect, what: str) -> str:
    """Put before a colon when and under which conditions something is done."""
    if effect.min_milestones:
        head.append(f"with {count(effect.min_milestones, 'milestone')} or more")
    if effect.where != "any":
        head.append(PLACES[effect.where])
    if effect.cond is not None:
        head.append(f"if {condition(effect.cond)}")
    return _sentence(f"{', '.join(head)}: {what}" if head else what)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _moment(effect: Triggered) -> str:
    """Say when a trigger fires, and how often in a turn (PA-6.11)."""
    doer = DOERS[effect.by]
    verb = "" if effect.by == "self" else "s"
    whose = {"self": "your", "opponent": "your opponent's", "any": "any player's"}[effect.by]
    said = {
        "played": "when this is played",
        "turn_start": f"at the start of {whose} turn",
        "turn_end": f"at the end of {whose} turn",
        "event_won": f"when {doer} win{verb} an event",
        "event_lost": f"when {doer} contest{verb} an event without winning it",
        "milestone": f"when {doer} complete{verb} a milestone",
        "saint_played": f"when {doer} play{verb} another saint",
        "grace_played": f"when {doer} play{verb} another grace",
        "friend_set": "when this becomes the friend",
        "cycled": f"when {doer} cycle{verb} a saint",
    }[effect.on]
    often = {1: "once a turn", 2: "up to twice a turn", 3: "up to three times a turn"}[effect.limit]
    return f"{said} ({often})"


def milestone_text(milestone: Milestone) -> str:
    """Say what a milestone demands, in the order of PA-6.12."""
    return "; ".join(_requirements(milestone))


def _requirements(milestone: Milestone) -> Iterator[str]:
    if milestone.tokens:
        yield f"pay {count(milestone.tokens, 'token')}"
    if milestone.graces is not None:
        verb = "give up" if milestone.graces.consume else "have"
        yield f"{verb} {count(milestone.graces.n, cards(milestone.graces.filter, 'grace'))}"
    if milestone.discard is not None:
        yield f"discard {count(milestone.discard.n, cards(milestone.discard.filter))}"
    if milestone.state is not None:
        yield condition(milestone.state)
    if milestone.progress is not None:
        wanted = milestone.progress
        virtue = wanted.filter.virtue if wanted.filter and wanted.on == "check_passed" else None
        check = f"check on {virtue}" if virtue else "check"
        noun = check if wanted.on == "check_passed" else cards(wanted.filter, NOUNS.get(wanted.on, "event"))
        yield OCCURRENCES[wanted.on].format(count(wanted.n, noun))
    if milestone.check is not None:
        yield f"pass a check on {test(milestone.check)}"
