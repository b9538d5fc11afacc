"""What a person types as an answer, and what it means for the open prompt. Pure.

Knows no terminal and no game: a prompt is the map that came over the wire.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

Message = Mapping[str, Any]

_NUMBER = re.compile("-?[0-9]{1,18}")


class Unclear(ValueError):
    """What was typed is no answer to this prompt; the text says what would be."""


def picks_from(line: str, prompt: Message) -> list[str | int]:
    """Read an answer: numbers of options, by blanks or commas; nothing at all means the default.

    Only the form is looked at: what the rules say is the server's to tell. Raises Unclear.
    """
    words = line.replace(",", " ").split()
    if not words:
        return list(prompt.get("default", ()))
    if not all(_NUMBER.fullmatch(word) for word in words):
        raise Unclear(f"type {expected(prompt)}; `help` lists what else there is")
    if prompt.get("shape", "pick") == "number":
        return [int(word) for word in words]
    options = prompt.get("options", ())
    places = [int(word) - 1 for word in words]
    if not all(0 <= place < len(options) for place in places):
        raise Unclear(f"there are options 1 to {len(options)}")
    return [options[place]["id"] for place in places]


def expected(prompt: Message) -> str:
    """Say what kind of answer a prompt wants."""
    shape, least, most = prompt.get("shape", "pick"), prompt.get("least", 1), prompt.get("most", 1)
    if shape == "number":
        return f"a number from {least} to {most}"
    if shape == "order":
        return f"all {len(prompt.get('options', ()))} numbers in the order you want"
    if least == most:
        return "one number" if most == 1 else f"{most} numbers"
    return f"{least} to {most} numbers" if least else f"up to {most} numbers"


def default_of(prompt: Message) -> str:
    """Spell what Enter, and silence, mean."""
    if prompt.get("shape", "pick") == "number":
        return str(prompt["default"][0])
    places = {option["id"]: str(at) for at, option in enumerate(prompt.get("options", ()), 1)}
    return " ".join(places[pick] for pick in prompt.get("default", ())) or "none"
