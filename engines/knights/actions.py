"""What the active seat does in its turn, one function an action (KN-5)."""

from __future__ import annotations

from collections.abc import Callable

from engines.knights import changes, plays
from engines.knights.bout import Bout
from engines.knights.choosing import choose_cards
from engines.knights.combat import fight
from engines.knights.effects import perform
from engines.knights.limits import activated_of_helper
from engines.knights.piles import into_pile, leave, place_of, take_out, turn_up
from engines.knights.reading import Frame
from engines.knights.resolving import drain
from engines.knights.settling import change_pvd, settle, take_stance
from engines.knights.state import shown
from engines.knights.triggers import happen, use
from engines.knights.words import Cost
from engines.rules import Act, Flow


def carry_out(bout: Bout, act: Act) -> Flow[None]:
    """Do one action to its end, with all that it triggers."""
    yield from DONE[act["do"]](bout, bout.state.active, act)
    settle(bout)  # KN-4.9: at the end of every accepted action, before its triggers
    yield from drain(bout)


def _attack(bout: Bout, seat: int, act: Act) -> Flow[None]:
    """Attack plainly, a knight or the seat itself (KN-5.6, KN-4.12)."""
    attacker = _own_knight(bout, seat, act["knight"])
    if act["target"] == "direct":
        yield from fight(bout, attacker, "direct", ())
        return
    target = bout.state.knights[1 - seat][act["target"] - 1]
    assert target is not None  # it was offered
    yield from fight(bout, attacker, "acn", (target,))


def _own_knight(bout: Bout, seat: int, slot: int) -> int:
    number = bout.state.knights[seat][slot - 1]
    assert number is not None  # it was offered
    return number


def _use_technique(bout: Bout, seat: int, act: Act) -> Flow[None]:
    """Use a technique: pay, turn it up, attack or run ``own``; or it fizzles (KN-5.7)."""
    state = bout.state
    number = state.support[seat][act["slot"] - 1]
    assert number is not None  # it was offered
    card, host = bout.cards[state.pieces[number].key], state.pieces[number].host
    assert host is not None  # a technique has one
    if state.knight(host).pc < (card.cost or 0):
        _fizzle(bout, number, host)
        return
    changes.change_pc(bout, host, -(card.cost or 0))
    turn_up(bout, number)
    settle(bout)  # KN-4.9: after every payment
    if card.level == "D":
        yield from _use_own(bout, seat, number, host)
        return
    bout.emit("technique_used", **_used(bout, number, host))
    if card.attack is not None and card.attack.select == "all":
        reach = card.attack.reaches(state.pieces[host].slot)
        targets = [n for n in (state.knights[1 - seat][slot - 1] for slot in reach) if n is not None]
    else:
        targets = [n for n in (state.knights[1 - seat][act["target"] - 1],) if n is not None]
    yield from fight(bout, host, "technique", targets, number)


def _used(bout: Bout, number: int, host: int) -> Act:
    piece = bout.state.pieces[number]
    place, pc = place_of(bout, host), bout.state.knight(host).pc
    return {"seat": piece.owner, "slot": piece.slot, "card": shown(piece), "host": place, "pc": pc}


def _fizzle(bout: Bout, number: int, host: int) -> None:
    """Spend the base action and nothing else; the technique lies open (KN-4.28, I-13)."""
    turn_up(bout, number)
    changes.set_acted(bout, host, True)
    take_stance(bout, host, "attack")
    bout.emit("technique_fizzled", **_used(bout, number, host))


def _use_own(bout: Bout, seat: int, number: int, host: int) -> Flow[None]:
    """Use a D technique as the base action: it is no attack (KN-4.27, I-17)."""
    changes.set_acted(bout, host, True)
    take_stance(bout, host, "attack")
    bout.emit("technique_used", **_used(bout, number, host))
    source = bout.state.mention(number)
    yield from perform(bout, Frame(seat, source), bout.cards[bout.state.pieces[number].key].own)
    if bout.state.pieces[host].knight is not None:
        happen(bout, "technique_used", host)


def _defend(bout: Bout, seat: int, act: Act) -> Flow[None]:
    """Defend until the next own turn (KN-5.9, KN-4.13)."""
    yield from _take(bout, seat, act["knight"], "defend")


def _evade(bout: Bout, seat: int, act: Act) -> Flow[None]:
    """Evade until the next own turn (KN-5.10, KN-4.14)."""
    yield from _take(bout, seat, act["knight"], "evade")


def _take(bout: Bout, seat: int, slot: int, stance: str) -> Flow[None]:
    number = _own_knight(bout, seat, slot)
    changes.set_acted(bout, number, True)
    take_stance(bout, number, stance)
    yield from ()


def _activate(bout: Bout, seat: int, act: Act) -> Flow[None]:
    """Use an activated ability: it is marked, paid, then run (KN-5.11, KN-6.4)."""
    source = act["source"]
    if "helper" in source:
        number = bout.state.helper[seat]
        assert number is not None  # it was offered
        found = activated_of_helper(bout, number)
        assert found is not None
        at, ability = found
    else:
        number, at = _own_knight(bout, seat, source["knight"]), source["ability"]
        ability = dict(bout.cards.abilities(bout.state.pieces[number].key))[at]
        if ability.action is not False:
            changes.set_acted(bout, number, True)
    mention = bout.state.mention(number)
    use(bout, seat, mention, at, ability)
    bout.emit("ability_activated", seat=seat, source=shown(bout.state.pieces[number]), ability=at)
    if ability.cost is not None:
        yield from _pay(bout, seat, number, ability.cost)
    yield from perform(bout, Frame(seat, mention), ability.effects)


def _pay(bout: Bout, seat: int, number: int, cost: Cost) -> Flow[None]:
    """Pay everything before the effects (KN-6.4)."""
    if cost.pc:
        changes.change_pc(bout, number, -cost.pc)
    if cost.pv:
        changes.wound(bout, {number: cost.pv})
    if cost.discard:
        state = bout.state
        names = [state.pieces[held].id for held in state.hand[seat]]
        about = bout.about(Frame(seat, state.mention(number)))
        held = list(state.hand[seat])
        chosen = yield from choose_cards(bout, seat, names, held, cost.discard, cost.discard, about)
        discard(bout, seat, chosen)
    if cost.pvd:
        change_pvd(bout, seat, -cost.pvd)
    settle(bout)


def discard(bout: Bout, seat: int, numbers: list[int]) -> None:
    """Put cards of a hand on the discard pile, for all to see (KN-2.39)."""
    for number in numbers:
        take_out(bout, number)
        into_pile(bout, number, "discard")
    cards = [shown(bout.state.pieces[number]) for number in numbers]
    bout.emit("cards_moved", seat=seat, n=len(numbers), cards=cards, **{"from": "hand", "to": "discard"})


def _discard_technique(bout: Bout, seat: int, act: Act) -> Flow[None]:
    """Give up an own technique, free of charge (KN-5.12, I-18)."""
    number = bout.state.support[seat][act["slot"] - 1]
    assert number is not None  # it was offered
    leave(bout, number, "discard", "discarded")
    yield from ()


DONE: dict[str, Callable[[Bout, int, Act], Flow[None]]] = {
    "play_knight": plays.play_knight,
    "play_technique": plays.play_technique,
    "play_object": plays.play_object,
    "play_occasion": plays.play_occasion,
    "play_scenario": plays.play_scenario,
    "play_helper": plays.play_helper,
    "attack": _attack,
    "use_technique": _use_technique,
    "defend": _defend,
    "evade": _evade,
    "activate": _activate,
    "discard_technique": _discard_technique,
}
