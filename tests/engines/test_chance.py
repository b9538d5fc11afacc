"""Every draw follows from the key and a counter; handles tell nothing."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.chance import SEED_BYTES, Chance, Handles, bot_seed, commitment, match_key, parts

KEY = bytes(range(32))
LOOKALIKES = set("1il0o")


def test_parts_stand_behind_their_length() -> None:
    assert parts("ab", 7, b"") == b"\0\0\0\2ab\0\0\0\x017\0\0\0\0"


@given(st.lists(st.binary(max_size=5), max_size=5), st.lists(st.binary(max_size=5), max_size=5))
def test_different_lists_of_parts_give_different_bytes(left: list[bytes], right: list[bytes]) -> None:
    assert (parts(*left) == parts(*right)) == (left == right)


def test_a_commitment_is_the_digest_of_room_and_seed() -> None:
    seed = bytes(SEED_BYTES)
    spelled = b"\0\0\0\x10sanctum/1/commit" + b"\0\0\0\4room" + b"\0\0\0\x20" + seed
    assert commitment("room", seed) == hashlib.sha256(spelled).digest()


def test_every_part_of_a_match_changes_its_key() -> None:
    given_parts = {
        "seed": KEY,
        "room": "r",
        "game": "g",
        "rules": 1,
        "pack": "p",
        "options": b"o",
        "entropy": (b"e", b""),
    }
    others = {
        "seed": b"x" * 32,
        "room": "s",
        "game": "h",
        "rules": 2,
        "pack": "q",
        "options": b"",
        "entropy": (b"", b"e"),
    }
    keys = {match_key(**given_parts)} | {match_key(**given_parts | {name: other}) for name, other in others.items()}
    assert len(keys) == 1 + len(others)


def test_a_draw_is_the_keyed_digest_of_counter_and_label() -> None:
    chance = Chance(KEY, 5)
    digest = hmac.digest(KEY, parts("draw", 5, "dice"), "sha256")
    assert chance.below(1000, "dice") == int.from_bytes(digest, "big") % 1000
    assert chance.counter == 6


def test_the_same_key_and_counter_give_the_same_draws() -> None:
    one, other = Chance(KEY), Chance(KEY)
    assert [one.die("d") for _ in range(50)] == [other.die("d") for _ in range(50)]


def test_the_label_is_part_of_the_draw() -> None:
    assert [Chance(KEY).below(10**9, label) for label in ("a", "b")] != [Chance(KEY).below(10**9, "a")] * 2


def test_draws_that_would_not_be_uniform_are_drawn_again() -> None:
    large = (1 << 256) // 2 + 1
    drawn = [Chance(KEY, at) for at in range(40)]
    values = [chance.below(large, "x") for chance in drawn]
    assert all(0 <= value < large for value in values)
    assert any(chance.counter > at + 1 for at, chance in enumerate(drawn))


@pytest.mark.parametrize("n", [0, -1])
def test_nothing_can_be_drawn_below_one(n: int) -> None:
    with pytest.raises(ValueError, match="cannot draw below"):
        Chance(KEY).below(n, "x")


def test_dice_show_every_face_alike() -> None:
    chance = Chance(KEY)
    shown = Counter(chance.die("d") for _ in range(6000))
    assert sorted(shown) == [1, 2, 3, 4, 5, 6]
    assert sum((count - 1000) ** 2 / 1000 for count in shown.values()) < 20.5  # chi-square, 5 degrees, p = 0.001


def test_shuffles_give_every_order_alike() -> None:
    chance = Chance(KEY)
    orders: Counter[str] = Counter()
    for _ in range(6000):
        items = list("abc")
        chance.shuffle(items, "s")
        orders["".join(items)] += 1
    assert len(orders) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 20.5


@given(st.lists(st.integers(), max_size=30))
def test_a_shuffle_keeps_what_it_shuffles_and_draws_once_less(items: list[int]) -> None:
    chance, shuffled = Chance(KEY), list(items)
    chance.shuffle(shuffled, "s")
    assert Counter(shuffled) == Counter(items)
    assert chance.counter == max(0, len(items) - 1)


def test_every_draw_is_paid_for() -> None:
    spent: list[int] = []
    chance = Chance(KEY)
    chance.spend = spent.append
    chance.shuffle(list(range(10)), "s")
    assert sum(spent) == 9


def test_handles_never_come_twice() -> None:
    handles = Handles(KEY, [0, 0])
    made = [handles.new(None) for _ in range(20_000)]
    assert len(set(made)) == len(made)
    assert handles.counters == [20_000, 0]


def test_handles_have_six_characters_without_lookalikes() -> None:
    handles = Handles(KEY, [0])
    characters = set("".join(handles.new(None) for _ in range(2_000)))
    assert characters <= set("abcdefghijklmnopqrstuvwxyz0123456789") - (LOOKALIKES - {"0"})
    assert len(Handles(KEY, [0]).new(None)) == 6


def test_handles_of_one_audience_tell_nothing_of_another() -> None:
    alone, mixed = Handles(KEY, [0, 0, 0]), Handles(KEY, [0, 0, 0])
    expected = [alone.new(1) for _ in range(5)]
    found = []
    for _ in range(5):
        mixed.new(0)
        found.append(mixed.new(1))
        mixed.new(None)
    assert found == expected
    assert Handles(KEY, [0, 0]).new(0) != Handles(KEY, [0, 0]).new(None)


def test_handles_stand_in_no_order() -> None:
    handles = Handles(KEY, [0])
    made = [handles.new(None) for _ in range(400)]
    rising = sum(one < other for one, other in pairwise(made))
    assert 150 < rising < 250


def test_handles_go_on_from_their_counters() -> None:
    whole = Handles(KEY, [0])
    made = [whole.new(None) for _ in range(4)]
    assert Handles(KEY, [2]).new(None) == made[2]


def test_bots_draw_from_streams_of_their_own() -> None:
    assert len({bot_seed(KEY, seat, prompt) for seat in range(5) for prompt in range(20)}) == 100
    assert bot_seed(KEY, 1, 2) == bot_seed(KEY, 1, 2)
