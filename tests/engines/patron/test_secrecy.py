"""What is hidden stays hidden (PA-2.4 to PA-2.7), under every reading; and leaks of every kind are found."""

from __future__ import annotations

import pytest

from engines.patron.options import Options
from engines.rules import Rules
from engines.testing import Effort, examine
from tests.engines.patron.leaky import LEAKS
from tests.engines.patron.table import RULES, A, B, lay, seat

PAIRED = Effort(shown=0, heavy=0, whole=0, pairs=40)
READINGS = (
    Options(event_activation="any", event_first="active", default_event_mode="duel", deck_out="none", first_seat=1),
    Options(overcome_rule="exceed", stored_reset="never", recursion_passes=3, default_event_mode="solo"),
    Options(deck_out="lose", recursion_passes=0, max_turns=12),
)


@pytest.mark.parametrize("rules", LEAKS)
def test_every_kind_of_leak_is_found(rules: type[Rules]) -> None:
    """PA-2.5, PA-2.7."""
    report = examine(rules(), seed=5, matches=3, effort=PAIRED)
    found = {fault.partition(":")[0] for fault in report.faults}
    assert found & {"exchanges", "reshuffles"}


@pytest.mark.parametrize("options", READINGS)
def test_nothing_leaks_under_any_reading(options: Options) -> None:
    """PA-2.5, PA-2.6, PA-2.7."""
    report = examine(RULES, seed=4, matches=2, options=[options], effort=PAIRED)
    assert report.faults == []
    assert report.exchanges.conclusive > report.exchanges.inconclusive


def test_secrets_are_decks_the_other_hand_and_face_down_events() -> None:
    """PA-2.5."""
    scene = lay(seat(hand="novena", deck=2), seat(hand="famine", deck=1, events="storm_at_sea t_event_hope"))
    state = scene.state
    own, other = state.sides
    hidden = RULES.secrets(scene.match, state, A)
    assert hidden["cards of seat 0"] == [str(number) for number in own.deck]
    assert hidden["cards of seat 1"] == sorted(map(str, [*other.hand, *other.deck]))
    down = [slot.card for slot in other.events]
    assert hidden["events of seat 1"] == [str(number) for number in sorted([*down, *other.hand])]
    assert hidden["events of seat 0"] == []
    public = RULES.secrets(scene.match, state, None)
    assert len(public["cards of seat 0"]) == 3
    assert RULES.secrets(scene.match, state, B)["cards of seat 0"] == sorted(map(str, [*own.hand, *own.deck]))


def test_what_is_being_shown_is_no_secret_from_the_looker() -> None:
    """PA-2.7."""
    scene = lay(seat(terra="monica", deck="novena famine", discard="george"), phase="effects")
    looking = lay(seat("thomas_aquinas", milestones=1, deck="novena famine"))
    looking.effect(A, "thomas_aquinas")
    assert RULES.secrets(looking.match, looking.state, A)["cards of seat 0"] == []
    assert len(RULES.secrets(looking.match, looking.state, B)["cards of seat 0"]) == 2
    assert len(RULES.secrets(scene.match, scene.state, A)["cards of seat 0"]) == 2


def test_faces_are_exchanged_and_names_stay() -> None:
    """PA-2.4."""
    scene = lay(seat(hand="novena", deck="famine"))
    state = scene.state
    (held,), (below,) = state.sides[A].hand, state.sides[A].deck
    name = state.cards[held].id
    RULES.exchange(scene.match, state, str(held), str(below))
    assert (state.key(held), state.key(below), state.cards[held].id) == ("famine", "novena", name)
