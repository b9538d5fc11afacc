"""The course of an attack, from its declaration to its end (KN-4.15 to KN-4.25)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.knights import changes
from engines.knights.blows import blow_of, note, strike
from engines.knights.bout import Bout
from engines.knights.coins import toss
from engines.knights.effects import perform
from engines.knights.piles import place_of
from engines.knights.reaction import reaction_window
from engines.knights.reading import Frame
from engines.knights.resolving import drain
from engines.knights.settling import change_pvd, settle, take_stance
from engines.knights.state import Attack, Mention, Strike
from engines.knights.terms import AttackKind
from engines.knights.triggers import happen
from engines.rules import Flow

BURN = 2  # KN-6.34, I-28


def fight(
    bout: Bout, attacker: int, kind: AttackKind, targets: Sequence[int], technique: int | None = None
) -> Flow[None]:
    """Carry an attack through; its cost is paid already (KN-4.15)."""
    state = bout.state
    attack = Attack(state.active, kind, state.mention(attacker), technique, [state.mention(n) for n in targets])
    state.attack, state.strikes = attack, []
    yield from _declare(bout, attack)
    if kind != "direct":
        yield from reaction_window(bout, attack)
    yield from drain(bout)  # KN-4.18
    reason = "hit"
    if _lands(bout, attack):
        yield from _land(bout, attack)
    else:
        reason = "negated" if attack.negated else "no_target"
        _burn_without_landing(bout, attack)
    yield from drain(bout)
    _end(bout, reason)


def _declare(bout: Bout, attack: Attack) -> Flow[None]:
    """Tell of the attack, run ``on_use``, then what the declaration triggers (KN-4.15, KN-4.16)."""
    state, attacker = bout.state, attack.attacker.card
    changes.set_acted(bout, attacker, True)
    take_stance(bout, attacker, "attack")
    technique = None if attack.technique is None else state.pieces[attack.technique].key
    places = [place_of(bout, mention.card) for mention in attack.targets]
    bout.emit(
        "attack_declared", attacker=place_of(bout, attacker), kind=attack.kind, technique=technique, targets=places
    )
    if attack.technique is not None:
        frame = Frame(attack.seat, state.mention(attack.technique))
        yield from perform(bout, frame, bout.cards[state.pieces[attack.technique].key].on_use)
    if state.lies(attack.attacker):
        happen(bout, "attack_declared", attacker)
    for mention in _lying(bout, attack):
        happen(bout, "attacked", mention.card)
    if attack.technique is not None and state.lies(attack.attacker):
        happen(bout, "technique_used", attacker)
    yield from drain(bout)


def _lying(bout: Bout, attack: Attack) -> list[Mention]:
    """Give the targets that are still there, slots ascending."""
    pieces = bout.state.pieces
    return sorted((m for m in attack.targets if bout.state.lies(m)), key=lambda m: pieces[m.card].slot)


def _lands(bout: Bout, attack: Attack) -> bool:
    """Look again: drop targets that have gone or changed sides; say whether anything can still land (KN-4.18)."""
    state = bout.state
    attack.targets = [m for m in _lying(bout, attack) if state.pieces[m.card].side == 1 - attack.seat]
    present = state.lies(attack.attacker) and state.pieces[attack.attacker.card].side == attack.seat
    return present and not attack.negated and (attack.kind == "direct" or bool(attack.targets))


def _burn_without_landing(bout: Bout, attack: Attack) -> None:
    """Let a burnt attacker pay although nothing lands (KN-4.18, KN-6.34)."""
    if _is_burnt(bout, attack):
        changes.wound(bout, {attack.attacker.card: BURN})
        settle(bout)


def _is_burnt(bout: Bout, attack: Attack) -> bool:
    return bout.state.lies(attack.attacker) and "qmd" in bout.state.knight(attack.attacker.card).states


def _land(bout: Bout, attack: Attack) -> Flow[None]:
    """Toss, reckon, apply in one step, then what comes after a hit (KN-4.19 to KN-4.24)."""
    hits = _tossed(bout, attack)
    attack.targets = [bout.state.mention(number) for number, _ in hits]
    told = [(number, strike(bout, attack, number, heads=heads)) for number, heads in hits]
    hurt = _apply(bout, attack, told)
    settle(bout)
    yield from _after_hit(bout, attack)
    if hurt and bout.state.lies(attack.attacker):
        happen(bout, "hit", attack.attacker.card)
    changes.tell_damaged(bout, hurt)
    if attack.kind == "direct":
        happen(bout, "direct_hit", attack.attacker.card, side=attack.seat)


def _tossed(bout: Bout, attack: Attack) -> list[tuple[int, bool]]:
    """Give the targets that are hit, each with whether a coin decided so (KN-4.14, KN-4.19)."""
    hits = []
    for mention in attack.targets:
        number = mention.card
        evading = bout.state.knight(number).stance == "evade" and (
            attack.kind == "acn" or bout.options.evade_scope == "attacks"
        )
        tossing = evading and not bout.survey.has(attack.attacker.card, "pierce_evade")
        if not tossing or toss(bout, "evade", target=place_of(bout, number)):
            hits.append((number, tossing))
        else:
            bout.emit("attack_evaded", target=place_of(bout, number))
            happen(bout, "evaded", number)
    return hits


def _apply(bout: Bout, attack: Attack, told: Sequence[tuple[int, Strike]]) -> list[Mention]:
    """Let everything be lost in one step: Pv, divine life, what burning costs (KN-4.23). Give who lost Pv by it."""
    burnt = _is_burnt(bout, attack)
    for number, one in told:
        note(bout, one, number)
    hurt = changes.wound(bout, {number: one.damage for number, one in told})
    if attack.kind == "direct":
        change_pvd(bout, 1 - attack.seat, -1)  # KN-4.12, I-32
    if burnt:
        changes.wound(bout, {attack.attacker.card: BURN})
    return hurt


def _after_hit(bout: Bout, attack: Attack) -> Flow[None]:
    """Run ``on_hit`` for every hit target that is still in play, damage or not (KN-4.24)."""
    blow = blow_of(bout, attack)
    if attack.technique is None or blow is None:
        return
    on_hit = bout.cards[bout.state.pieces[attack.technique].key].on_hit
    source = bout.state.mention(attack.technique)
    for mention in list(attack.targets):
        if bout.state.lies(mention):
            yield from perform(bout, Frame(attack.seat, source, hit=mention), on_hit)


def _end(bout: Bout, reason: str) -> None:
    """End what lasts for the attack (KN-4.25, KN-6.20)."""
    changes.expire(bout, "attack", 0)
    bout.state.attack = None
    settle(bout)
    bout.emit("attack_ended", reason=reason)
