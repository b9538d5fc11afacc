"""What can be wrong with the place where rooms are kept. Knows no room and no client."""

from __future__ import annotations


class Unavailable(Exception):
    """The store could not be reached, or cannot write: nothing is known to have happened. Worth another try later."""


class Unfit(Exception):
    """This server, or its address, cannot be used as it is; the text says what an operator has to change."""
