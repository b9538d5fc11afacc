"""The scripts that run inside Redis, each with the shared clock before it. Knows nothing of what they are for."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.resources import files

from hiredis import pack_command

Part = bytes | str | int
ENTRY, TOLD, CANARY = b"e", b"t", b"c"  # how what is published begins


def command(*parts: Part) -> bytes:
    """Encode one request."""
    packed: bytes = pack_command(parts)  # type: ignore[arg-type]  # its stub takes tuples of one part only
    return packed


class Script:
    """One script: its source, its digest, and the bytes of a call."""

    def __init__(self, name: str) -> None:
        folder = files(__package__)
        texts = (folder / part for part in ("time.lua", f"{name}.lua"))
        self.source = "".join(text.read_text("utf-8") for text in texts)
        self._sha = hashlib.sha1(self.source.encode(), usedforsecurity=False).hexdigest()

    def call(self, keys: Sequence[str], *args: Part) -> bytes:
        """Encode a call by digest. All keys of one call belong to one partition."""
        return command("EVALSHA", self._sha, len(keys), *keys, *args)

    def load(self) -> bytes:
        """Encode the request that makes calls by digest work on this server."""
        return command("SCRIPT", "LOAD", self.source)


COMMIT = Script("commit")
TELL = Script("tell")
SWEEP = Script("sweep")
MEND = Script("mend")
RESULT = Script("result")
RATE = Script("rate")
ALL = (COMMIT, TELL, SWEEP, MEND, RESULT, RATE)
