"""What an operator sees of nodes: whether they are ready, their figures over workers, and how they go."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from server.app import DRAIN_RETRY_MS
from server.commands.ends import UNAVAILABLE
from server.settings import PREFIX
from tests.e2e.rig import PATIENCE_S, SECRET, Node, Raw
from tests.server.test_metrics import figures
from tests.valkey import Server
from tests.valkey_cluster import ValkeyCluster, cluster_servers, valkey_cluster  # noqa: F401 - fixtures

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]
CLIENTS = 16
TICK_S = os.sysconf("SC_CLK_TCK")


async def readiness(node: Node, wanted: int) -> None:
    """Wait until `/readyz` answers so."""
    answer = None
    for _ in range(300):
        answer = await asyncio.to_thread(node.http, "GET", "/readyz")
        if answer.status_code == wanted:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(answer and answer.text)


async def test_a_node_is_ready_as_long_as_what_is_published_arrives(
    start: Callable[..., Node], own_valkey: Server
) -> None:
    node = start()
    await readiness(node, 200)
    own_valkey.freeze()
    await readiness(node, 503)
    own_valkey.thaw()
    await readiness(node, 200)
    assert node.http("GET", "/healthz").status_code == 200


async def test_one_primary_of_a_cluster_that_hangs_makes_a_node_not_ready(valkey_cluster: ValkeyCluster) -> None:  # noqa: F811
    node = Node(valkey_cluster.url, {})
    victim = valkey_cluster.primaries()[1].running
    assert victim is not None
    try:
        await readiness(node, 200)
        victim.send_signal(signal.SIGSTOP)
        await readiness(node, 503)
        victim.send_signal(signal.SIGCONT)
        await readiness(node, 200)
    finally:
        victim.send_signal(signal.SIGCONT)
        node.kill()


def _cpu_s(pid: int) -> float:
    """Give the processor time of a process, as the kernel counts it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK_S


def _workers(node: Node) -> list[int]:
    return [line["pid"] for line in node.log() if line.get("event") == "worker_started"]


def _has_ended(node: Node) -> bool:
    return any(line.get("event") == "worker_ended" for line in node.log())


def _open(clients: list[Raw]) -> int:
    return sum(client.socket.close_code is None for client in clients)


async def _until_figures(node: Node, fits: Callable[[dict[str, float]], bool]) -> dict[str, float]:
    read: dict[str, float] = {}
    for _ in range(300):
        read = figures((await asyncio.to_thread(node.http, "GET", "/metrics")).text)
        if fits(read):
            return read
        await asyncio.sleep(0.1)
    raise AssertionError(read)


async def test_figures_are_the_sum_of_all_workers_their_processor_time_too(
    start: Callable[..., Node], connect: Connect
) -> None:
    node = start(workers=2)
    clients: list[Raw] = [await connect(node, open_timeout=PATIENCE_S) for _ in range(CLIENTS)]
    for client in clients:
        assert (await client.ask({"t": "ping"}))["t"] == "ok"
    workers = _workers(node)
    assert len(workers) == 2
    used = sum(map(_cpu_s, workers))

    def complete(read: dict[str, float]) -> bool:
        pings = read.get("sanctum_commands_total{outcome=ok}{type=ping}", 0)
        return (read["sanctum_sockets"], pings) == (CLIENTS, CLIENTS) and read["sanctum_cpu_seconds_total"] >= used

    before = await _until_figures(node, complete)
    assert before["sanctum_cpu_seconds_total"] <= sum(map(_cpu_s, workers)) + 2 / TICK_S * len(workers)
    os.kill(workers[0], signal.SIGKILL)
    after = await _until_figures(node, lambda read: _has_ended(node) and read["sanctum_sockets"] == _open(clients))
    for name in ("sanctum_cpu_seconds_total", "sanctum_commands_total{outcome=ok}{type=ping}"):
        assert after[name] >= before[name]
    for client in clients:
        await client.cut()
    await _until_figures(node, lambda read: read["sanctum_sockets"] == 0)
    assert node.stop() == 0


async def test_clients_of_a_stopping_node_come_back_each_at_a_moment_of_its_own(
    start: Callable[..., Node], connect: Connect
) -> None:
    node = start()
    clients: list[Raw] = [await connect(node) for _ in range(12)]
    node.process.terminate()
    told = [await client.until(lambda message: message["t"] == "draining") for client in clients]
    waits = {message["retry_after_ms"] for message in told}
    assert len(waits) > 6
    assert DRAIN_RETRY_MS[0] <= min(waits) <= max(waits) <= DRAIN_RETRY_MS[1]
    assert node.process.wait(timeout=30) == 0


def test_a_server_refuses_a_store_that_would_let_rooms_vanish(own_valkey: Server) -> None:
    own_valkey.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    environment = {**clean, f"{PREFIX}SECRET": SECRET, f"{PREFIX}PORT": "0"}
    command = [sys.executable, "-m", "server", "serve", "--redis", own_valkey.url]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == UNAVAILABLE
    assert "maxmemory-policy is allkeys-lru: set it to noeviction" in done.stderr
