"""The English rules text of a card, made from its effects, so that text and effects cannot drift apart.

Owns sentences; phrases for things are in phrases.py. Knows no state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from engines.disciple.cards import Card
from engines.disciple.phrases import (
    clause,
    column,
    how_many,
    is_several,
    many,
    of_cards,
    of_event,
    of_scope,
    of_target,
    whose,
)
from engines.disciple.terms import CardFilter, Scope, Target
from engines.disciple.words import (
    Ability,
    Boost,
    ChooseOne,
    Discard,
    DiscardCard,
    Draw,
    Effect,
    ExtraPlay,
    FlipDown,
    FlipUp,
    Forbid,
    If,
    Mill,
    Modifier,
    Move,
    Peek,
    Protect,
    Put,
    Recover,
    Repeat,
    ReturnBottom,
    ReturnHand,
    Scry,
    Search,
    Silence,
    SwitchSide,
    SymbolBonus,
    Targeted,
    effects_in,
)

PREFIX = {
    "enter": "Impulse: ",
    "flip_down": "Pilgrim - whenever this turns into a disciple: ",
    "flip_up": "Whenever this turns back into a saint: ",
    "moved": "Whenever this moves to another column: ",
    "leave": "When this leaves play: ",
    "abundance": "Abundance: ",
    "ally_enter": "Whenever another saint{of} enters{where} on your side: ",
    "enemy_enter": "Whenever a saint{of} enters{where} on the opponent's side: ",
    "turn_start": "At the start of your turn: ",
    "turn_end": "At the end of your turn: ",
    "reaction": "Reaction - when the opponent lays a saint{of}{where}: ",
    "play": "",
}
SPAN = {"this_turn": "this turn", "until_own_next_turn": "until your next turn"}
FORBIDDEN = {
    "play_saint": ("play saints{0}", " into "),
    "react": ("react", ""),
    "move_action": ("move cards{0} after drawing", " to "),
    "flip_action": ("turn saints{0} into disciples after drawing", " in "),
}
SHIELDS = {
    "move": "move {0}",
    "flip_down": "turn {0} into disciples",
    "flip_up": "turn {0} back into saints",
    "return_hand": "return {0} to hand",
    "return_bottom": "put {0} at the bottom of a deck",
    "discard_card": "discard {0} from play",
    "switch_side": "take {0} onto the other side",
    "silence": "silence {0}",
    "boost": "change the symbols of {0}",
    "all": "affect {0}",
}


def rules_text(card: Card) -> str:
    """Give the whole rules text of a card as DI-10.4 words it, empty if it has no ability."""
    return " ".join(map(_ability, card.abilities))


def branch_texts(card: Card) -> list[str]:
    """Give the text of each branch that a card lets somebody choose from."""
    effects = (effect for ability in card.abilities for effect in effects_in(ability.effect))
    options = next((effect.options for effect in effects if isinstance(effect, ChooseOne)), ())
    return [_in_turn(option, " and ") for option in options]


def _ability(ability: Ability) -> str:
    if ability.static:
        return _modifiers(ability.static)
    provided = f"if {clause(ability.when)}, " if ability.when else ""
    told = _in_turn(ability.effect)
    if ability.optional:
        told = f"you may {told}" if _is_order(ability.effect[0]) else f"you may have this happen: {told}"
    of, where = of_event(ability.filter)
    sentence = PREFIX[ability.trigger].format(of=of, where=where) + provided + told
    return f"{sentence[0].upper()}{sentence[1:]}."


def _in_turn(effects: Sequence[Effect], link: str = "; then ") -> str:
    """Join what happens one after the other."""
    told, same = "", "it"
    for effect in effects:
        told += ("; " if isinstance(effect, If) else link) if told else ""
        told += _effect(effect, same)
        if isinstance(effect, Targeted) and effect.target.pick != "same":
            same = "them" if is_several(effect.target) else "it"
    return told


def _is_order(effect: Effect) -> bool:
    """Say whether the text of an effect tells the controller what to do, so that "you may" can stand before it."""
    if isinstance(effect, ChooseOne):
        return effect.by == "own"
    if isinstance(effect, Draw | Discard):
        return effect.who == "own"
    return not isinstance(effect, ExtraPlay | If | Repeat)


def _effect(effect: Effect, same: str) -> str:
    match effect:
        case Draw(who=who, n=n):
            return f"{_does(who, 'draw')} {many(n, 'card', 'cards')}"
        case Discard(who=who, n=n, choose=choose):
            chance = " at random" if choose == "random" else ""
            return f"{_does(who, 'discard')} {many(n, 'card', 'cards')}{chance}"
        case ExtraPlay(n=n):
            return f"you may play {_number(n)} more card{'' if n == 1 else 's'}"
        case If(cond=cond, then=then, otherwise=otherwise):
            rest = f"; otherwise {_in_turn(otherwise, ' and ')}" if otherwise else ""
            return f"if {clause(cond)}, {_in_turn(then, ' and ')}{rest}"
        case ChooseOne(options=options, by=by):
            chooser = "choose one" if by == "own" else "the opponent chooses one"
            return f"{chooser}: {'; or '.join(_in_turn(option, ' and ') for option in options)}"
        case Repeat(times=times, effect=inner):
            return f"up to {times} times, {_in_turn(inner, ' and ')}"
        case Mill() | Recover() | Scry() | Search() | Peek() | Put():
            return _with_piles(effect)
        case _:
            return _on_board(effect, of_target(effect.target, same), is_several(effect.target) or same == "them")


def _with_piles(effect: Mill | Recover | Scry | Search | Peek | Put) -> str:
    match effect:
        case Mill(who=who, n=n):
            return f"put {_top(n)} of {whose(who)} deck into the discard pile"
        case Recover(min=least, max=most, to=to, filter=wanted):
            goal = "to your hand" if to == "hand" else "to the bottom of your deck"
            return f"return {_some(least, most, wanted)} from your discard pile {goal}"
        case Scry(n=n):
            rest = "them" if n > 1 else "it"
            return (
                f"look at {_top(n)} of your deck and put {'any of ' if n > 1 else ''}{rest} at the bottom if you like"
            )
        case Search(filter=wanted):
            return f"search your deck for up to one {of_cards(wanted)}, show it, take it into your hand, and shuffle"
        case Peek(what="hand"):
            return "look at the opponent's hand"
        case Peek(n=n):
            return f"look at {_top(n or 1)} of the opponent's deck"
        case Put():
            return _put(effect)
        case unknown:
            assert_never(unknown)


def _put(effect: Put) -> str:
    face = " as a disciple" if effect.face == "down" else ""
    saint = of_cards(effect.filter, saint=True)
    if effect.source == "deck_top":
        return f"reveal the top card of your deck; if it is a {saint}, put it into play{face}, otherwise discard it"
    pile = "hand" if effect.source == "hand" else "discard pile"
    return f"put up to one {saint} from your {pile} into play{face}"


def _on_board(effect: Targeted, what: str, several: bool) -> str:
    match effect:
        case Move(to=to):
            return f"move {what}" if to == "choose" else f"move {what} to {column(to)}"
        case FlipDown():
            return f"turn {what} into {'disciples' if several else 'a disciple'}"
        case FlipUp():
            return f"turn {what} back into {'saints' if several else 'a saint'}"
        case ReturnHand():
            return f"return {what} to {_owners(several)} hand"
        case ReturnBottom():
            return f"put {what} at the bottom of {_owners(several)} deck"
        case DiscardCard():
            return f"discard {what} from play"
        case SwitchSide(target=target):
            return _switched(target, what)
        case Silence(duration=duration):
            return f"silence {what} {SPAN[duration]}"
        case Boost(n=n, duration=duration):
            return f"let {what} give {_more(n)} {SPAN[duration]}"
        case unknown:
            assert_never(unknown)


def _switched(target: Target, what: str) -> str:
    match target.side:
        case "enemy":
            return f"take {what} onto your side"
        case "own":
            return f"give {what} to the opponent's side"
        case _:
            return f"put {what} on the other side"


def _modifiers(modifiers: Sequence[Modifier]) -> str:
    """Say static modifiers in order; cards just named become "them"."""
    told: list[str] = []
    named: Scope | None = None
    for modifier in modifiers:
        told.append(_modifier(modifier, named))
        named = None if isinstance(modifier, Forbid) else modifier.scope
    return " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in told)


def _modifier(modifier: Modifier, named: Scope | None) -> str:
    match modifier:
        case SymbolBonus(scope=scope, n=n):
            return f"{'they' if scope == named else of_scope(scope)} give {_more(n)}"
        case Protect(scope=scope, shields=shields):
            objects = ["them" if scope == named else of_scope(scope), *["them"] * (len(shields) - 1)]
            orders = [_shield(shield, scope).format(what) for shield, what in zip(shields, objects, strict=True)]
            return f"the opponent cannot {' or '.join(orders)}"
        case Forbid(who=who, what=what, column=place):
            order, into = FORBIDDEN[what]
            where = "" if place == "any" else f"{into}{column(place)}"
            return f"{'you' if who == 'own' else 'the opponent'} cannot {order.format(where)}"
        case unknown:
            assert_never(unknown)


def _shield(shield: str, scope: Scope) -> str:
    """Say what cannot be done; a card of known face can be turned one way only."""
    turned = (shield, scope.face) in (("flip_down", "saint"), ("flip_up", "disciple"))
    return "turn {0}" if turned else SHIELDS[shield]


def _does(who: str, verb: str) -> str:
    return verb if who == "own" else f"the opponent {verb}s"


def _number(n: int) -> str:
    return "one" if n == 1 else str(n)


def _top(n: int) -> str:
    return "the top card" if n == 1 else f"the top {n} cards"


def _some(least: int, most: int, wanted: CardFilter) -> str:
    if least == most:
        return many(most, of_cards(wanted), of_cards(wanted, several=True))
    return f"{how_many(least, most)} {of_cards(wanted, several=most > 1)}"


def _owners(several: bool) -> str:
    return "their owners'" if several else "its owner's"


def _more(n: int) -> str:
    return f"{_number(abs(n))} symbol{'' if abs(n) == 1 else 's'} {'more' if n >= 0 else 'less'}"
