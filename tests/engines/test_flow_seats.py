"""Seats that go, early answers that wait for their time, and going back to the checkpoint."""

from __future__ import annotations

import msgspec
import pytest
from probe import ProbeCut
from probe.driver import Driver

from engines.flow import (
    HANDLES_PER_REWIND,
    MAX_PENDING,
    PROMPTS_PER_REWIND,
    Illegal,
    LimitReached,
    at_rest,
    hold,
    load,
    rewind,
    take_over,
    together,
)
from engines.record import Choice, decode_record, encode
from engines.testing.answers import silence


def test_resigning_ends_a_match_of_two() -> None:
    """PR-2.3."""
    game = Driver("pick").leave(0)
    assert game.position.outcome is not None
    assert game.position.outcome.winners == (1,)
    assert game.position.outcome.reason == "resigned"
    assert game.position.asked == ()


def test_leaving_ends_a_match_of_one_without_a_winner() -> None:
    """PR-2.3."""
    game = Driver("pick", seats=1).leave(0, "abandoned")
    assert game.position.outcome is not None
    assert game.position.outcome.winners == ()


def test_with_more_seats_the_default_is_taken_at_once() -> None:
    game = Driver("number", "pick", seats=3).leave(0)
    assert game.told(None)[0] == "dared"
    assert game.asked(1).prompt.kind == "pick"
    assert dict(game.record.gone) == {0: "resigned"}


def test_a_seat_that_has_gone_is_never_asked_again() -> None:
    game = Driver("both", "hold", "offer", "pick", seats=3, laps=4).leave(1)
    while game.position.outcome is None:
        assert game.position.of(1) is None
        game.submit(silence(game.position))
    assert game.position.outcome.reason == "points"


def test_a_seat_may_go_when_others_have_answered() -> None:
    game = Driver("both", "pick", seats=3).take(0, "lay").take(1, "lay").leave(2)
    assert game.told(None)[0] == "discarded"


def test_a_seat_may_go_after_its_own_answer() -> None:
    game = Driver("both", "pick", seats=3).take(0, "lay").leave(0)
    assert [waiting.seat for waiting in game.seen(None).waiting] == [1, 2]
    game.take(1, "pass").take(2, "pass")
    assert game.told(None) == ["discarded", "scored"]


def test_an_offer_to_a_seat_that_goes_is_withdrawn() -> None:
    game = Driver("offer", "pick", seats=3)
    offer = game.choice(1, "snap")
    game.leave(1)
    assert game.position.of(1) is None
    with pytest.raises(Illegal):
        game.submit(offer)
    assert game.take(0, "more").position.of(1) is None


def test_a_loss_in_the_middle_of_a_step_is_kept_with_the_choices() -> None:
    game = Driver("long", "pick", seats=3).take(0, "again").leave(1)
    assert game.record.gone == ()
    assert game.record.choices[-1].gone == "resigned"
    cold = load(game.rules, game.match, decode_record(encode(game.record)))
    assert cold.table.gone == {1: "resigned"}


@pytest.mark.parametrize(("seat", "why"), [(0, "over"), (3, "not_yours"), (-1, "not_yours")])
def test_only_a_seat_that_is_there_can_go(seat: int, why: str) -> None:
    game = Driver("pick", "pick", seats=3).leave(0)
    with pytest.raises(Illegal, match=why):
        game.leave(seat)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_seats_that_go_at_once_are_all_gone_before_the_match_is_looked_at(order: tuple[int, int]) -> None:
    """PR-2.3."""
    game = Driver("pick", "pick", seats=2)
    game.submit(*together([Choice(seat, gone="abandoned") for seat in order]))
    assert game.position.outcome is not None
    assert game.position.outcome.winners == ()
    assert load(game.rules, game.match, decode_record(encode(game.record))).outcome == game.position.outcome


def test_a_seat_may_go_even_when_no_further_choice_is_taken() -> None:
    game = Driver("long", "pick", seats=3, tricks=300)
    for _ in range(MAX_PENDING):
        game.take(0, "again")
    with pytest.raises(LimitReached):
        game.take(0, "again")
    assert game.leave(0).position.table.gone == {0: "resigned"}


def test_a_game_may_cut_a_step_short() -> None:
    """PR-2.4."""
    game = Driver("long", "pick", seats=3, rules=ProbeCut()).take(0, "again").leave(0)
    assert game.told(None) == ["cut"]
    assert game.asked(1).prompt.kind == "pick"


