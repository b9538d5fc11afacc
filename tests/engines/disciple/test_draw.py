"""The table, events and options as text."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from engines.bots import random_picks
from engines.disciple import draw
from engines.disciple.pack import shipped
from engines.disciple.telling import SENTENCES
from engines.flow import Step, begin, submit
from engines.record import Choice
from engines.rules import Match
from engines.sight import audiences, see
from tests.engines.disciple.table import RULES, Disciples, lay

PACK = shipped()["first_light"]


def shipped_scene(**zones: Any) -> Disciples:
    """Lay a table of cards of the shipped pack; hands and decks not named are of plain saints."""
    plain = {"hand0": "agnes_of_rome", "hand1": "agnes_of_rome"}
    plain |= dict.fromkeys(("deck0", "deck1"), " ".join(["agnes_of_rome"] * 10))
    return lay(pack=PACK, **(plain | zones))


def steps(seed: int) -> list[Step]:
    """Play a match of the shipped pack by chance."""
    chance = Random(seed)
    ready = list(RULES.ready_decks(PACK).values())
    match = Match(2, RULES.Options(), PACK.cards, (ready[seed % 4], ready[(seed + 1) % 4]), holds=False)
    running = Match(2, RULES.Options(), PACK.cards, holds=False)
    played = [begin(RULES, match, pack=PACK.hash, key=chance.randbytes(32))]
    while (position := played[-1].position).outcome is None:
        asked = position.asked[0]
        seat = asked.prompt.seat
        picks = random_picks(seat, {}, asked.prompt, chance)
        played.append(submit(RULES, running, played[-1].record, [Choice(seat, asked.id, picks)]))
    return played


@pytest.fixture(scope="module")
def seen() -> list[Any]:
    """Give what every audience sees at every step of some matches."""
    return [
        (audience, see(RULES, step.position, audience, step.events))
        for seed in range(6)
        for step in steps(seed)
        for audience in audiences(2)
    ]


def test_table_fits_its_width(seen: list[Any]) -> None:
    for audience, sight in seen[::7]:
        for width in (80, 100, 120):
            assert max(map(len, draw.table(sight.zones, audience, width).split("\n"))) <= width


def test_every_event_has_a_sentence_of_its_own(seen: list[Any]) -> None:
    kinds = {event["event"] for _, sight in seen for event in sight.events}
    assert kinds <= SENTENCES.keys()
    assert len(kinds) > 20


def test_sentences_are_one_line_and_name_no_key_and_no_id(seen: list[Any]) -> None:
    for _, sight in seen:
        for event in sight.events:
            line = draw.line(event, sight.zones)
            assert line.endswith((".", "---")), line
            assert not re.search(r"[{}_\[\]\n]", line), line


def test_options_of_one_prompt_read_differently_where_cards_do(seen: list[Any]) -> None:
    for _, sight in seen:
        if sight.prompt is not None:
            labels = [draw.option(option.act, sight.zones) for option in sight.prompt.prompt.options]
            assert all(label and "_" not in label and "a card (" not in label for label in labels)


def test_unknown_event_and_option_are_told_by_their_names() -> None:
    zones = lay().view(0)
    assert draw.line({"event": "lamp_lit"}, zones) == "Lamp lit."
    assert draw.option({"do": "light_lamp"}, zones) == "Light lamp"


def test_table_shows_both_sides_faces_and_owners() -> None:
    scene = shipped_scene(
        side0={"book": "thomas_aquinas bede_the_venerable~ thomas_aquinas@1"},
        side1={"heart": "francis_of_assisi"},
        hand0="works_of_mercy",
        discard1="agnes_of_rome",
    )
    text = draw.table(scene.view(0), 0)
    lines = text.split("\n")
    middle = next(at for at, line in enumerate(lines) if line.startswith("--- BOOK"))
    assert "Francis of Ass. HHH" in lines[middle - 2]
    assert lines[middle - 1].split()[:3] == ["0", "of", "7"]
    assert lines[middle + 1].startswith("5 of 7")
    assert [line.split("  ")[0].strip() for line in lines[middle + 2 : middle + 5]] == [
        "Thomas Aquinas BB",
        "(Bede the Vener.) 1",
        "Thomas Aquinas BB*",
    ]
    assert "1. Works of Mercy [deed] uncommon - Choose one: draw 2 cards;" in text
    assert "discard, latest first: Agnes of Rome" in text
    assert "Seat 0 (you)   hand 1   deck 10   discard 0" in text


def test_looking_seat_is_below_and_sees_only_its_hand() -> None:
    scene = shipped_scene(hand0="works_of_mercy", hand1="easter_morning")
    for seat, own, other in ((0, "Works of Mercy", "Easter Morning"), (1, "Easter Morning", "Works of Mercy")):
        text = draw.table(scene.view(seat), seat)
        assert own in text
        assert other not in text
        assert text.index(f"Seat {1 - seat} ") < text.index(f"Seat {seat} (you)")
    public = draw.table(scene.view(None), None)
    assert "Works of Mercy" not in public
    assert "Easter Morning" not in public
    assert "(you)" not in public


def test_complete_columns_and_lasting_effects_are_shown() -> None:
    scene = shipped_scene(
        side0={"heart": "francis_of_assisi francis_of_assisi elizabeth_of_hungary~", "drop": "charbel_makhlouf"},
        side1={"fire": "joan_of_arc"},
    )
    scene.act(0, "draw_card")
    scene.act(0, "flip_card", card=scene.card("charbel_makhlouf"))
    text = draw.table(scene.view(0), 0)
    assert "7 of 7  complete" in text
    assert "Lasting: Joan of Arc silenced until seat 0's next turn" in text


def test_end_is_shown_and_told() -> None:
    scene = shipped_scene(hand1="", deck1="")
    assert draw.table(scene.view(1), 1).startswith("Turn 1, seat 0 is active, start - over: seat 0 has won")
    assert draw.line(scene.told(0, "game_over")[0], scene.view(0)) == "You win: the other has neither hand nor deck."
    assert draw.line(scene.told(None, "game_over")[0], scene.view(None)).startswith("Seat 0 wins: ")


def test_events_speak_to_the_viewer() -> None:
    scene = shipped_scene(hand0="thomas_aquinas", hand1="agnes_of_rome", deck0="bede_the_venerable agnes_of_rome")
    scene.play(0, "thomas_aquinas", "book")
    assert [draw.line(event, scene.view(0)) for event in scene.told(0, "card_played", "reaction_opened")] == [
        "You play Thomas Aquinas into the Book column.",
        "Seat 1 may react.",
    ]
    scene.act(1, "decline")
    assert draw.line(scene.told(0, "drawn")[0], scene.view(0)) == "You draw 1 card: Bede the Venerable."
    assert draw.line(scene.told(1, "drawn")[0], scene.view(1)) == "Seat 0 draws 1 card."
    assert draw.line(scene.told(None, "reaction_declined")[0], scene.view(None)) == "Seat 1 lets it pass."


def test_options_name_cards_places_and_branches() -> None:
    scene = shipped_scene(side0={"book": "thomas_aquinas"}, hand0="works_of_mercy bede_the_venerable", hand1="")
    labels = [draw.option(act, scene.view(0)) for act in scene.offered(0)]
    assert labels == ["Play Works of Mercy", "Play Bede the Venerable into Book", "Draw a card"]
    scene.play(0, "works_of_mercy")
    assert [draw.option(act, scene.view(0)) for act in scene.offered(0)] == [
        "Choice 1: draw 2 cards",
        "Choice 2: return up to 2 cards from your discard pile to your hand",
    ]


def test_moves_and_flips_say_where_a_card_lies() -> None:
    scene = shipped_scene(side0={"book": "catherine_of_alexandria"}, hand0="agnes_of_rome")
    scene.act(0, "draw_card")
    labels = [draw.option(act, scene.view(0)) for act in scene.offered(0)]
    assert labels == [
        "Move Catherine of Alexandria (seat 0, Book) to Fire",
        "Turn Catherine of Alexandria (seat 0, Book) into a disciple",
        "End the turn",
    ]
