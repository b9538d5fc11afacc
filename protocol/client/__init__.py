"""The reference client: ``core`` decides (no I/O), ``connection`` moves bytes.

Written against the documents of the wire, with a codec of its own; shares only error and close codes with the server.
"""

from protocol.client.connection import Client
from protocol.client.core import CommandRefused, ConnectionLost
from protocol.client.recorder import Recorder
from protocol.client.room import Room, Update

__all__ = ["Client", "CommandRefused", "ConnectionLost", "Recorder", "Room", "Update"]