def test_a_question_to_several_is_not_cut_short() -> None:
    """PR-2.4."""
    game = Driver("both", "pick", seats=3, rules=ProbeCut()).leave(0)
    assert game.told(None) == []
    assert game.take(1, "lay").take(2, "lay").told(None)[0] == "discarded"


def _window() -> Driver:
    return Driver("hold", "pick", seats=3)


def test_an_early_answer_is_kept_and_shows_nowhere() -> None:
    game = _window()
    before = [game.seen(seat) for seat in (None, 0, 1, 2)]
    kept = hold(game.position, game.choice(1, "decline"))
    assert kept.held == (game.choice(1, "decline"),)
    game.go_on_from(decode_record(encode(kept)))
    assert [msgspec.structs.replace(seen, events=()) for seen in before] == [
        game.seen(seat) for seat in (None, 0, 1, 2)
    ]


def test_the_first_early_answer_is_final() -> None:
    game = _window()
    game.go_on_from(hold(game.position, game.choice(1, "decline")))
    with pytest.raises(Illegal, match="held"):
        hold(game.position, game.choice(1, "decline"))


def test_an_early_answer_has_to_fit() -> None:
    game = _window()
    with pytest.raises(Illegal, match="illegal"):
        hold(game.position, Choice(1, game.asked(1).id, ("99",)))


def test_an_early_answer_takes_effect_when_it_is_submitted() -> None:
    game = _window()
    one, other = game.choice(1, "decline"), game.choice(2, "decline")
    game.go_on_from(hold(game.position, one))
    game.go_on_from(hold(game.position, other))
    game.submit(*game.record.held)
    assert game.record.held == ()
    assert game.told(None) == ["scored", "scored"]


def test_an_early_answer_is_forgotten_when_the_seat_answers_otherwise() -> None:
    game = _window()
    game.go_on_from(hold(game.position, game.choice(1, "decline"))).take(1, "decline")
    assert game.record.held == ()


def test_an_early_answer_to_a_prompt_that_is_gone_is_forgotten() -> None:
    game = Driver("offer", "pick", seats=3)
    game.go_on_from(hold(game.position, game.choice(1, "snap")))
    assert game.take(0, "done").record.held == ()


def test_a_room_without_holds_asks_without_them() -> None:
    held, open_ = Driver("hold"), Driver("hold", holds=False)
    assert held.asked(1).prompt.hold_ms == 1500
    assert open_.asked(1).prompt.hold_ms == 0
    assert load(open_.rules, open_.match, open_.record).asked == open_.position.asked


def test_a_rewind_forgets_the_choices_since_the_checkpoint() -> None:
    game = Driver("long", "number").take(0, "again").take(0, "again")
    record = rewind(game.rules, game.record)
    assert (record.choices, record.held, record.standing) == ((), (), ())
    assert record.base == game.record.base
    assert record.counter % 2**32 == 0
    assert record.counter > game.record.counter


def test_a_rewind_never_gives_an_id_or_a_handle_again() -> None:
    game = Driver("long").take(0, "again")
    record = rewind(game.rules, game.record)
    assert record.asked == tuple(count + PROMPTS_PER_REWIND for count in game.record.asked)
    assert record.handles == tuple(count + HANDLES_PER_REWIND for count in game.record.handles)
    assert game.go_on_from(record).asked(0).id > 2


def test_a_rewind_does_not_bring_back_who_has_gone() -> None:
    game = Driver("long", "pick", seats=3).take(0, "again").leave(1)
    assert dict(rewind(game.rules, game.record).gone) == {1: "resigned"}


def test_who_takes_over_at_rest_draws_nothing_anew_and_asks_under_new_ids() -> None:
    game = Driver("number", "long").take(0, 5)
    assert at_rest(game.record)
    record = take_over(game.rules, game.record)
    assert (record.counter, record.base, record.gone) == (game.record.counter, game.record.base, game.record.gone)
    assert (game.asked(1).id, game.go_on_from(record).asked(1).id) == (1, 1 + PROMPTS_PER_REWIND)


def test_a_choice_since_the_checkpoint_is_no_rest_and_an_early_answer_is_none() -> None:
    assert not at_rest(Driver("long").take(0, "again").record)
    game = Driver("hold")
    kept = hold(game.position, Choice(1, game.asked(1).id, game.asked(1).prompt.default))
    assert at_rest(kept)
    assert take_over(game.rules, kept).held == ()


def test_a_match_may_be_rewound_again_and_again() -> None:
    game = Driver("number", "long", seats=3)
    for _ in range(3):
        game.go_on_from(rewind(game.rules, game.record))
    game.take(0, 5)
    assert game.asked(1).prompt.kind == "long"
