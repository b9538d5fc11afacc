"""What waits for a slow reader is bounded; frames that do not fit are named, answers are kept."""

from __future__ import annotations

from server.outbox import PATIENCE_S, Outbox


def test_what_waits_comes_out_in_order() -> None:
    box = Outbox(100)
    assert box.put(b"frame", "room")
    assert box.put(b"answer", None)
    assert box.drain() == ([b"frame", b"answer"], [])
    assert box.drain() == ([], [])


def test_frames_that_do_not_fit_are_dropped_for_a_snapshot_and_answers_stay() -> None:
    box = Outbox(10)
    assert box.put(b"answer", None)
    assert box.put(b"12345", "one")
    assert box.put(b"12", "two")
    assert box.put(b"more", "one"), "a snapshot makes up for it"
    assert box.drain() == ([b"answer", b"12"], ["one"])


def test_answers_alone_may_not_pass_the_bound() -> None:
    box = Outbox(10)
    assert box.put(b"12345678", None)
    assert not box.put(b"12345678", None)


def test_what_is_exactly_as_much_as_fits_is_kept() -> None:
    box = Outbox(10)
    assert box.put(b"1234567890", "room")
    assert box.size() == 10
    assert box.missed == {}


def test_a_reader_is_too_slow_when_it_misses_frames_for_too_long() -> None:
    box = Outbox(4)
    assert not box.too_slow(0)
    box.put(b"12345", "room")
    assert not box.too_slow(1)
    assert not box.too_slow(1 + PATIENCE_S)
    assert box.too_slow(2 + PATIENCE_S)


def test_a_reader_that_has_caught_up_is_not_too_slow() -> None:
    box = Outbox(4)
    box.put(b"12345", "room")
    assert not box.too_slow(1)
    box.drain()
    assert not box.too_slow(2 + PATIENCE_S)


def test_of_what_can_be_done_without_only_the_newest_waits() -> None:
    box = Outbox(100)
    for raw in (b"one here", b"two here"):
        assert box.put(raw, None, "presence room")
        assert box.put(b"frame", "room")
    assert box.put(b"elsewhere", None, "presence other")
    assert box.drain() == ([b"frame", b"two here", b"frame", b"elsewhere"], [])
    assert box.put(b"three here", None, "presence room")
    assert box.drain() == ([b"three here"], [])


def test_talk_goes_before_any_frame_does() -> None:
    box = Outbox(20)
    for number in range(100):
        assert box.put(b"chatter %d" % number, None, "")
        assert box.size() <= 20
    assert box.put(b"twelve bytes", "room")
    assert box.put(b"answer", None)
    assert box.drain() == ([b"twelve bytes", b"answer"], [])


def test_what_can_be_done_without_never_ends_a_socket() -> None:
    box = Outbox(10)
    assert box.put(b"answer", None)
    assert box.put(b"longer than all", None, "")
    assert box.drain() == ([b"answer"], [])
