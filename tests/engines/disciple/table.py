"""Lay a table of ``disciple`` in the notation of the examples: ``lay(side0={"fire": "t_f2 t_f1~"}, hand0="t_b1")``.

``~``: a disciple. ``@n``: the owner is seat n. Which cards are abundant is worked out from how they lie.
Zones not named are as the examples say: hand ``t_d1``, ten ``t_d1`` in the deck, the rest empty.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from engines.disciple import Disciple
from engines.disciple.activation import abounds
from engines.disciple.cards import Cards
from engines.disciple.state import Instance, State, Step
from engines.disciple.statics import count_symbols
from engines.rules import Act, Match, Pack
from tests.scene import Scene

RULES = Disciple()
Side = dict[str, str]
CARD = """
[[card]]
key = "{key}"
number = {number}
name = "{key}"
kind = "{kind}"
rarity = "common"
{symbols}
text = ""
quote = ""
artist = ""
legal = ""
ability = [ {abilities} ]
"""


@cache
def fixture() -> Pack:
    """Read the fixture pack (DI-10.8)."""
    return RULES.read_pack((files("tests.engines.disciple") / "fixture.toml").read_bytes())


def pack_with(**abilities: str) -> Pack:
    """Read the fixture pack and further cards: key -> its abilities in TOML.

    A key that begins with ``deed`` is a deed, the others are saints with the one symbol ``book``.
    """
    tables = [
        CARD.format(
            key=key,
            number=900 + at,
            kind="deed" if key.startswith("deed") else "saint",
            symbols="" if key.startswith("deed") else 'symbols = ["book"]\ntags = ["work"]',
            abilities=line,
        )
        for at, (key, line) in enumerate(abilities.items())
    ]
    return RULES.read_pack(fixture().source + "".join(tables).encode())


def deed(*effects: str) -> Pack:
    """Read the fixture pack and a deed called ``deed`` with these effects."""
    return pack_with(deed=f'{{ trigger = "play", effect = [ {", ".join(effects)} ] }}')


class Disciples(Scene):
    """A scene that names cards by key: fine as long as a key stands once in a zone."""

    def card(self, key: str, seat: int | None = None) -> str:
        """Give the id of a card: in the hand of ``seat``, or (None) on the board, limbo, discard or being looked at."""
        state: State = self.state
        shown = [*state.on_board(), *state.discard[0], *state.discard[1], *state.look]
        numbers = shown if seat is None else state.hand[seat]
        found = [state.cards[number].id for number in numbers if state.cards[number].key == key]
        assert found, f"no {key} there"
        return found[0]

    def play(self, seat: int, key: str, column: str | None = None) -> None:
        """Play a card as an action or extra play; the reaction window, if one opens, stays open."""
        self.answer(seat, self.playing(seat, key, column))

    def playing(self, seat: int, key: str, column: str | None = None) -> Act:
        act: Act = {"do": "play_card", "card": self.card(key, seat)}
        return act | ({"column": column} if column else {})

    def play_through(self, seat: int, key: str, column: str | None = None) -> None:
        """Play a card; the other seat declines to react if it is asked."""
        self.play(seat, key, column)
        prompt = self.prompt(1 - seat)
        if prompt is not None and prompt.kind == "react":
            self.act(1 - seat, "decline")

    def react(self, seat: int, key: str, column: str | None = None) -> None:
        act = {"do": "react", "card": self.card(key, seat)}
        self.answer(seat, act | ({"column": column} if column else {}))

    def choose(self, seat: int, *keys: str) -> None:
        """Choose public cards, or cards of the own hand if a prompt is about those."""
        offered = {act["card"] for act in self.offered(seat)}
        names = [name for key in keys for name in self._named(key, seat) if name in offered]
        self.answer(seat, *({"do": "choose", "card": name} for name in names))

    def _named(self, key: str, seat: int) -> list[str]:
        state: State = self.state
        zones = [*state.on_board(), *state.discard[0], *state.discard[1], *state.hand[seat], *state.look]
        return [state.cards[number].id for number in zones if state.cards[number].key == key][:1]

    def side(self, seat: int, column: str) -> str:
        """Spell one side of a column: ``t_f2 t_f1~``."""
        state: State = self.state
        cards = [state.cards[number] for number in state.columns[column][seat]]  # type: ignore[index]
        return " ".join(card.key + ("" if card.up else "~") for card in cards)

    def hand(self, seat: int) -> str:
        return self._spell(self.state.hand[seat])

    def discard(self, seat: int) -> str:
        return self._spell(self.state.discard[seat])

    def deck(self, seat: int) -> str:
        return self._spell(self.state.deck[seat])

    def symbols(self, seat: int, column: str) -> int:
        count: int = self.view(None)["symbols"][str(seat)][column]
        return count

    def phase(self) -> tuple[str, int]:
        """Give the phase and whose turn it is."""
        turn = self.view(None)["turn"]
        return turn["phase"], turn["active"]

    def _spell(self, numbers: list[int]) -> str:
        return " ".join(self.state.cards[number].key for number in numbers)


def lay(
    *,
    side0: Side | None = None,
    side1: Side | None = None,
    hand0: str = "t_d1",
    hand1: str = "t_d1",
    deck0: str | int = 10,
    deck1: str | int = 10,
    discard0: str = "",
    discard1: str = "",
    step: Step = "main",
    turn: int = 1,
    active: int = 0,
    used: dict[str, int] | None = None,
    pack: Pack | None = None,
    **options: Any,
) -> Disciples:
    """Lay a table in which seat ``active`` is about to take ``step`` of turn ``turn``.

    With step ``start`` the other seat's turn begins. A deck given as a number is that many ``t_d1``.
    ``used``: activations of this turn, by id and ability.
    """
    chosen = pack or fixture()
    state = State([], turn=turn, active=active, next=step, used=used or {})
    for seat, side in enumerate((side0 or {}, side1 or {})):
        for column, line in side.items():
            for word in line.split():
                state.columns[column][seat].append(_board_card(state, word, column, seat))  # type: ignore[index]
    for zone, lines in ((state.hand, (hand0, hand1)), (state.discard, (discard0, discard1))):
        for seat, line in enumerate(lines):
            zone[seat] = [_card(state, key, seat) for key in line.split()]
    for seat, deck in enumerate((deck0, deck1)):
        keys = ["t_d1"] * deck if isinstance(deck, int) else deck.split()
        state.deck[seat] = [_card(state, key, seat) for key in keys]
        for number in state.deck[seat]:
            state.cards[number].id = ""
    _notice(chosen.cards, state)
    return Disciples(RULES, Match(2, RULES.Options(**options), chosen.cards), state)


def done(*effects: str, **table: Any) -> Disciples:
    """Lay a table, and let seat 0 play a deed with these effects."""
    table.setdefault("hand0", "t_b1")
    scene = lay(**{**table, "hand0": f"deed {table['hand0']}"}, pack=deed(*effects))
    scene.play(0, "deed")
    return scene


def _card(state: State, key: str, owner: int) -> int:
    state.public_ids += 1
    state.cards.append(Instance(key, owner, f"c{state.public_ids}"))
    return len(state.cards) - 1


def _board_card(state: State, word: str, column: str, seat: int) -> int:
    name, _, owner = word.partition("@")
    number = _card(state, name.rstrip("~"), int(owner or seat))
    card = state.cards[number]
    card.column, card.side, card.up = column, seat, not name.endswith("~")  # type: ignore[assignment]
    return number


def _notice(cards: Cards, state: State) -> None:
    """Count, and mark what is abundant."""
    state.symbols = count_symbols(cards, state)
    for number in state.on_board():
        state.cards[number].abundant = abounds(cards, state, number)
