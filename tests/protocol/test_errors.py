"""Codes keep their promises to clients that know nothing but the number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from protocol.errors import CLOSES, ERRORS, BadMessage, Refused


def test_a_clients_fault_never_comes_back_and_the_services_always_does() -> None:
    for code, kind in CLOSES.items():
        if code >= 4000:
            assert kind.again == (4500 <= code < 4600), code
            assert 4400 <= code < 4600


def test_every_code_has_a_meaning_of_its_own() -> None:
    assert len({kind.text for kind in ERRORS.values()}) == len(ERRORS)
    assert len({kind.text for kind in CLOSES.values()}) == len(CLOSES)


def test_a_refusal_takes_its_text_from_the_table_unless_it_has_a_better_one() -> None:
    assert str(Refused("busy")) == ERRORS["busy"].text
    assert str(Refused("bad_seats", "three seats at most", most=3)) == "three seats at most"
    assert Refused("bad_seats", most=3).details == {"most": 3}


@pytest.mark.parametrize("make", [Refused, lambda code: BadMessage("x", code=code)])
def test_codes_that_are_in_no_table_cannot_be_raised(make: object) -> None:
    with pytest.raises(KeyError):
        make("nonsense")  # type: ignore[operator]


TESTS = Path(__file__).parents[1]


def _shown(*folders: str) -> str:
    return "".join(path.read_text() for folder in folders for path in sorted((TESTS / folder).rglob("*.py")))


def test_every_close_code_is_shown_by_a_test_of_a_running_service() -> None:
    seen = set(map(int, re.findall(r"\b[14]\d{3}\b", _shown("e2e", "server"))))
    assert set(CLOSES) - seen == set()


def test_every_error_is_shown_by_a_test_of_a_running_service() -> None:
    seen = set(re.findall(r'"([a-z_]+)"', _shown("e2e", "server")))
    assert set(ERRORS) - seen == set()


def test_no_other_close_code_is_ever_given() -> None:
    server = TESTS.parent / "server"
    given = {int(code) for path in server.glob("*.py") for code in re.findall(r"\b4[45]\d\d\b", path.read_text())}
    assert given <= set(CLOSES)
