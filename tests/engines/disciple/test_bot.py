"""The bot ``greedy``, and the balance of the shipped pack as it shows in play (DI-10.7)."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

import pytest

from engines.disciple.bot import greedy
from engines.disciple.pack import shipped
from engines.selfplay import Figures, Plan, figures, play_matches
from protocol.prompt import fault_in
from tests.engines.disciple.table import RULES, Disciples, lay

PACK = shipped()["first_light"]


def choice(scene: Disciples, seat: int) -> list[dict[str, Any]]:
    """Give the acts that greedy picks; they must answer the prompt."""
    prompt = scene.prompt(seat)
    assert prompt is not None
    picks = greedy(seat, scene.view(seat), prompt, Random(1))
    assert fault_in(prompt, picks) is None
    return list(prompt.acts(picks))


def scene(**zones: Any) -> Disciples:
    """Lay a table of cards of the shipped pack; hands and decks not named are of plain saints."""
    plain = {"hand0": "agnes_of_rome", "hand1": "agnes_of_rome"}
    plain |= dict.fromkeys(("deck0", "deck1"), " ".join(["agnes_of_rome"] * 10))
    return lay(pack=PACK, **(plain | zones))


def test_greedy_plays_the_card_with_most_useful_symbols() -> None:
    table = scene(side0={"fire": "sebastian_of_milan"}, hand0="elizabeth_of_hungary joan_of_arc agnes_of_rome")
    assert choice(table, 0) == [table.playing(0, "joan_of_arc", "fire")]


def test_greedy_draws_when_its_cards_are_of_no_use() -> None:
    table = scene(side0={"fire": "joan_of_arc joan_of_arc joan_of_arc"}, hand0="guardian_angel joan_of_arc", hand1="")
    assert choice(table, 0) == [{"do": "draw_card"}]


def test_greedy_completes_its_third_column_when_it_can() -> None:
    sides = {
        "heart": "francis_of_assisi francis_of_assisi elizabeth_of_hungary",
        "fire": "joan_of_arc joan_of_arc sebastian_of_milan",
        "drop": "mary_of_egypt mary_of_egypt",
    }
    table = scene(side0=sides, hand0="elizabeth_of_hungary clare_of_assisi joan_of_arc")
    assert choice(table, 0) == [table.playing(0, "clare_of_assisi", "drop")]


def test_greedy_moves_a_card_where_it_counts_more() -> None:
    table = scene(side0={"fire": "joan_of_arc joan_of_arc sebastian_of_milan florian_of_lorch"}, hand0="guardian_angel")
    table.act(0, "draw_card")
    assert choice(table, 0) == [{"do": "move_card", "card": table.card("florian_of_lorch"), "column": "drop"}]


def test_greedy_reacts_when_it_can() -> None:
    table = scene(hand0="joan_of_arc", hand1="lawrence_of_rome")
    table.play(0, "joan_of_arc", "fire")
    assert [act["do"] for act in choice(table, 1)] == ["react"]


def test_greedy_declines_without_a_reaction() -> None:
    table = scene(hand0="joan_of_arc", hand1="elizabeth_of_hungary")
    table.play(0, "joan_of_arc", "fire")
    assert choice(table, 1) == [{"do": "decline"}]


def test_greedy_takes_the_opponents_best_card() -> None:
    table = scene(side1={"fire": "joan_of_arc florian_of_lorch"}, hand0="road_to_damascus agnes_of_rome", hand1="")
    table.play(0, "road_to_damascus")
    assert choice(table, 0) == [{"do": "choose", "card": table.card("joan_of_arc")}]


def test_greedy_does_not_turn_its_own_saint_down_for_nothing() -> None:
    table = scene(hand0="gregory_the_great", hand1="")
    table.play(0, "gregory_the_great", "book")
    assert choice(table, 0) == [{"do": "no"}]


def test_greedy_discards_what_it_can_use_least() -> None:
    table = scene(hand0="mary_of_egypt guardian_angel joan_of_arc", hand1="")
    table.play(0, "mary_of_egypt", "drop")
    assert choice(table, 0) == [{"do": "choose", "card": table.card("guardian_angel", 0)}]


def test_greedy_knows_nothing_by_heart_of_other_packs_and_still_answers() -> None:
    table = lay(hand0="t_pilgrim t_choice", hand1="")
    assert choice(table, 0) == [table.playing(0, "t_pilgrim", "heart")]
    table.play(0, "t_pilgrim", "heart")
    assert choice(table, 0) == [{"do": "yes"}]


# Balance: facts about the shipped pack under fixed seeds; ``--long`` plays as many matches as the targets ask for.


def play(matches: int, *bots: str, seed: int = 1) -> Figures:
    plan = Plan(RULES, PACK, RULES.Options(), bots, matches, seed)
    return figures(plan, list(play_matches(plan, count().__next__)))


@pytest.fixture(scope="module")
def matches(request: pytest.FixtureRequest) -> int:
    return 1000 if request.config.getoption("--long") else 60


@pytest.fixture(scope="module")
def mirror(matches: int) -> Figures:
    return play(matches, "greedy", "greedy")


def test_greedy_beats_random_in_seven_of_ten_matches(matches: int) -> None:
    found = play(matches, "greedy", "random")
    assert found.broken == []
    assert found.wins[0].matches >= 0.7 * matches


def test_greedy_matches_have_the_length_aimed_at(mirror: Figures) -> None:  # DI-10.7
    assert mirror.turns is not None
    assert 36 <= mirror.turns.median <= 72
    assert mirror.turns.p05 >= 24
    assert mirror.turns.p95 <= 110


def test_random_matches_have_the_length_aimed_at(matches: int) -> None:  # DI-10.7
    found = play(matches, "random", "random")
    assert found.turns is not None
    assert 55 <= found.turns.median <= 120
    assert (found.broken, found.unfinished) == ([], 0)


def test_greedy_matches_end_by_virtues(mirror: Figures) -> None:  # DI-10.7, DI-8.10
    assert mirror.ends.get("empty", 0) < 0.35 * mirror.matches
    assert mirror.ends.get("turn_limit", 0) < 0.02 * mirror.matches
    assert sum(won.matches for won in mirror.wins) > 0.98 * mirror.matches
    assert mirror.broken == []


def test_first_seat_has_no_great_advantage(mirror: Figures) -> None:  # DI-10.7
    assert mirror.first_seat_share is not None
    chance = 1500 / mirror.matches**0.5  # three standard deviations of a fair coin, in thousandths, for few matches
    assert 500 - max(60, chance) <= mirror.first_seat_share <= 500 + max(60, chance)
