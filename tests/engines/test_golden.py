"""Golden playthroughs replay line by line, and records of earlier matches go on (design: promise P9).

``python scripts/golden.py [GAME]`` renews them when a change of the rules is meant.
"""

from __future__ import annotations

import json
from random import Random

import msgpack
import pytest
from probe.newer import ProbeNewer

from engines.flow import at_rest
from engines.record import decode_record, decode_state, encode, match_of
from engines.registry import game
from engines.testing import continue_record
from tests.golden.growth import holds
from tests.golden.playthrough import FEWEST, MOST_BYTES, kept_records, pack_source, playthroughs, records, replayed


def test_a_game_has_playthroughs(game_name: str) -> None:
    assert len(playthroughs(game_name)) >= FEWEST
    assert records(game_name)


def test_playthroughs_replay_to_the_same_lines(game_name: str) -> None:
    for path in playthroughs(game_name):
        lines = path.read_text(encoding="utf-8").splitlines()
        for at, (found, kept) in enumerate(zip(replayed(lines), lines, strict=True), 1):
            assert found == kept, f"{path.name}, line {at}"


def test_playthroughs_are_small_and_some_reach_an_end(game_name: str) -> None:
    ends = []
    for path in playthroughs(game_name):
        raw = path.read_bytes()
        assert len(raw) <= MOST_BYTES
        assert json.loads(raw.splitlines()[0])["rules"] == game(game_name).version
        ends.append(json.loads(raw.splitlines()[-1])["outcome"])
    assert sum(end is not None for end in ends) >= 3


def test_old_records_go_on_to_an_end(game_name: str) -> None:
    rules = game(game_name)
    for path in records(game_name):
        record = decode_record(path.read_bytes())
        assert record.rules in {rules.version, *rules.reads}, f"nothing reads {path.name}"
        pack = rules.read_pack(pack_source(game_name, record.pack))
        assert pack.hash == record.pack
        walk = continue_record(rules, pack, path.read_bytes(), Random(7))
        assert walk.ended
        assert len(walk.choices) > 0
        assert rules.check(walk.setting.match, walk.last.position.table.state) == []


def test_states_of_earlier_releases_still_say_the_same(game_name: str) -> None:
    rules = game(game_name)
    kept = [decode_record(path.read_bytes()) for path in kept_records(game_name)]
    assert kept
    for record in kept:
        if record.rules in {rules.version, *rules.reads}:
            again = encode(decode_state(rules, record.base))
            assert holds(
                msgpack.unpackb(again, strict_map_key=False), msgpack.unpackb(record.base, strict_map_key=False)
            )
            assert isinstance(match_of(rules, record, None).options, rules.Options)


def test_records_of_older_rules_go_on_under_newer_ones_that_read_them() -> None:
    rules, resting = ProbeNewer(), set()
    for path in records("probe"):
        record = decode_record(path.read_bytes())
        resting.add(at_rest(record))
        walk = continue_record(rules, rules.read_pack(pack_source("probe", record.pack)), path.read_bytes(), Random(7))
        assert walk.ended
        assert rules.check(walk.setting.match, walk.last.position.table.state) == []
    assert False in resting


def test_a_changed_line_is_found() -> None:
    lines = playthroughs("probe")[0].read_text(encoding="utf-8").splitlines()
    changed = [lines[0].replace('"laps":2', '"laps":1'), *lines[1:]]
    assert changed != lines
    with pytest.raises(Exception, match=r".+"):
        assert replayed(changed) == changed
