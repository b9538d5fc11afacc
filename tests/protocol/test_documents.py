"""The pages for people who write clients leave nothing out and lead nowhere wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from protocol.client.backoff import comes_back
from protocol.errors import CLOSES
from protocol.messages import Command, Message, Status, Why
from protocol.prompt import Shape

FOLDER = Path(__file__).parents[2] / "docs" / "protocol"
PAGE = (FOLDER / "README.md").read_text()


TYPES = [kind.__struct_config__.tag for kind in (*get_args(Command), *get_args(Message))]


@pytest.mark.parametrize("word", [*TYPES, *get_args(Shape), *get_args(Status), *get_args(Why)])
def test_the_page_speaks_of(word: str) -> None:
    assert word in re.findall(r"\w+", PAGE)


@pytest.mark.parametrize("page", ["README.md", "clients.md"])
def test_links_lead_to_files_that_are_there(page: str) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", (FOLDER / page).read_text())
    assert links
    assert [link for link in links if not (FOLDER / link).exists()] == []


def test_the_table_of_close_codes_is_what_the_reference_client_does() -> None:
    table = (FOLDER / "clients.md").read_text().split("| close code |")[1]
    said: dict[int, bool] = {}
    for codes, back in re.findall(r"^\| ([\d, ]+) \| (yes|no)", table, re.MULTILINE):
        said |= {int(code): back == "yes" for code in codes.split(",")}
    assert said == {code: comes_back(code) for code in said}
    assert {code for code in CLOSES if code < 4000} <= set(said)
