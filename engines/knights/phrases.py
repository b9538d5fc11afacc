"""Words for things that cards speak of: knights, piles, conditions, numbers, times.

Owns phrases; sentences are in text.py. Knows no state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engines.knights.conditions import Condition, Count, Filter, Reckoned, Selector, StatOf, StatTest, Target, Value
from engines.knights.reading import tests_of
from engines.knights.terms import Duration, Turns

STATS = {"ce": "Ce", "ar": "Ar", "pv": "Pv", "pc": "Pc", "max_pv": "maximal Pv", "max_pc": "maximal Pc"}
AFFLICTED = {
    "par": "paralysed", "env": "poisoned", "cng": "frozen", "qmd": "burnt", "pos": "possessed", "nse": "numbed",
    "any": "afflicted",
}  # fmt: skip
STANCES = {"attack": "attacking", "defend": "defending", "evade": "evading"}
ATTACKS = {"acn": "plain", "technique": "a technique", "direct": "direct"}
REFS = {
    "self": "this knight", "host": "its knight", "attacker": "the attacker", "target": "the target",
    "event": "that knight", "chosen": "it",
}  # fmt: skip
SIDES = {"ally": "allied", "enemy": "enemy", "any": ""}
NOUNS = {"knight": "knight", "support": "support card", "helper": "helper", "scenario": "scenario"}
PILES = {"hand": "hand", "deck": "deck", "discard": "Yomotsu", "exile": "Cocytos"}
COUNTED = {"<": "fewer than {0}", "<=": "{0} or fewer", "=": "exactly {0}", ">=": "at least {0}", ">": "more than {0}"}
TURN = {
    "<": "before turn {0}",
    "<=": "turn {0} or earlier",
    "=": "turn {0}",
    ">=": "turn {0} or later",
    ">": "after turn {0}",
}
SMALL = ("of", "the", "from", "in", "to", "and", "for", "a")
COMPARED = {"<": "less than {0}", "<=": "{0} or less", "=": "exactly {0}", ">=": "{0} or more", ">": "more than {0}"}


def joined(words: Iterable[str], link: str = "and") -> str:
    """Join words as people do."""
    *head, last = list(words)
    return f"{', '.join(head)} {link} {last}" if head else last


def a(noun: str) -> str:
    """Put the article before a noun."""
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"


def several(noun: str) -> str:
    """Put a noun phrase into the plural: its first word that is a noun gets the s."""
    head, space, tail = noun.partition(" with ")
    if not space:
        head, space, tail = noun.partition(" that ")
    if not space:
        head, space, tail = noun.partition(" of ")
    return f"{head}s{space}{tail}"


def named(key: str) -> str:
    """Write an id as a name: "lysandra-of-lyra" is "Lysandra of Lyra"."""
    return " ".join(word if word in SMALL and at else word.title() for at, word in enumerate(key.split("-")))


def noun_of(wanted: Filter, noun: str = "card", side: str = "") -> str:
    """Name what a filter lets through: "damaged allied bronze knight with Ce 5 or more"."""
    tests = dict(tests_of(wanted))
    before = [STANCES[v] for v in tests.get("stance", ())] + [AFFLICTED[v] for v in tests.get("state", ())]
    if wanted.damaged is not None:
        before.append("damaged" if wanted.damaged else "unhurt")
    if wanted.face is not None:
        before.append(f"face-{wanted.face}")
    if wanted.elite is not None:
        before.append("elite" if wanted.elite else "non-elite")
    before += [side] if side else []
    before += [joined(map(str, tests["rank"]), "or")] if "rank" in tests else []
    kinds = [str(kind) for kind in tests.get("kind", ())]
    return " ".join([*before, joined(kinds, "or") if kinds else noun, *_after(wanted)])


def _after(wanted: Filter) -> list[str]:
    """Say what comes after the noun."""
    tests = dict(tests_of(wanted))
    after = []
    for name, phrase in (("patron", "of {0}"), ("reference", "of {0}"), ("subrank", "of grade {0}")):
        if name in tests:
            after.append(phrase.format(joined((named(v) if name == "patron" else str(v) for v in tests[name]), "or")))
    if "card" in tests:
        after.append(f"called {joined(map(named, tests['card']), 'or')}")
    if "level" in tests:
        after.append(f"of level {joined(map(str, tests['level']), 'or')}")
    if "rarity" in tests:
        after.append(f"of rarity {joined(map(str, tests['rarity']), 'or')}")
    if "slot" in tests:
        after.append(f"in space {joined(map(str, tests['slot']), 'or')}")
    if wanted.stat is not None:
        after.append(f"with {test(wanted.stat)}")
    if wanted.has_object is not None:
        after.append("with an object" if wanted.has_object else "without an object")
    if wanted.acted is not None:
        after.append("that has acted" if wanted.acted else "that has not acted")
    if wanted.negation is not None:
        after.append(_other_than(wanted.negation))
    return after


def _other_than(excluded: Filter) -> str:
    tests = dict(tests_of(excluded))
    if list(tests) == ["card"]:
        return f"other than {joined(map(named, tests['card']), 'or')}"
    if list(tests) == ["rank"]:
        return f"of any rank but {joined(map(str, tests['rank']), 'or')}"
    return f"that is not {a(noun_of(excluded, 'such card'))}"


def test(wanted: StatTest | StatOf) -> str:
    return f"{STATS[wanted.stat]} {COMPARED[wanted.op].format(wanted.n)}"


def some(selector: Selector | Count) -> str:
    """Name the cards among which a selector picks, in the singular."""
    return noun_of(selector.filter, NOUNS[selector.zone], SIDES[selector.who])


def of_target(target: Target | None, own: str) -> str:
    """Name what an op is about, as a subject in the singular. ``own``: what it is without a target."""
    if target is None:
        return own
    if isinstance(target, str):
        return REFS[target]
    noun = some(target)
    match target.pick:
        case "ref":
            kind = "" if not tests_of(target.filter) else f", if it is {a(noun)},"
            return f"{REFS[target.ref or 'self']}{kind}"
        case "all":
            return f"each {noun}"
        case "front":
            return f"the facing {noun}"
        case "adjacent":
            return f"each adjacent {noun}"
        case "random":
            return f"a random {noun}" if target.n == 1 else f"each of {target.n} random {several(noun)}"
        case _:
            chooser = " of the foe's choice" if target.by == "foe" else ""
            if target.n == 1:
                return (f"up to one {noun}" if target.up_to else a(noun)) + chooser
            return f"each of {'up to ' if target.up_to else ''}{target.n} {several(noun)}{chooser}"


def number(value: Value, sign: bool = False) -> str:
    """Write a number, or how it is worked out."""
    if isinstance(value, int):
        return f"{value:+d}" if sign else str(value)
    return f"{'+' if sign else ''}X, X being {reckoned(value)}"


def reckoned(value: Reckoned) -> str:
    if value.count is not None:
        most = f", at most {value.max}" if value.max is not None else ""
        return f"{_times(value.times)}the number of {several(some(value.count))}{most}"
    part = f" divided by {value.div}" if value.div > 1 else ""
    return f"{_times(value.times)}the {STATS[value.stat or 'ce']} of {REFS[value.of or 'self']}{part}"


def _times(times: int) -> str:
    return "" if times == 1 else f"{times} times "


def lasting(duration: Duration | None) -> str:
    """Say how long something lasts."""
    match duration:
        case None | "turn" | Turns(turns=0):
            return " this turn"
        case Turns(turns=1):
            return " to the end of the next turn"
        case Turns(turns=n):
            return f" for this turn and {n} more"
        case "attack":
            return " during this attack"
        case "my_next_turn":
            return " until your next turn"
        case "while_source":
            return " as long as this card lies open"
        case _:
            return " for good"


def clauses(conditions: Sequence[Condition]) -> str:
    """Say what must hold."""
    return joined(map(clause, conditions))


def clause(condition: Condition) -> str:
    """Say one condition."""
    foe = condition.who == "foe"
    whose, who = ("the foe's", "the foe") if foe else ("your", "you")
    count = COUNTED[condition.op].format(condition.n) if condition.op else ""
    of = REFS[condition.of] if condition.of else ""
    match condition.word:
        case "turn":
            return "it is your turn" if condition.turn == "mine" else "it is the foe's turn"
        case "turn_no":
            assert condition.turn_no is not None  # as its word says
            return f"it is {TURN[condition.turn_no.op].format(condition.turn_no.n)}"
        case "deity":
            return f"{whose} deity is {named(condition.deity or '')}"
        case "scenario":
            words = {"any": "a scenario is in play", "none": "no scenario is in play"}
            return words.get(condition.scenario or "", f"{named(condition.scenario or '')} is in play")
        case "control" | "support":
            wanted, noun = (
                (condition.control, "knight") if condition.control is not None else (condition.support, "support card")
            )
            assert wanted is not None
            return f"{who} {'has' if foe else 'have'} {count} {several(noun_of(wanted, noun))}"
        case "zone":
            return f"{whose} {PILES[condition.zone or 'hand']} holds {count} cards"
        case "pvd":
            assert condition.pvd is not None
            other = condition.pvd.who == "foe"
            return f"{'the foe has' if other else 'you have'} {COMPARED[condition.pvd.op].format(condition.pvd.n)} PvD"
        case "stat":
            assert condition.stat is not None
            return f"{REFS[condition.stat.of]} has {test(condition.stat)}"
        case _:
            return _of_knight(condition, of)


def _of_knight(condition: Condition, of: str) -> str:
    match condition.word:
        case "state":
            return f"{of} is {AFFLICTED[condition.state or 'any']}"
        case "stance":
            return f"{of} is {STANCES[condition.stance or 'attack']}"
        case "slot":
            slots = condition.slot if isinstance(condition.slot, tuple) else (condition.slot,)
            return f"{of} stands in space {joined(map(str, slots), 'or')}"
        case "matches":
            return f"{of} is {a(noun_of(condition.matches or Filter(), 'knight'))}"
        case "attack":
            kinds = {
                "acn": "the attack is plain",
                "technique": "the attack is a technique",
                "direct": "the attack is direct",
            }
            return kinds[condition.attack or "acn"]
        case "any":
            return joined(map(clause, condition.any or ()), "or")
        case _:
            return _negated(condition.negation or condition)


def _negated(condition: Condition) -> str:
    """Say that a condition does not hold."""
    if condition.turn is not None:
        return "it is the foe's turn" if condition.turn == "mine" else "it is your turn"
    if condition.word in ("state", "stance", "slot", "matches"):
        head, verb, tail = clause(condition).partition(" stands " if condition.word == "slot" else " is ")
        return f"{head} {verb.strip() if verb == ' is ' else 'does'} not {tail if verb == ' is ' else 'stand ' + tail}"
    return f"it is not so that {clause(condition)}"
