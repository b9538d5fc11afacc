"""What people write reaches others readable: nothing that hides, turns around or breaks a line."""

from __future__ import annotations

import pytest

from protocol.errors import Refused
from server.readable import readable_text


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("good game", "good game"),
        ("  two\nlines\there ", "two lines here"),
        ("evil \u202etxt.exe", "evil txt.exe"),
        ("\u2066isolate\u2069 \ufeffmark\x00\x1b[31m", "isolate mark[31m"),
        ("re\u0301sume\u0301", "résumé"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),
        ("שלום", "שלום"),
    ],
)
def test_marks_that_nobody_sees_are_left_out(said: str, shown: str) -> None:
    assert readable_text(said) == shown


@pytest.mark.parametrize("said", [" ", "\u202e", "\u200d\u200c", "\x00\x07", "\n\n"])
def test_what_nobody_could_see_is_refused(said: str) -> None:
    with pytest.raises(Refused, match="can be seen"):
        readable_text(said)
