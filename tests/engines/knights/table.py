"""Lay a table of ``knights`` in the notation of the examples: ``lay(a={1: "alpha"}, b={1: "beta pv=4 env evade"})``.

A is seat 0, B seat 1; it is A's turn 5 unless said otherwise. A knight's words: ``pv=``/``pc=`` counts, a stance,
states (``par``, ``cng=2``), ``acted``. A support card: ``t2 on 1`` or ``t2 down on 1``.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from engines.flow import begin, load
from engines.knights import Knights
from engines.knights.bout import Board
from engines.knights.cards import Cards
from engines.knights.options import Options
from engines.knights.state import Knight, Piece, State
from engines.knights.terms import STATES, TURNS
from engines.record import encode
from engines.rules import Act, Match, Pack
from tests.scene import Scene

RULES = Knights()
Field = dict[int, str]


@cache
def fixture() -> Pack:
    """Read the fixture pack (KN-11.0)."""
    return RULES.read_pack((files("tests.engines.knights") / "fixture.toml").read_bytes())


@cache
def pack_with(tables: str) -> Pack:
    """Read the fixture pack and further tables, in TOML."""
    return RULES.read_pack(fixture().source + b"\n" + tables.encode())


def occasion(*effects: str, id: str = "oo", when: str = "") -> str:  # noqa: A002  (the field's name)
    """Spell an occasion in TOML."""
    condition = f"when = [{when}]\n" if when else ""
    head = f'[[card]]\nid = "{id}"\nkind = "occasion"\nname = "{id}"\nrarity = "C"\ntext = ""\n'
    return f"{head}{condition}effects = [{', '.join(effects)}]\n"


def knight(ability: str = "", *, id: str = "kk", stats: str = "pv = 8\nce = 4\nar = 2\npc = 6", more: str = "") -> str:  # noqa: A002
    """Spell a knight of rank none in TOML."""
    head = f'[[card]]\nid = "{id}"\nkind = "knight"\nname = "{id}"\nreference = "x"\nrank = "none"\nrarity = "C"\n'
    own = f"ability = [{{ {ability} }}]\n" if ability else ""
    return f'{head}text = ""\n{stats}\n{more}\n{own}'


def permanent(kind: str, *abilities: str, id: str = "pp") -> str:  # noqa: A002
    """Spell an object, helper or scenario in TOML."""
    head = f'[[card]]\nid = "{id}"\nkind = "{kind}"\nname = "{id}"\nrarity = "C"\ntext = ""\n'
    return f"{head}ability = [{', '.join(f'{{ {one} }}' for one in abilities)}]\n"


def technique(body: str, *, id: str = "tt", level: str = "1", cost: int = 1) -> str:  # noqa: A002
    """Spell a technique that everybody may use in TOML."""
    head = f'[[card]]\nid = "{id}"\nkind = "technique"\nname = "{id}"\nlevel = {level}\ncost = {cost}\nrarity = "C"\n'
    return f'{head}users = {{ filter = {{}} }}\ntext = ""\n{body}\n'


class Duel(Scene):
    """A scene in which seats speak of cards by key and of knights by slot."""

    def card(self, seat: int, key: str) -> str:
        """Give the id of the first card of that key in a hand."""
        state: State = self.state
        found = [state.pieces[n].id for n in state.hand[seat] if state.pieces[n].key == key]
        assert found, f"seat {seat} does not hold {key}"
        return found[0]

    def play(self, seat: int, key: str, **parameters: Any) -> None:
        self.answer(seat, self.playing(seat, key, **parameters))

    def playing(self, seat: int, key: str, **parameters: Any) -> Act:
        cards: Cards = self.match.pack
        return {"do": f"play_{cards[key].kind}", "card": self.card(seat, key), **parameters}

    def attack(self, seat: int, knight: int, target: int | str) -> None:
        self.act(seat, "attack", knight=knight, target=target)

    def use(self, seat: int, slot: int, target: int | None = None) -> None:
        self.act(seat, "use_technique", slot=slot, **({} if target is None else {"target": target}))

    def choose(self, seat: int, *places: tuple[int, int]) -> None:
        """Choose knights: (seat, slot)."""
        self.answer(seat, *({"do": "target", "seat": s, "zone": "knight", "slot": slot} for s, slot in places))

    def choose_support(self, seat: int, *places: tuple[int, int]) -> None:
        self.answer(seat, *({"do": "target", "seat": s, "zone": "support", "slot": slot} for s, slot in places))

    def take(self, seat: int, *keys: str, do: str = "card") -> None:
        """Choose cards by key, from what the seat's view names."""
        names = self._named(seat)
        offered = [act["card"] for act in self.offered(seat)]
        picked: list[str] = []
        for key in keys:
            picked.append(next(o for o in offered if names[o] == key and o not in picked))
        self.answer(seat, *({"do": do, "card": name} for name in picked))

    def offered_cards(self, seat: int) -> list[str]:
        """Give the keys of the cards that a seat may choose."""
        names = self._named(seat)
        return [names[act["card"]] for act in self.offered(seat)]

    def _named(self, seat: int) -> dict[str, str]:
        zones = self.view(seat)
        shown = [*zones["look"], *zones["hand"][str(seat)]["cards"]]
        shown += [card for side in ("0", "1") for card in zones["discard"][side]]
        return {card["id"]: card["card"] for card in shown}

    def knight(self, seat: int, slot: int) -> dict[str, Any]:
        """Give a knight as everybody sees it."""
        found: dict[str, Any] | None = self.view(None)["knights"][str(seat)][slot - 1]
        assert found is not None, f"no knight in {slot} of seat {seat}"
        return found

    def space(self, seat: int, slot: int) -> str:
        """Give the key of a knight, ``reserved``, or nothing."""
        found = self.view(None)["knights"][str(seat)][slot - 1]
        return "" if found is None else "reserved" if "reserved" in found else found["card"]

    def pv(self, seat: int, slot: int) -> int:
        return int(self.knight(seat, slot)["pv"])

    def pc(self, seat: int, slot: int) -> int:
        return int(self.knight(seat, slot)["pc"])

    @property
    def pvd(self) -> tuple[int, int]:
        state: State = self.state
        return state.pvd[0], state.pvd[1]

    def support(self, seat: int, eyes: int | None = None) -> list[str]:
        """Spell a support row as somebody sees it: ``t2``, ``t2~`` face down, ``~`` not known, nothing."""
        row = self.view(eyes)["support"][str(seat)]
        return ["" if c is None else c.get("card", "") + ("~" if c["face"] == "down" else "") for c in row]

    def pile(self, zone: str, seat: int) -> str:
        """Spell a pile: ``alpha t4``."""
        state: State = self.state
        return " ".join(state.pieces[number].key for number in getattr(state, zone)[seat])

    def turns_on(self, times: int = 1) -> None:
        """Let the active seat end its turn, so many times; hand-limit discards take their default."""
        for _ in range(times):
            seat = self.state.active
            self.act(seat, "end_turn")
            while self.outcome is None and self.state.pending[0].kind != "main":
                self.stay_silent(self.state.pending[0].seat)

    def strike(self) -> tuple[int, int, int]:
        """Give the latest calculation as told to all: accumulated attack, armour, damage."""
        last = self.view(None)["strikes"][-1]
        return last["aa"], last["armor"], last["damage"]


