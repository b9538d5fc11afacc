"""The table as text for a terminal: both seats with patron, saints, graces and events; the last check; the hand.

Owns plain drawing from one audience's zones. Knows no state and no terminal.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engines.patron.cards import AnyCard, Event, Grace, Saint
from engines.patron.naming import Zones, name_by_id, name_of, name_of_slot, names
from engines.patron.pack import printed
from engines.patron.telling import check_line, lasting_line, line
from engines.patron.terms import VIRTUES
from engines.patron.text import milestone_text, text_of

__all__ = ["line", "option", "table"]

MILESTONES = 5


def table(zones: Zones, seat: int | None, width: int = 100) -> str:
    """Draw all that an audience sees, in lines of at most ``width``; the looking seat (else seat 0) is below."""
    near = seat or 0
    rows = [
        _heading(zones),
        "=" * width,
        *_side(zones, 1 - near, seat, width),
        "-" * width,
        *_middle(zones, width),
        "-" * width,
        *_side(zones, near, seat, width),
        *_hand(zones, near, width),
    ]
    return "\n".join(row.rstrip()[:width] for row in rows)


def option(act: Mapping[str, Any], zones: Zones) -> str:
    """Say what an option means."""
    card = name_by_id(zones, act["card"]) if "card" in act else ""
    match act["do"]:
        case "end_intercession":
            return {None: "End intercession", True: "End intercession and store 2 points"}.get(
                act.get("store"), "End intercession without storing"
            )
        case "activate_effect":
            return f"Activate effect {act['effect'] + 1} of {card}"
        case "activate_event":
            return f"Activate {name_of_slot(zones, act['slot'])}"
        case "target":
            effect = f", effect {act['effect'] + 1}" if "effect" in act else ""
            return f"Choose {card or name_of_slot(zones, act['slot'])}{effect}"
        case "first":
            return f"Seat {act['seat']} begins"
        case "option":
            return f"Take choice {act['index'] + 1}"
        case "virtue":
            return str(act["virtue"]).capitalize()
        case word:
            return f"{SAID.get(word, str(word).replace('_', ' ').capitalize())} {card}".rstrip()


SAID: dict[str, str] = {
    "play_saint": "Play",
    "play_patron": "Play your patron",
    "play_grace": "Play",
    "set_event": "Set face down:",
    "set_friend": "Choose as friend:",
    "cycle_saint": "Discard and draw:",
    "complete_milestone": "Complete the milestone",
    "pay_card": "Pay with",
    "pass_priority": "Pass",
    "end_phase": "Go on to the next phase",
    "repeat_phases": "Go through effects, graces, events and milestones again",
    "attempt": "Contest it",
}


def _heading(zones: Zones) -> str:
    turn = zones["turn"]
    if (result := zones["result"]) is not None:
        won = "drawn" if result["winner"] is None else f"seat {result['winner']} has won"
        return f"Turn {turn['turn']} - over: {won}"
    if turn["active"] is None:
        return "Before the first turn"
    words = [f"Turn {turn['turn']}", f"seat {turn['active']} is active", turn["phase"]]
    words += [f"pass {turn['pass_index'] + 1}"] if turn["pass_index"] else []
    words += [f"{turn['pool']} points of intercession"] if turn["pool"] is not None else []
    words += [f"seat {turn['priority']} has priority"] if turn["priority"] is not None else []
    return ", ".join(words)


def _side(zones: Zones, of: int, seat: int | None, width: int) -> Iterator[str]:
    """Draw what a seat has on the table; where tokens and stored points lie is nobody's rule (PA-9.39)."""
    key = str(of)
    counters = zones["counters"][key]
    you = " (you)" if of == seat else ""
    yield (
        f"Seat {of}{you}   hand {zones['hand'][key]['count']}   deck {zones['deck'][key]}   "
        f"discard {len(zones['discard'][key])}   tokens {counters['tokens']}   stored {counters['stored']}"
    )
    yield from _patron(zones, key, width)
    yield from _listed("Terra Sanctorum", (_saint(zones, key, card) for card in zones["terra"][key]), width)
    yield from _listed("Graces", (name_of(card["card"]) for card in zones["graces"][key]), width)
    yield from _listed("Events", (_slot(event) for event in zones["events"][key]), width)
    adding = ", ".join(f"{virtue} {zones['modifiers'][key][virtue]:+d}" for virtue in VIRTUES)
    yield f"  Modifiers: {adding}"
    if zones["restricted"][key]:
        yield f"  May not: {', '.join(zones['restricted'][key]).replace('_', ' ')}"


