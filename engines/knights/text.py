"""The English rules text of cards, ranks and deities, made from their data, so that the two cannot drift apart.

Owns sentences; phrases for things are in phrases.py. Knows no state.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.knights.cards import Blow, Card, Deity, Rank
from engines.knights.phrases import (
    AFFLICTED,
    PILES,
    STANCES,
    STATS,
    a,
    clauses,
    joined,
    lasting,
    noun_of,
    number,
    of_target,
)
from engines.knights.text_moves import moved, peeked
from engines.knights.words import (
    Ability,
    AttackMod,
    ChangePc,
    ChangePvd,
    ChooseOne,
    Coin,
    Cost,
    Counter,
    Cure,
    Damage,
    Destroy,
    Draw,
    Effect,
    Effects,
    Grant,
    Heal,
    If,
    Inflict,
    Modify,
    MoveCards,
    MoveKnight,
    NegateAttack,
    Peek,
    Ready,
    Redirect,
    Remove,
    Restrict,
    SetFace,
    SetStance,
)

OWN = {"knight": "this knight", "object": "its knight", "technique": "its knight"}
KEYWORDS = {
    "no_attack": "cannot attack", "no_evade": "cannot evade", "no_defend": "cannot defend",
    "no_technique": "cannot use techniques", "no_react": "cannot react with techniques",
    "untargetable": "cannot be aimed at while another of its side can", "guard": "guards its side",
    "pierce_evade": "strikes so that nobody evades", "pierce_defend": "strikes through every defence",
    "direct": "may attack the foe directly",
}  # fmt: skip
INFLICTED = {
    "par": "is paralysed", "env": "is poisoned", "cng": "is frozen", "qmd": "is burnt", "pos": "is possessed by you",
    "nse": "is numbed",
}  # fmt: skip
EVENTS = {
    "knight_entered": "{0} comes into play", "attack_declared": "{0} attacks", "attacked": "{0} is attacked",
    "hit": "{0} hits", "damaged": "{0} is hurt", "evaded": "{0} evades", "direct_hit": "{0} hits the foe directly",
    "knight_destroyed": "{0} is destroyed", "technique_used": "{0} uses a technique",
    "state_gained": "{0} falls into a bad state",
}  # fmt: skip
WHOSE = {"host": "its knight", "ally": "an allied knight", "enemy": "an enemy knight", "any": "any knight"}
PLAYERS = {"ally": "you", "enemy": "the foe", "any": "anybody"}
TURNS = {"ally": "your", "enemy": "the foe's", "any": "each"}
USUAL = {"knight": "self", "object": "host"}
ONCE = {"none": "", "turn": ", once a turn", "game": ", once a match"}
REACH = {
    "any": ("any enemy", "every enemy"), "front": ("the facing enemy only", "the facing enemy"),
    "adjacent": ("the facing enemy or a neighbour", "the facing enemy and its neighbours"),
    "flanks": ("a neighbour of the facing space", "both neighbours of the facing space"),
}  # fmt: skip


def rules_text(card: Card) -> str:
    """Give the whole rules text of a card, empty if it does nothing."""
    own = OWN.get(card.kind, "it")
    match card.kind:
        case "technique":
            return _technique(card)
        case "occasion":
            provided = f"If {clauses(card.when)}: " if card.when else ""
            return sentence(provided + in_turn(card.effects, own))
        case "object":
            bearers = f"Only for {a(noun_of(card.host_filter, 'knight'))}. " if card.host_filter else ""
            return bearers + " ".join(_ability(ability, card.kind) for ability in card.abilities)
        case "trophy":
            return "Cannot be played."
        case _:
            return " ".join(_ability(ability, card.kind) for ability in card.abilities)


def rank_text(rank: Rank) -> str:
    return "" if rank.ability is None else _ability(rank.ability, "knight")


def deity_text(deity: Deity) -> str:
    """Give what a deity does for its seat and for its knights."""
    told = [_ability(ability, "deity") for ability in deity.bonus]
    if deity.rules.opening_hand != 5:
        told.append(f"You begin with {deity.rules.opening_hand} cards.")
    if deity.rules.hand_limit != 8:
        told.append(f"You may keep {deity.rules.hand_limit} cards in hand.")
    devotion = [f"Devotion - {_ability(deity.devotion, 'knight')}"] if deity.devotion else []
    return " ".join([*told, *devotion])


def sentence(told: str) -> str:
    return f"{told[0].upper()}{told[1:]}."


def _technique(card: Card) -> str:
    if card.attack is None:
        covers = "An ally is attacked" if card.protects == "ally" else "Attacked"
        told = [sentence(f"{covers}: {in_turn(card.react, OWN['technique'])}")] if card.react else []
        return " ".join([*told, *([f"In your turn: {in_turn(card.own, OWN['technique'])}."] if card.own else [])])
    told = [_blow(card.attack)]
    told += [f"first {in_turn(card.on_use, OWN['technique'])}"] if card.on_use else []
    told += [f"after a hit {in_turn(card.on_hit, OWN['technique'])}"] if card.on_hit else []
    return sentence("; ".join(told))


def _blow(blow: Blow) -> str:
    force = f"{blow.fixed} damage" if blow.fixed is not None else f"+{blow.bonus} attack"
    through = ", armour does not count" if blow.ignore_armor else ""
    if isinstance(blow.reach, tuple):
        spaces = joined(map(str, blow.reach), "or" if blow.select == "one" else "and")
        where = f"an enemy in space {spaces}" if blow.select == "one" else f"every enemy in space {spaces}"
    else:
        where = REACH[blow.reach][blow.select == "all"]
    return f"{force}, {where}{through}"


def _ability(ability: Ability, kind: str) -> str:
    """Say one ability."""
    own = OWN.get(kind, "it")
    provided = f"if {clauses(ability.when)}, " if ability.when else ""
    if ability.kind == "passive":
        span = f" while {clauses(ability.when)}" if ability.when else ""
        return sentence(_together([_passive(op, own) for op in ability.effects]) + span)
    may = "you may let this happen: " if ability.optional else ""
    told = f"{provided}{may}{in_turn(ability.effects, own)}"
    once = ONCE[ability.once]
    if ability.kind == "activated":
        free = "Ability" if kind == "helper" or ability.action is not False else "Free ability"
        return sentence(f"{free}{_cost(ability.cost)}{once}: {told}")
    return sentence(f"{_event(ability, kind)}{once}: {told}")


def _cost(cost: Cost | None) -> str:
    if cost is None:
        return ""
    named = [f"{n} {unit}" for n, unit in ((cost.pc, "Pc"), (cost.pv, "Pv"), (cost.pvd, "PvD")) if n]
    named += [f"{cost.discard} card{'s' if cost.discard > 1 else ''} of your hand"] if cost.discard else []
    return f", {joined(named)}"


def _event(ability: Ability, kind: str) -> str:
    """Say when a triggered ability works."""
    trigger = ability.trigger or "played"
    whose = ability.whose or USUAL.get(kind, "ally")
    match trigger:
        case "turn_start" | "turn_end":
            time = "start" if trigger == "turn_start" else "end"
            turn = TURNS.get(ability.whose or "ally", "your")
            return f"at the {time} of {turn} turn"
        case "occasion_played":
            player = PLAYERS.get(ability.whose or "ally", "you")
            return f"after {player} {'play' if player == 'you' else 'plays'} an occasion"
        case "played":
            return "when this is played"
        case "destroyed":
            return "when this is destroyed"
        case _:
            return "when " + EVENTS[trigger].format(WHOSE.get(whose, "this knight"))


def _together(told: Sequence[tuple[str, str]]) -> str:
    """Join what passives do, naming each subject once as long as it stays the same."""
    parts, latest = [], ""
    for subject, does in told:
        parts.append(does if subject == latest else f"{subject} {does}")
        latest = subject
    return joined(parts)


def _passive(op: Effect, own: str) -> tuple[str, str]:
    """Give who is concerned, and what it has or does."""
    match op:
        case Modify():
            return of_target(op.target, own), f"has {number(op.n, True)} {STATS[op.stat]}"
        case Grant():
            return of_target(op.target, own), _keyword(op)
        case _:
            assert isinstance(op, Restrict)  # nothing else is passive
            who, _, does = _restricted(op).partition(" cannot ")
            return who, f"cannot {does}"


def _keyword(op: Grant) -> str:
    if op.keyword == "immune":
        return f"cannot be {joined((AFFLICTED[state] for state in op.states), 'or')}"
    return KEYWORDS[op.keyword]


def _restricted(op: Restrict) -> str:
    """Say what a seat may not do."""
    who = "the foe" if op.who == "foe" else "you"
    kinds = [f"{what}s" for what in op.what if what != "draw_step"]
    told = [f"play {joined(kinds, 'or')}"] if kinds else []
    told += ["draw the card of the turn"] if "draw_step" in op.what else []
    return f"{who} cannot {joined(told, 'or')}"


def in_turn(effects: Effects, own: str) -> str:
    """Join what happens one after the other."""
    return "; then ".join(_effect(effect, own) for effect in effects) or "nothing happens"


def _effect(op: Effect, own: str) -> str:
    match op:
        case Coin():
            return f"toss a coin - heads: {in_turn(op.heads, own)}, tails: {in_turn(op.tails, own)}"
        case ChooseOne():
            chooser = "choose one" if op.by == "me" else "the foe chooses one"
            return f"{chooser}: {'; or '.join(_branch(b.when, b.effects, own) for b in op.options)}"
        case If():
            rest = f", otherwise {in_turn(op.otherwise, own)}" if op.otherwise else ""
            return f"if {clauses(op.when)}, {in_turn(op.then, own)}{rest}"
        case ChangePvd():
            who = "the foe" if op.who == "foe" else "you"
            return f"{who} {_gains(op.n, who == 'you')} PvD"
        case Draw():
            cards = "a card" if op.n == 1 else f"{number(op.n)} cards"
            return f"the foe draws {cards}" if op.who == "foe" else f"draw {cards}"
        case MoveCards():
            return moved(op)
        case Peek():
            return peeked(op)
        case Restrict():
            return _restricted(op) + lasting(op.duration)
        case AttackMod():
            return _attack_mod(op, own)
        case NegateAttack():
            return "nothing of the attack lands"
        case Counter():
            return f"{own} strikes back" + (f" with {op.bonus:+d}" if op.bonus else "")
        case _:
            return _on_field(op, of_target(op.target, own))


def _branch(when: Sequence[object], effects: Effects, own: str) -> str:
    provided = f"if {clauses(when)}, " if when else ""  # type: ignore[arg-type]
    return provided + in_turn(effects, own)


def branch_label(effects: Effects, kind: str) -> str:
    """Give the label of a branch of ``choose_one``: what it does."""
    return sentence(in_turn(effects, OWN.get(kind, "it")))[:-1]


def _gains(n: object, you: bool) -> str:
    if isinstance(n, int) and n < 0:
        return f"{'lose' if you else 'loses'} {-n}"
    return f"{'gain' if you else 'gains'} {number(n)}"  # type: ignore[arg-type]


def _attack_mod(op: AttackMod, own: str) -> str:
    """Say how the current attack changes."""
    about = "" if op.target is None else f" against {of_target(op.target, own)}"
    parts = [f"the attack has {op.aa:+d}"] if op.aa else []
    parts += [f"{op.ar:+d} armour{about} against the attack"] if op.ar else []
    parts += [f"the damage{about} is {op.percent} percent"] if op.percent != 100 else []
    parts += [f"{op.damage:+d} damage{about}"] if op.damage else []
    return joined(parts)


def _on_field(op: Effect, what: str) -> str:
    match op:
        case Modify():
            return f"{what} gets {number(op.n, True)} {STATS[op.stat]}{lasting(op.duration)}"
        case Damage():
            return f"{what} loses {number(op.n)} Pv"
        case Heal():
            return f"{what} recovers {number(op.n)} Pv"
        case ChangePc():
            return f"{what} {_gains(op.n, False)} Pc"
        case Inflict():
            turns = f" for {op.turns} turn{'s' if op.turns > 1 else ''}" if op.turns else ""
            return f"{what} {INFLICTED[op.state]}{turns}"
        case Cure():
            every = (
                "of everything"
                if op.states == "all"
                else f"from being {joined((AFFLICTED[s] for s in op.states), 'or')}"
            )
            return f"{what} is cured {every}"
        case Grant():
            return f"{what} {_keyword(op)}{lasting(op.duration)}"
        case Ready():
            return f"{what} may act again"
        case SetStance():
            return f"{what} takes the {STANCES[op.stance]} stance"
        case _:
            return _removed(op, what)


def _removed(op: Effect, what: str) -> str:
    match op:
        case Destroy():
            return f"destroy {what}"
        case Remove():
            goals = {"hand": "its owner's hand", "deck_top": "the top of its owner's deck",
                     "deck_bottom": "the bottom of its owner's deck", "exile": f"the {PILES['exile']}"}  # fmt: skip
            return f"put {what} into {goals[op.to]}" if op.to in ("hand", "exile") else f"put {what} on {goals[op.to]}"
        case MoveKnight():
            if op.mode == "to_empty":
                return f"move {what} to an empty space of its side"
            partner = of_target(op.partner, "another").removeprefix("a ").removeprefix("an ")
            return f"let {what} change places with another {partner}"
        case SetFace():
            return f"turn {what} face {op.face}"
        case _:
            assert isinstance(op, Redirect)  # the others are told above
            return f"the attack hits {what} instead"
