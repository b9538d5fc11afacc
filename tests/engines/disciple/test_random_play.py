"""Matches played by chance: every state is sound, every match ends, and no card is lost (DI-2.11, DI-8.10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from engines import flow
from engines.bots import random_picks
from engines.disciple import Disciple
from engines.disciple.state import State
from engines.record import Choice
from engines.rules import Match, Pack
from engines.testing import examine
from tests.engines.disciple.table import RULES, fixture, pack_with

EXOTIC = pack_with(
    t_spy='{ trigger = "enter", effect = [ { do = "peek", what = "hand" }, '
    '{ do = "peek", what = "deck_top", n = 2 } ] }',
    t_glean='{ trigger = "enter", effect = [ { do = "put", from = "discard", face = "down" }, '
    '{ do = "boost", target = { pick = "same" }, n = 2, duration = "until_own_next_turn" } ] }',
    t_gather='{ trigger = "enter", effect = [ { do = "move", to = "here", target = { pick = "choose", side = "own", '
    "min = 0, max = 3 } } ] }",
    t_storm='{ trigger = "enter", effect = [ { do = "discard", who = "enemy", n = 1, choose = "random" }, '
    '{ do = "recover", min = 1, max = 2, to = "deck_bottom" } ] }',
    t_hush='{ trigger = "static", static = [ { do = "forbid", who = "enemy", what = "react" }, '
    '{ do = "forbid", who = "enemy", what = "move_action" }, { do = "forbid", who = "own", what = "flip_action" } ] }',
    t_judge='{ trigger = "enemy_enter", filter = { symbol = "fire" }, optional = true, effect = [ '
    '{ do = "discard_card", target = { pick = "event" } } ] }',
    t_muse='{ trigger = "abundance", when = { in_play = { side = "own", op = ">=", n = 3 } }, effect = [ '
    '{ do = "repeat", times = 2, effect = [ { do = "scry", n = 2 } ] }, { do = "extra_play", n = 2 } ] }',
    deed_swap='{ trigger = "play", effect = [ { do = "choose_one", by = "enemy", options = [ '
    '[ { do = "switch_side", target = { pick = "choose", max = 2 } } ], '
    '[ { do = "silence", target = { pick = "all", side = "enemy" }, duration = "this_turn" } ] ] } ] }',
)


def drawn_deck(pack: Pack, chance: Random) -> list[dict[str, Any]]:
    """Draw a legal deck: cards one by one, as long as the deck can still become legal (DI-7)."""
    counts: Counter[str] = Counter()
    while counts.total() < 30:
        card = chance.choice(list(pack.cards))
        tried = counts + Counter([card.key])
        rare, common = _of(pack, tried, "rare", "miraculous"), _of(pack, tried, "common")
        most = 1 if card.rarity == "miraculous" else 3
        if tried[card.key] <= most and rare <= 10 and 30 - tried.total() >= 5 - common:
            counts = tried
    return [{"card": key, "count": count} for key, count in counts.items()]


def _of(pack: Pack, counts: Counter[str], *rarities: str) -> int:
    return sum(count for key, count in counts.items() if pack.cards[key].rarity in rarities)


class Fixed(Disciple):
    """The game with drawn decks of a test pack as ready-made ones."""

    def ready_decks(self, pack: Pack) -> Mapping[str, Any]:
        return {str(seed): drawn_deck(pack, Random(seed)) for seed in range(12)}


def states(pack: Pack, seed: int) -> Iterator[flow.Position]:
    """Play a match by chance, and give every position."""
    chance = Random(seed)
    decks = (drawn_deck(pack, chance), drawn_deck(pack, chance))
    assert [RULES.deck_faults(pack, deck) for deck in decks] == [[], []]
    match = Match(2, RULES.Options(), pack.cards, decks)
    step = flow.begin(RULES, match, pack=pack.hash, key=chance.randbytes(32))
    running = Match(2, match.options, pack.cards)
    while step.position.outcome is None:
        yield step.position
        (asked,) = step.position.asked
        picks = random_picks(asked.prompt.seat, {}, asked.prompt, chance)
        step = flow.submit(RULES, running, step.record, [Choice(asked.prompt.seat, asked.id, picks)])
    yield step.position


def owned(state: State) -> list[Counter[str]]:
    """Count the cards that each seat owns, wherever they lie."""
    return [Counter(card.key for card in state.cards if card.owner == owner) for owner in (0, 1)]


@pytest.mark.parametrize("block", range(10))
def test_two_hundred_matches_by_chance_are_sound_end_and_lose_no_card(block: int) -> None:
    """DI-2.11, DI-8.10, DI-8.1, DI-6.8."""
    for seed in range(20 * block, 20 * block + 20):
        pack = EXOTIC if seed % 2 else fixture()
        position = None
        for position in states(pack, seed):
            table = position.table
            assert RULES.check(table.match, table.state) == [], seed
            assert all(count.total() == 30 for count in owned(table.state))
            assert table.state.turn <= 200
        assert position is not None
        assert position.outcome is not None
        assert position.outcome.reason in ("virtues", "empty", "turn_limit")


@pytest.mark.parametrize("pack", [fixture(), EXOTIC], ids=["fixture", "exotic"])
def test_the_test_packs_keep_the_contract_too(pack: Pack) -> None:
    """DI-2.7, DI-2.12, DI-5.6: secrecy, and cold copies equal to hot ones, for the whole vocabulary."""
    options = [RULES.Options(), RULES.Options(reaction_window="off", empty_hand_rule=False, turn_limit=30)]
    report = examine(Fixed(), seed=3, matches=6, options=options, pack=pack)
    assert report.faults == []
    assert report.exchanges.conclusive > 0
