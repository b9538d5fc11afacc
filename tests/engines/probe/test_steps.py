"""What the honest steps of probe do (RULES.md, PR-1 to PR-4)."""

from __future__ import annotations

from collections import Counter

from probe import ProbeDecks
from probe.driver import Driver

from engines.record import Choice


def test_every_seat_has_a_deck_a_hand_and_no_points() -> None:
    """PR-1.1."""
    zones = Driver("pick", seats=3).seen(None).zones
    assert [len(deck) for deck in zones["decks"]] == [5, 5, 5]
    assert zones["hands"] == [{"count": 3}] * 3
    assert (zones["pile"], zones["score"]["points"]) == ([], [0, 0, 0])


def test_decks_are_dealt_from_all_cards_of_the_pack() -> None:
    """PR-1.2."""
    game = Driver("pick", seats=5)
    stock = {card.name: card.copies for card in game.pack.cards.values()}
    dealt = Counter(game.state.faces)
    assert dealt.total() == 40
    assert all(dealt[name] <= stock[name] for name in dealt)


def test_seats_draw_three_cards_seat_0_first() -> None:
    """PR-1.3."""
    drawn = [event["seat"] for event in Driver("pick").seen(None).events if event["event"] == "drawn"]
    assert drawn == [0, 0, 0, 1, 1, 1]


def test_cards_of_a_deck_have_other_names_for_every_audience() -> None:
    """PR-1.4."""
    game = Driver("pick")
    names = [{card["card"] for deck in game.seen(seat).zones["decks"] for card in deck} for seat in (None, 0, 1)]
    assert len(set.union(*names)) == 30
    assert all(list(card) == ["card"] for deck in game.seen(0).zones["decks"] for card in deck)


def test_a_shuffle_gives_new_names_and_makes_all_forget() -> None:
    """PR-1.5, PR-3.2."""
    game = Driver("order", "number", "shuffle", "number").take(0, 0, 1, 2)
    known = game.seen(0).zones["decks"]
    assert [card for card in known[0] if "face" in card] == known[0][:2]
    game.take(1, 0)
    shuffled = game.seen(0).zones["decks"]
    assert game.told(None)[-1] == "shuffled"
    assert all("face" not in card for card in shuffled[0])
    assert not {card["card"] for card in known[0]} & {card["card"] for card in shuffled[0]}
    assert shuffled[1] == known[1]


def test_steps_are_taken_lap_by_lap_and_led_in_turn() -> None:
    """PR-2.1."""
    game = Driver("number", laps=4, seats=3)
    led = []
    while game.position.outcome is None:
        led.append(game.position.asked[0].prompt.seat)
        game.take(led[-1], 0)
    assert led == [0, 1, 2, 0]


def test_a_seat_that_has_gone_does_not_lead() -> None:
    """PR-2.1."""
    game = Driver("number", laps=4, seats=3).leave(1)
    led = []
    while game.position.outcome is None:
        led.append(game.position.asked[0].prompt.seat)
        game.take(led[-1], 0)
    assert led == [0, 2, 2, 0]


def test_the_highest_score_wins_when_all_steps_are_taken() -> None:
    """PR-2.2."""
    game = Driver("offer").take(1, "snap").take(0, "done")
    outcome = game.position.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason, outcome.ranks) == ((1,), "points", (2, 1))
    assert outcome.details == {"points": [0, 1]}


def test_a_match_ends_at_the_target() -> None:
    """PR-2.2."""
    game = Driver("offer", "pick", target=1).take(1, "snap")
    assert game.position.outcome is None
    outcome = game.take(0, "done").position.outcome
    assert outcome is not None
    assert outcome.reason == "target"


def test_equal_scores_share_the_win() -> None:
    """PR-2.2."""
    outcome = Driver("number", seats=3).take(0, 0).position.outcome
    assert outcome is not None
    assert outcome.winners == (0, 1, 2)


def test_a_match_of_three_goes_on_with_two_and_ends_with_one() -> None:
    """PR-2.3."""
    game = Driver("pick", laps=9, seats=3).leave(0, "timeout")
    assert game.position.outcome is None
    outcome = game.leave(2, "abandoned").position.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason, outcome.ranks) == ((1,), "abandoned", (2, 1, 2))


def test_every_seat_draws_the_leader_first() -> None:
    """PR-3.1."""
    game = Driver("number", "draw", "number", seats=3).take(0, 0)
    drawn = [event for event in game.seen(1).events if event["event"] == "drawn"]
    assert [event["seat"] for event in drawn] == [1, 2, 0]
    assert ["face" in event for event in drawn] == [True, False, False]


def test_an_empty_deck_gives_no_card() -> None:
    """PR-3.1."""
    game = Driver(*["draw"] * 6, "number", seats=2)
    assert [event["count"] for event in game.seen(None).events[-2:]] == [0, 0]
    assert game.seen(0).zones["decks"] == [[], []]


def test_a_six_scores_for_the_leader() -> None:
    """PR-3.3."""
    game = Driver("number", *["dice"] * 40, "number", target=1000).take(0, 0)
    rolled = Counter(e["seat"] for e in game.seen(None).events if e["event"] == "rolled" and e["shown"] == 6)
    assert game.state.scores == [rolled[0], rolled[1]]
    assert sum(rolled.values()) > 0


def test_a_peek_is_told_to_who_looks_alone() -> None:
    """PR-3.4."""
    game = Driver("number", "peek", "number").take(0, 0)
    assert game.told(1)[-1] == "peeked"
    assert game.told(0)[-1] == game.told(None)[-1] == "looked"
    assert "face" in game.seen(1).zones["decks"][0][0]
    assert "face" not in game.seen(0).zones["decks"][0][0]


