"""Whether what is written today still says what was written once: fields may be added, none may move, change or go."""

from __future__ import annotations

from typing import Any


def holds(new: Any, old: Any) -> bool:
    """Tell whether all of the old is in the new, in its place: arrays and maps may only have grown."""
    if isinstance(old, list) and isinstance(new, list):
        return len(new) >= len(old) and all(map(holds, new, old))
    if isinstance(old, dict) and isinstance(new, dict):
        return all(key in new and holds(new[key], value) for key, value in old.items())
    return bool(new == old)