def lay(
    a: Field | None = None, b: Field | None = None, *, a_support: Field | None = None, b_support: Field | None = None,
    a_hand: str = "", b_hand: str = "", a_deck: str = "t1 t1 t1 t1 t1 t1", b_deck: str = "t1 t1 t1 t1 t1 t1",
    a_discard: str = "", b_discard: str = "", a_helper: str = "", b_helper: str = "", scenario: str = "",
    deities: tuple[str, str] = ("poseidon", "poseidon"), pvd: tuple[int, int] | None = None, turn: int = 5,
    pack: Pack | None = None, key: bytes = bytes(range(32)), **options: Any,
) -> Duel:  # fmt: skip
    """Lay a table (KN-11.0). ``scenario``: ``s1`` of A, ``s1@1`` of B."""
    cards: Cards = (pack or fixture()).cards
    state = State([], turn=turn, phase="main", next="main", deity=list(deities))
    state.pvd = list(pvd or (cards.deities[deities[0]].pvd, cards.deities[deities[1]].pvd))
    for seat, knights in enumerate((a or {}, b or {})):
        for slot, words in knights.items():
            _knight(cards, state, seat, slot, words.split())
    for seat, row in enumerate((a_support or {}, b_support or {})):
        for slot, words in row.items():
            _support(state, seat, slot, words)
    for zone, lines in (
        ("hand", (a_hand, b_hand)), ("deck", (a_deck, b_deck)), ("discard", (a_discard, b_discard)),
    ):  # fmt: skip
        for seat, line in enumerate(lines):
            for word in line.split():
                getattr(state, zone)[seat].append(_card(state, word, seat, zone))
    for seat, word in enumerate((a_helper, b_helper)):
        state.helper[seat] = _card(state, word, seat, "helper") if word else None
    if scenario:
        word, _, owner = scenario.partition("@")
        state.scenario = _card(state, word, int(owner or 0), "scenario")
    match = Match(2, Options(**options), cards)
    _top_up(match, state)
    return Duel(RULES, match, state, key)


