"""Golden playthroughs: one match as lines of JSON, with every input and what it showed to every audience.

The first line says what the match is; every further line is one version of it. A frame lists the events, the zones
that changed, the prompt if it is new, for whom the table waits, and a digest of all that the audience sees. The
last line says how the match ended. Knows no game.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from engines.flow import Step, submit
from engines.record import Choice, encode
from engines.registry import game
from engines.rules import Match, Rules
from engines.sight import audiences, see
from engines.testing.setting import Setting

FOLDER = Path(__file__).parent
MOST_BYTES = 700_000
FEWEST = 5


def lines_of(setting: Setting, choices: list[Choice]) -> Iterator[str]:
    """Play a match from its beginning and give its lines."""
    yield _line(_header(setting))
    shown: dict[str, Any] = {}
    step = setting.begin()
    yield _line({"input": None, "frames": _frames(setting.rules, step, shown)})
    for choice in choices:
        step = submit(setting.rules, setting.running, step.record, [choice])
        yield _line({"input": msgspec.to_builtins(choice), "frames": _frames(setting.rules, step, shown)})
    outcome = msgspec.to_builtins(step.position.outcome)
    yield _line({"outcome": outcome, "record": _digest(msgspec.to_builtins(step.record))})


def replayed(lines: list[str]) -> list[str]:
    """Play the inputs of a playthrough again, by the header and the inputs alone."""
    rows = [json.loads(line) for line in lines]
    choices = [msgspec.convert(row["input"], Choice) for row in rows[2:-1]]
    return list(lines_of(setting_of(rows[0]), choices))


def setting_of(header: dict[str, Any]) -> Setting:
    """Find the game and pack that a header names. Raises LookupError if the pack has changed."""
    rules = game(header["game"])
    pack = rules.packs()[header["pack"]]
    if pack.hash != header["pack_hash"]:
        raise LookupError(f"pack {pack.id} has changed: renew the playthroughs of {rules.name}")
    options = msgspec.convert(header["options"], rules.Options)
    decks = tuple(header["decks"])
    match = Match(header["seats"], options, pack.cards, decks, header["holds"])
    return Setting(rules, pack, match, bytes.fromhex(header["key"]))


def _header(setting: Setting) -> dict[str, Any]:
    rules, match = setting.rules, setting.match
    return {
        "game": rules.name, "rules": rules.version, "pack": setting.pack.id, "pack_hash": setting.pack.hash,
        "seats": match.seats, "holds": match.holds, "options": msgspec.to_builtins(match.options),
        "decks": list(match.decks), "key": setting.key.hex(),
    }  # fmt: skip


def _frames(rules: Rules[Any], step: Step, shown: dict[str, Any]) -> dict[str, Any]:
    """Give the frames of all audiences; ``shown`` keeps what each has already."""
    frames = {}
    for audience in audiences(step.position.table.match.seats):
        name = "public" if audience is None else str(audience)
        seen = msgspec.to_builtins(see(rules, step.position, audience, step.events))
        before = shown.get(name, {"zones": {}, "prompt": None})
        frames[name] = {
            "events": seen["events"],
            "zones": {zone: value for zone, value in seen["zones"].items() if before["zones"].get(zone) != value},
            **({"prompt": seen["prompt"]} if seen["prompt"] != before["prompt"] else {}),
            "waiting": seen["waiting"],
            "digest": _digest(seen),
        }
        shown[name] = seen
    return frames


def _digest(value: Any) -> str:
    return hashlib.blake2b(encode(value), digest_size=8).hexdigest()


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def playthroughs(name: str) -> list[Path]:
    return sorted((FOLDER / name).glob("*.jsonl"))


def records(name: str) -> list[Path]:
    return sorted((FOLDER / name / "records").glob("*.bin"))


def kept_records(name: str) -> list[Path]:
    """Give one record of each version of the rules, as it was first written: they are never renewed."""
    return sorted((FOLDER / name / "kept").glob("*.bin"))


def pack_source(name: str, pack_hash: str) -> bytes:
    """Give a pack that a golden record was made with, also when the game ships another by now."""
    return (FOLDER / name / "packs" / f"{pack_hash[:16]}.toml").read_bytes()
