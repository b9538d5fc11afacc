"""Broken tables are noticed, and hidden cards are known for what they are (DI-2.7, DI-2.11)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engines.disciple.state import Lasting, Mention, Pending, State
from tests.engines.disciple.table import RULES, lay, pack_with


def _lose_a_card(state: State) -> None:
    state.deck[0].pop()


def _double_a_card(state: State) -> None:
    state.discard[0].append(state.deck[0][0])


def _give_away(state: State) -> None:
    state.hand[1].append(state.hand[0].pop())


def _forget_where_it_lies(state: State) -> None:
    state.cards[state.columns["book"][0][0]].column = "fire"


def _lie_in_two_worlds(state: State) -> None:
    state.cards[state.hand[0][0]].column = "fire"


def _name_twice(state: State) -> None:
    state.cards[state.hand[0][0]].id = state.cards[state.hand[1][0]].id


def _name_in_a_deck(state: State) -> None:
    state.cards[state.deck[0][0]].id = "x"


def _miscount(state: State) -> None:
    state.symbols[0]["book"] += 1


def _abound_wrongly(state: State) -> None:
    state.cards[state.columns["book"][0][0]].abundant = True


def _grant_too_much(state: State) -> None:
    state.extra_plays = 10


def _last_on_nothing(state: State) -> None:
    state.lasting.append(Lasting("boost", state.hand[0][0], "this_turn", 0, 1))


def _misnumber(state: State) -> None:
    state.pending.append(Pending(4, 0, "enter", 0, Mention(0, 0, "c1", "t_b1")))


BREAKS: dict[Callable[[State], None], str] = {
    _lose_a_card: "one place each",
    _double_a_card: "one place each",
    _give_away: "card of the other seat",
    _forget_where_it_lies: "lies elsewhere",
    _lie_in_two_worlds: "lies in a column",
    _name_twice: "missing or double",
    _name_in_a_deck: "deck has an id",
    _miscount: "symbols are",
    _abound_wrongly: "abundant",
    _grant_too_much: "extra plays",
    _last_on_nothing: "not on the board",
    _misnumber: "numbered",
}


@pytest.mark.parametrize("damage", BREAKS, ids=lambda damage: damage.__name__)
def test_a_broken_table_is_noticed(damage: Callable[[State], None]) -> None:
    """DI-2.2, DI-2.3, DI-2.6, DI-2.8, DI-2.11, DI-6.11."""
    scene = lay(side0={"book": "t_b1"})
    assert RULES.check(scene.match, scene.state) == []
    damage(scene.state)
    assert any(BREAKS[damage] in fault for fault in RULES.check(scene.match, scene.state))


def hidden(scene: object, seat: int | None) -> set[str]:
    """Give the keys of the cards that a seat may not know."""
    state, match = scene.state, scene.match  # type: ignore[attr-defined]
    groups = RULES.secrets(match, state, seat)
    return {state.cards[int(slot)].key for slots in groups.values() for slot in slots}


def test_a_seat_may_not_know_decks_and_the_other_hand() -> None:
    """DI-2.7, DI-2.13."""
    scene = lay(hand0="t_b1", hand1="t_b2", deck0="t_f1", deck1="t_f2", discard0="t_h1", side0={"drop": "t_d1~"})
    assert hidden(scene, 0) == {"t_f1", "t_b2", "t_f2"}
    assert hidden(scene, 1) == {"t_b1", "t_f1", "t_f2"}
    assert hidden(scene, None) == {"t_b1", "t_f1", "t_b2", "t_f2"}


def test_what_was_shown_is_known_until_it_changes_its_zone() -> None:
    """DI-2.7: a peek is known to the looker, a card that came back from the board to everybody."""
    spy = pack_with(t_spy='{ trigger = "enter", effect = [ { do = "peek", what = "hand" } ] }')
    scene = lay(hand0="t_spy t_b3", hand1="t_b1 t_b2", deck0="t_f1", deck1="t_f2", pack=spy)
    scene.play_through(0, "t_spy", "book")
    assert hidden(scene, 0) == {"t_f1", "t_f2"}
    assert hidden(scene, None) == {"t_b3", "t_f1", "t_b1", "t_b2", "t_f2"}
    scene = lay(side1={"book": "t_b3"}, hand0="t_home t_b1", hand1="t_b2", deck0="t_f1", deck1="t_f2")
    scene.play(0, "t_home")
    assert hidden(scene, 0) == {"t_f1", "t_b2", "t_f2"}
    assert scene.hand(1) == "t_b2 t_b3"


def test_exchanging_two_hidden_cards_changes_which_they_are_and_nothing_else() -> None:
    """DI-2.7."""
    scene = lay(hand1="t_b2", deck1="t_f2")
    before = scene.view(0)
    slots = RULES.secrets(scene.match, scene.state, 0)["seat1"]
    RULES.exchange(scene.match, scene.state, *slots)
    assert (scene.hand(1), scene.deck(1)) == ("t_f2", "t_b2")
    assert scene.view(0) == before


def test_a_shuffle_makes_a_searched_deck_unknown_again() -> None:
    """DI-2.7, DI-6.8: its order, that is."""
    scene = lay(hand0="t_seek t_h1", hand1="", deck0="t_b1 t_f1 t_d2", deck1=5)
    scene.play(0, "t_seek", "prayer")
    assert not hidden(scene, 0) & {"t_b1", "t_f1", "t_d2"}
    scene.answer(0)
    assert {"t_b1", "t_f1", "t_d2"} <= hidden(scene, 0)