def _patron(zones: Zones, key: str, width: int) -> Iterator[str]:
    """Draw the patron with its die, and the milestone it is at."""
    patron = zones["patron"][key]
    done = patron["milestones"]
    place = "" if patron["in_play"] else f", waits in its place (costs {patron['cost']})"
    dots = "*" * done + "." * (MILESTONES - done)
    yield f"  Patron: {name_of(patron['card'])} [{dots}] {done} of {MILESTONES} milestones{place}"
    card = printed(patron["card"])
    if isinstance(card, Saint) and done < MILESTONES:
        milestone = card.milestones[done]
        counted = f" ({_progress(patron['progress'])} of {milestone.progress.n})" if milestone.progress else ""
        yield from _wrapped(f"  Milestone {done + 1}: ", f"{milestone_text(milestone)}{counted}", width)


def _progress(progress: int | None) -> str:
    return "?" if progress is None else str(progress)


def _saint(zones: Zones, key: str, card: Mapping[str, Any]) -> str:
    role = {zones["patron"][key]["id"]: " (patron)", zones["friend"][key]: " (friend)"}.get(card["id"], "")
    stones = [str(used["effect"] + 1) for used in zones["used"][key] if used["card"] == card["card"]]
    used = f" (effect {', '.join(stones)} used)" if stones else ""
    return f"{name_of(card['card'])}{role}{used}"


def _slot(event: Mapping[str, Any]) -> str:
    face = name_of(event["card"]) if "card" in event else "face down"
    return f"{event['slot']} {face} (set in turn {event['set_turn']})"


def _listed(label: str, entries: Iterable[str], width: int) -> list[str]:
    text = "; ".join(entries)
    return _wrapped(f"  {label}: ", text, width) if text else []


def _middle(zones: Zones, width: int) -> Iterator[str]:
    """Draw what concerns both: the last check in full, what is contested, what lasts, what is being looked at."""
    if zones["last_check"] is not None:
        yield from _wrapped("Last check: ", check_line(zones["last_check"], zones), width)
    if zones["resolving"]:
        yield from _wrapped("On the table: ", "; ".join(_face(card["card"]) for card in zones["resolving"]), width)
    if zones["ongoing"]:
        yield from _wrapped("Lasting: ", "; ".join(map(lasting_line, zones["ongoing"])), width)
    if zones["look"]:
        yield from _wrapped("You look at: ", names(zones["look"]), width)


def _hand(zones: Zones, of: int, width: int) -> Iterator[str]:
    for at, card in enumerate(zones["hand"][str(of)].get("cards", ()), 1):
        cost = f", now {card['cost']}" if "cost" in card else ""
        yield from _wrapped(f"  {at}. ", _face(card["card"], cost), width)


def _face(key: str, cost: str = "") -> str:
    """Describe a card in full: name, numbers, text."""
    card = printed(key)
    if card is None:
        return f"{name_of(key)}{cost}"
    text = text_of(card)
    return f"{card.name} [{_numbers(card)}{cost}]{' - ' if text else ''}{text}"


def _numbers(card: AnyCard) -> str:
    match card:
        case Saint():
            return ", ".join([f"saint {card.score}", *_virtues(card)])
        case Grace():
            return ", ".join(["grace", *_virtues(card)])
        case Event():
            return f"event, {' or '.join(card.virtues)} {card.number}"


def _virtues(card: Saint | Grace) -> list[str]:
    return [f"{virtue} {n:+d}" for virtue, n in card.virtues.items()]


def _wrapped(label: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=label, subsequent_indent=" " * min(len(label), 6))
