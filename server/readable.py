"""What people write, as others will see it: nothing that hides, reorders or breaks a line."""

from __future__ import annotations

import unicodedata

from protocol.errors import Refused

_JOINERS = "\u200c\u200d"
"""Invisible, but Persian words and many emoji are not themselves without them."""


def readable_text(text: str) -> str:
    """Give what was said without control characters and marks that turn text around. Raises Refused if nothing is left.

    Blanks of all kinds, line breaks among them, become one space each.
    """
    normal = unicodedata.normalize("NFC", text)
    shown = "".join(" " if _is_blank(c) else c for c in normal if _is_blank(c) or _is_visible(c)).strip()
    if not any(c not in _JOINERS and c != " " for c in shown):
        raise Refused("bad_message", "a text has at least one letter that can be seen", where="text")
    return shown


def _is_blank(character: str) -> bool:
    return character in "\n\r\t" or unicodedata.category(character).startswith("Z")


def _is_visible(character: str) -> bool:
    return character in _JOINERS or not unicodedata.category(character).startswith("C")
