"""A real Valkey Cluster for tests: three primaries, a replica each, on free ports of this host.

One a session; tests that break it leave it whole again, though not with the same roles.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import redis as client
from redis.crc import key_slot

from server.store.embedded import find_binary
from tests.valkey import free_port

PATIENT_MS, BRISK_MS = 15_000, 1_000
_KEYLESS = {"FLUSHALL", "SCRIPT", "CLIENT", "CONFIG", "KEYS", "PUBSUB", "DBSIZE"}
_SECOND = {"OBJECT", "MEMORY"}


class Member:
    """One node of the Cluster."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.bus = folder, free_port(), free_port()
        self.place = f"127.0.0.1:{self.port}"
        self.running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.running = subprocess.Popen(
            [
                *(find_binary(), "--port", str(self.port), "--bind", "127.0.0.1", "--cluster-port", str(self.bus)),
                *("--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--dir", str(self.folder)),
                *("--cluster-node-timeout", str(PATIENT_MS), "--cluster-replica-validity-factor", "0"),
                *("--save", "", "--appendonly", "yes", "--repl-diskless-sync-delay", "0"),
                *("--maxmemory-policy", "noeviction", "--repl-ping-replica-period", "1"),
            ],
            stdout=subprocess.DEVNULL,
            process_group=0,
        )

    def kill(self) -> None:
        """End it as a crash would."""
        if self.running is not None:
            self.running.kill()
            self.running.wait()
            self.running = None

    def ask(self, *words: Any) -> Any:
        """Ask as an operator would."""
        with client.Redis(port=self.port, socket_timeout=10) as connection:
            return connection.execute_command(*words)


class ValkeyCluster:
    """All nodes. What names a key is asked of its primary; anything else of every primary."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.members = [Member(folder / str(number)) for number in range(6)]
        self.url = f"cluster://{','.join(member.place for member in self.members)}"
        self.broken = True

    def start(self) -> None:
        for member in self.members:
            member.folder.mkdir()
            member.start()
        places = [member.place for member in self.members]
        tool = str(Path(find_binary()).with_name("valkey-cli"))
        wanted = [tool, "--cluster", "create", *places, "--cluster-replicas", "1", "--cluster-yes"]
        for _ in range(20):
            made = subprocess.run(wanted, capture_output=True, text=True, check=False, timeout=60)
            if made.returncode == 0:
                return self.heal()
            time.sleep(0.2)
        raise AssertionError(made.stdout + made.stderr)

    def heal(self) -> None:
        """Start who was killed, and wait until every slot has a primary and every primary a replica in step."""
        for member in self.members:
            if member.running is None:
                member.start()
        for _ in range(600):
            try:
                if self._is_whole():
                    self.broken = False
                    return
            except client.RedisError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"the Cluster is not whole: {self.members[0].ask('CLUSTER', 'NODES')}")

    def _is_whole(self) -> bool:
        for member in self.members:
            if b"cluster_state:ok" not in member.ask("CLUSTER", "INFO"):
                return False
            role = member.ask("ROLE")
            if role[0] == b"master" and len(role[2]) != 1:
                return False
            if role[0] == b"slave" and role[3] != b"connected":
                return False
        return len({id(self.primary(slot)) for slot in range(0, 1 << 14, 64)}) == 3

    def kill(self) -> None:
        for member in self.members:
            member.kill()

    def primaries(self) -> list[Member]:
        """Give every node that has slots."""
        return list({id(member): member for member in self.owners().values()}.values())

    def primary(self, slot: int) -> Member:
        """Give the node that has a slot."""
        return next(member for (first, last), member in self.owners().items() if first <= slot <= last)

    def owners(self) -> dict[tuple[int, int], Member]:
        """Give the primary of each span of slots."""
        by_port = {member.port: member for member in self.members}
        for member in self.members:
            if member.running is not None:
                with client.Redis(port=member.port, socket_timeout=10) as connection:
                    connection.response_callbacks.clear()
                    found: Any = connection.execute_command("CLUSTER SLOTS")
                return {(first, last): by_port[holders[0][1]] for first, last, *holders in found}
        raise AssertionError("no node runs")

    def replica_of(self, primary: Member) -> Member:
        """Give the replica of a primary."""
        return next(m for m in self.members if m.running and m.ask("ROLE")[1:3] == [b"127.0.0.1", primary.port])

    def ask(self, *words: Any) -> Any:
        """Ask as an operator would."""
        if words[0] in _KEYLESS:
            told = [member.ask(*words) for member in self.primaries()]
            return [*chain(*told)] if isinstance(told[0], list) else told[0]
        name = words[2 if words[0] in _SECOND else 1]
        return self.primary(key_slot(str(name).encode() if not isinstance(name, bytes) else name)).ask(*words)

    def brisk(self) -> None:
        """Let failovers follow soon, until the next test."""
        self.broken = True
        self._config(BRISK_MS)

    def _config(self, timeout_ms: int) -> None:
        for member in self.members:
            member.ask("CONFIG", "SET", "cluster-node-timeout", timeout_ms)

    def fresh(self) -> None:
        """Hold nothing, be whole, and be patient."""
        if self.broken:
            self.heal()
            self._config(PATIENT_MS)
        self.ask("FLUSHALL")

    def move(self, slot: int, target: Member) -> None:
        """Move a slot, keys and all, as a resharding does."""
        source = self.primary(slot)
        self.begin_move(slot, target)
        self.end_move(slot, source, target)

    def begin_move(self, slot: int, target: Member) -> None:
        """Set a slot on its way."""
        source = self.primary(slot)
        target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", source.ask("CLUSTER", "MYID"))
        source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", target.ask("CLUSTER", "MYID"))

    def end_move(self, slot: int, source: Member, target: Member) -> None:
        """Bring its keys over, and say that it has arrived."""
        while names := source.ask("CLUSTER", "GETKEYSINSLOT", slot, 100):
            source.ask("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *names)
        others = [member for member in self.primaries() if member not in (source, target)]
        for member in (target, source, *others):
            member.ask("CLUSTER", "SETSLOT", slot, "NODE", target.ask("CLUSTER", "MYID"))


@pytest.fixture(scope="session")
def cluster_servers() -> Iterator[ValkeyCluster]:
    """The session's Cluster, as the last test left it."""
    folder = Path(tempfile.mkdtemp(prefix="vc-", dir="/tmp"))
    cluster = ValkeyCluster(folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.kill()
        shutil.rmtree(folder)


@pytest.fixture
def valkey_cluster(cluster_servers: ValkeyCluster) -> ValkeyCluster:
    """A whole Cluster that holds nothing yet."""
    cluster_servers.fresh()
    return cluster_servers
