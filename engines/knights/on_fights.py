"""The ops on the current attack: attack_mod, negate_attack, redirect, counter (KN-6.77 to KN-6.80)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.knights import changes
from engines.knights.blows import counter_damage
from engines.knights.bout import Bout
from engines.knights.choosing import targets
from engines.knights.piles import place_of
from engines.knights.reading import Frame
from engines.knights.state import Mod
from engines.knights.words import AttackMod, Counter, NegateAttack, Redirect
from engines.rules import Flow


def _attack_mod(bout: Bout, frame: Frame, op: AttackMod) -> Flow[None]:
    """Change the current attack; outside one nothing happens (KN-6.77)."""
    attack = bout.state.attack
    if attack is None:
        return
    aimed = {mention.card for mention in attack.targets if bout.state.lies(mention)}
    if op.target is not None:
        chosen = yield from targets(bout, frame, op.target)
        if not chosen:
            return
        meant = tuple(chosen)
    else:
        stand = bout.reading.stand(frame)
        meant = (stand,) if stand is not None and stand in aimed else ()
    attack.mods.append(Mod(op.aa, op.ar, op.damage, op.percent, meant))


def _negate(bout: Bout, frame: Frame, op: NegateAttack) -> Flow[None]:
    """Let nothing of the attack land (KN-6.78)."""
    if bout.state.attack is not None:
        bout.state.attack.negated = True
    yield from ()


def _redirect(bout: Bout, frame: Frame, op: Redirect) -> Flow[None]:
    """Let a single-target attack hit another knight of the same side (KN-6.79)."""
    attack = bout.state.attack
    if attack is None or len(attack.targets) != 1 or not _is_single(bout):
        return
    side = 1 - attack.seat

    def stands_there(number: int) -> bool:
        piece = bout.state.pieces[number]
        return piece.knight is not None and piece.side == side

    found = yield from targets(bout, frame, op.target, stands_there)
    if found:
        attack.targets = [bout.state.mention(found[0])]
        bout.emit("attack_redirected", target=place_of(bout, found[0]))


def _is_single(bout: Bout) -> bool:
    attack = bout.state.attack
    if attack is None or attack.technique is None:
        return True
    blow = bout.cards[bout.state.pieces[attack.technique].key].attack
    return blow is not None and blow.select == "one"


def _counter(bout: Bout, frame: Frame, op: Counter) -> Flow[None]:
    """Let the host, or the source knight, hit the attacker at once (KN-6.80)."""
    striker = bout.reading.stand(frame)
    attackers = bout.reading.refs(frame, "attacker")
    if striker is not None and attackers:
        loss = counter_damage(bout, striker, attackers[0], op.bonus)
        changes.damage(bout, {attackers[0]: loss})
    yield from ()


DONE: dict[type[Any], Callable[[Bout, Frame, Any], Flow[None]]] = {
    AttackMod: _attack_mod,
    NegateAttack: _negate,
    Redirect: _redirect,
    Counter: _counter,
}