def test_one_or_two_cards_of_different_suits_are_discarded() -> None:
    """PR-4.1."""
    game = Driver("pick", "number")
    prompt = game.asked(0).prompt
    suits = [option.group for option in prompt.options[1:]]
    other = next(at for at, suit in enumerate(suits) if suit != suits[0])
    game.take(0, 1, other + 1)
    assert game.told(None) == ["discarded", "discarded"]
    assert game.seen(None).zones["hands"][0] == {"count": 1}
    assert len(game.seen(None).zones["pile"]) == 2


def test_silence_discards_nothing() -> None:
    """PR-4.1."""
    game = Driver("pick", "number")
    game.submit(Choice(0, 1, game.asked(0).prompt.default))
    assert game.told(None) == []


def test_a_number_below_the_die_is_scored() -> None:
    """PR-4.2."""
    outcomes = set()
    game = Driver(*["number"] * 30, target=1000)
    while game.position.outcome is None:
        seat, before = game.position.asked[0].prompt.seat, list(game.state.scores)
        assert game.asked(seat).prompt.default == (2,)
        game.take(seat, 3)
        dared = game.seen(None).events[0]
        assert game.state.scores[seat] - before[seat] == (3 if dared["shown"] > 3 else 0)
        outcomes.add(dared["shown"] > 3)
    assert outcomes == {True, False}


def test_two_cards_are_put_above_and_below_a_divider() -> None:
    """PR-4.3."""
    game = Driver("order", "number")
    one, other, *rest = game.seen(0).zones["decks"][0]
    assert "face" in one
    assert "face" in other
    game.take(0, 1, 2, 0)
    assert game.seen(0).zones["decks"][0] == [other, *rest, one]
    assert game.seen(None).events == ({"event": "ordered", "seat": 0, "above": 1, "below": 1},)


def test_silence_leaves_the_deck_as_it_was() -> None:
    """PR-4.3."""
    game = Driver("order", "number")
    before = game.seen(None).zones["decks"]
    game.submit(Choice(0, 1, game.asked(0).prompt.default))
    assert game.seen(None).zones["decks"] == before


def test_the_highest_card_laid_scores_its_worth() -> None:
    """PR-4.4."""
    game = Driver("both", "number", seats=3).take(0, 1).take(1, 2).take(2, "pass")
    faces = game.seen(None).zones["pile"]
    worth = [game.pack.cards[face].worth for face in faces]
    best = max(worth)
    assert game.state.scores == [best if one == best else 0 for one in worth] + [0]


def test_each_of_two_equal_cards_scores() -> None:
    """PR-4.4."""
    rules = ProbeDecks()
    deck = rules.ready_decks(next(iter(rules.packs().values())))["last"]
    game = Driver("both", "number", rules=rules, decks=(deck, deck))
    faces = [{card["face"]: at for at, card in enumerate(game.seen(s).zones["hands"][s]["cards"], 1)} for s in (0, 1)]
    shared = next(face for face in faces[0] if face in faces[1])
    game.take(0, faces[0][shared]).take(1, faces[1][shared])
    assert game.state.scores == [game.pack.cards[shared].worth] * 2


def test_a_snap_scores_once_a_step() -> None:
    """PR-4.5."""
    game = Driver("offer", "number", seats=3).take(1, "snap")
    assert game.state.scores == [0, 1, 0]
    assert game.position.of(1) is None
    game.take(0, "more").take(2, "snap").take(0, "more").take(0, "more")
    assert game.state.scores == [0, 1, 1]
    assert game.asked(1).prompt.kind == "number"


def test_who_declines_loses_a_point_but_none_below_none() -> None:
    """PR-4.6."""
    game = Driver("offer", "number", "hold", "number").take(1, "snap").take(0, "done").take(1, 0)
    assert game.asked(1).prompt.hold_ms == 1500
    assert game.take(1, "decline").state.scores == [0, 0]


def test_a_shield_is_discarded_instead() -> None:
    """PR-4.6."""
    game = Driver("hold", "number", seats=5)
    shielded = [seat for seat in range(1, 5) if len(game.asked(seat).prompt.options) > 1]
    assert shielded
    for seat in range(1, 5):
        game.take(seat, "shield" if seat in shielded else "decline")
    assert len(game.seen(None).zones["pile"]) == len(shielded)
    assert game.told(None).count("discarded") == len(shielded)


def test_alone_a_seat_strikes_itself() -> None:
    """PR-4.6."""
    assert Driver("hold", seats=1).asked(0).prompt.kind == "hold"


def test_a_card_is_given_face_down() -> None:
    """PR-4.7."""
    game = Driver("give", "number", seats=3).take(0, 1)
    assert game.seen(None).zones["hands"] == [{"count": 2}, {"count": 4}, {"count": 3}]
    assert ["face" in game.seen(seat).events[0] for seat in (None, 0, 1, 2)] == [False, False, True, False]


def test_nothing_may_be_given() -> None:
    """PR-4.7."""
    assert Driver("give", "number").take(0, "pass").seen(None).events[0]["count"] == 0


def test_a_long_step_asks_again_and_again_until_its_bound() -> None:
    """PR-4.8."""
    game = Driver("long", "number", tricks=3).take(0, "again").take(0, "again")
    assert game.record.total == len(game.record.choices) == 2
    assert game.take(0, "again").asked(1).prompt.kind == "number"
    assert Driver("long", "number").take(0, "stop").asked(1).prompt.kind == "number"