def _card(state: State, word: str, seat: int, zone: Any) -> int:
    state.public_ids += 1
    name = "" if zone == "deck" else f"c{state.public_ids}"
    state.pieces.append(Piece(word, seat, zone, name, side=seat, slot=1 if zone in ("helper", "scenario") else 0))
    return len(state.pieces) - 1


def _knight(cards: Cards, state: State, seat: int, slot: int, words: list[str]) -> None:
    number = _card(state, words[0], seat, "knight")
    card = cards[words[0]]
    counters = Knight(card.pv, card.pc, card.pv, card.pc)
    for word in words[1:]:
        name, _, value = word.partition("=")
        if name in ("pv", "pc"):
            setattr(counters, name, int(value))
        elif name in STATES:
            counters.states[name] = [int(value or TURNS.get(name, 0)), state.turn - 1]  # type: ignore[index]
        elif name == "acted":
            counters.acted = True
        else:
            counters.stance = name  # type: ignore[assignment]
    state.pieces[number].knight, state.pieces[number].slot = counters, slot
    state.knights[seat][slot - 1] = number


def _support(state: State, seat: int, slot: int, words: str) -> None:
    word, _, place = words.partition(" on ")
    key, _, down = word.partition(" ")
    number = _card(state, key, seat, "support")
    piece = state.pieces[number]
    piece.slot, piece.up, piece.host = slot, not down, state.knights[seat][int(place) - 1]
    state.support[seat][slot - 1] = number


def _top_up(match: Match, state: State) -> None:
    """Let counters that are full be full under effective maxima."""
    values = Board(match, state).reading.values
    for number in state.in_play():
        knight, value = state.knight(number), values[number]
        knight.pv += (value.max_pv - knight.max_pv) * (knight.pv == knight.max_pv)
        knight.pc += (value.max_pc - knight.max_pc) * (knight.pc == knight.max_pc)
        knight.max_pv, knight.max_pc = value.max_pv, value.max_pc


DECK = {
    "name": "d",
    "deity": "poseidon",
    "cards": dict.fromkeys(["alpha", "beta", "delta", "t1", "d1", "o1", "o2", "o5", "o9", "o20", "b1", "h1", "s1"], 3)
    | {"o16": 1},
}


def opened(*decks: Any, key: bytes = bytes(range(32)), pack: Pack | None = None, **options: Any) -> Duel:
    """Begin a match from two decks, as the service does; it waits for its first answer."""
    cards = (pack or fixture()).cards
    match = Match(2, Options(**options), cards, decks or (DECK, DECK))
    step = begin(RULES, match, pack="", key=key)
    duel = Duel.__new__(Duel)
    duel.rules, duel.match = RULES, msgspec.structs.replace(match, decks=())
    assert encode(load(RULES, duel.match, step.record).table.state) == encode(step.position.table.state)
    duel._stand(step)
    return duel
