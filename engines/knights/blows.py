"""How much an attack takes: accumulated attack, armour, stance, changes (KN-4.13, KN-4.20 to KN-4.22)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engines.knights.bout import Bout
from engines.knights.cards import Blow
from engines.knights.piles import place_of
from engines.knights.state import Attack, Mod, Strike
from engines.knights.terms import MOST_STAT

NO_BLOW = Blow(bonus=0, reach="any", select="one")


def blow_of(bout: Bout, attack: Attack) -> Blow | None:
    """Give the attack that is printed on the technique; None for a plain one."""
    if attack.technique is None:
        return None
    return bout.cards[bout.state.pieces[attack.technique].key].attack


def strike(bout: Bout, attack: Attack, target: int, *, heads: bool) -> Strike:
    """Work out what one target loses (KN-4.20 to KN-4.22). ``heads``: it evades and the coin was against it."""
    attacker = attack.attacker.card
    values = bout.reading.values
    blow = blow_of(bout, attack)
    mods = [mod for mod in attack.mods if not mod.targets or target in mod.targets]
    bonus = blow.bonus or 0 if blow else 0
    extra = bout.options.evade_bonus if heads else 0  # KN-4.14, I-12
    aa = max(0, values[attacker].ce + bonus + sum(mod.aa for mod in attack.mods) + extra)
    armor = min(MOST_STAT, max(0, values[target].ar + sum(mod.ar for mod in mods)))
    raw = raw_damage(bout, blow, aa, armor)
    damage = raw
    if _is_parried(bout, attack, target):
        damage -= (damage + 2) // 4  # KN-4.13, I-11
    damage = _changed(damage, mods)
    pieces = bout.state.pieces
    how = "acn" if attack.technique is None else pieces[attack.technique].key
    return Strike(pieces[attacker].key, pieces[target].key, how, aa, armor, raw, damage, "heads" if heads else "")


def raw_damage(bout: Bout, blow: Blow | None, aa: int, armor: int) -> int:
    """Apply the table of KN-4.20 (I-2, I-3, I-43)."""
    if blow is not None and blow.fixed is not None:
        return blow.fixed
    if blow is not None and blow.ignore_armor:
        return aa
    if bout.options.acn_rule == "plain":
        return max(0, aa - armor)
    return max(1, aa - armor + (1 if blow is None else 0))


def _is_parried(bout: Bout, attack: Attack, target: int) -> bool:
    """Say whether the target's defence takes a quarter off (KN-4.13, KN-4.21)."""
    return (
        bout.state.knight(target).stance == "defend"
        and not bout.survey.has(attack.attacker.card, "pierce_defend")
        and (attack.kind == "acn" or bout.options.defend_scope == "attacks")
    )


def _changed(damage: int, mods: Iterable[Mod]) -> int:
    """Apply percentages in the order in which they came, then what is added (KN-4.22, I-47)."""
    mods = list(mods)
    for mod in mods:
        damage = damage * mod.percent // 100
    return max(0, damage + sum(mod.damage for mod in mods))


def counter_damage(bout: Bout, striker: int, attacker: int, bonus: int) -> int:
    """Work out a counter: as a plain attack, without toss, defence or changes (KN-6.80)."""
    values, pieces = bout.reading.values, bout.state.pieces
    aa, armor = max(0, values[striker].ce + bonus), values[attacker].ar
    damage = raw_damage(bout, None, aa, armor)
    told = Strike(pieces[striker].key, pieces[attacker].key, "counter", aa, armor, damage, damage)
    note(bout, told, attacker)
    return damage


def note(bout: Bout, told: Strike, target: int) -> None:
    """Keep a calculation for all to see, and tell it."""
    bout.state.strikes.append(told)
    pv = max(0, bout.state.knight(target).pv - told.damage)
    fields = msgspec.structs.asdict(told) | {"target": place_of(bout, target), "card": told.target, "pv": pv}
    bout.emit("damage_dealt", **fields)
