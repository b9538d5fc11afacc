"""The doctor: what is well, what is not, and what to do, of settings, host, store and a running server."""

from __future__ import annotations

import os
import resource
import socket
from pathlib import Path
from typing import Any

import pytest

from server.commands.ends import DONE, FAILED
from server.doctor.host import LITTLE_MIB
from server.settings import PREFIX
from server.store import keys, lock
from server.store.redis import Store
from tests.e2e.rig import Node
from tests.server.store.scene import opened
from tests.server.terminal import Run, run
from tests.valkey import Server, own_valkey
from tests.valkey_cluster import ValkeyCluster, cluster_servers, valkey_cluster

__all__ = ["cluster_servers", "own_valkey", "run", "valkey_cluster"]

SECRET = "0123456789abcdef0123456789abcdef"


@pytest.fixture(autouse=True)
def _settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Leave this machine's settings out."""
    for name in [name for name in os.environ if name.upper().startswith(PREFIX)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv(f"{PREFIX}DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv(f"{PREFIX}PORT", "0")
    monkeypatch.setenv(f"{PREFIX}MAX_SOCKETS", "100")


def found(run: Run, *arguments: str, code: int = DONE) -> dict[str, list[tuple[str, str]]]:
    """Run it and give level and text of each finding, by check. What is not well says what to do."""
    ran = run("doctor", "--json", *arguments)
    told: dict[str, list[tuple[str, str]]] = {}
    for finding in ran.json["findings"]:
        told.setdefault(finding["check"].partition(" 127.")[0], []).append((finding["level"], finding["text"]))
        assert (finding["level"] == "ok") == (finding["advice"] == "")
    assert ran.code == code, ran.json
    assert ran.json["ok"] is (code == DONE)
    return told


def levels(told: list[tuple[str, str]]) -> set[str]:
    return {level for level, _ in told}


def test_a_host_on_which_nothing_runs_yet_is_well_and_stays_as_it_is(run: Run, tmp_path: Path) -> None:
    told = found(run)
    assert {level for lines in told.values() for level in levels(lines)} <= {"ok", "warn"}
    assert told["locks"] == [("ok", "free: no server runs here")]
    assert "Valkey server v=" in told["embedded store"][0][1]
    assert list(tmp_path.iterdir()) == []


def test_lines_for_people_have_level_text_and_advice(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{PREFIX}PRT", "1")
    ran = run("doctor")
    assert ran.code == DONE
    assert "warn settings           SANCTUM_PRT is not a setting\n" in ran.out
    assert "-> did you mean SANCTUM_PORT?\n" in ran.out
    assert ran.out.splitlines()[-1].endswith("0 fail")


@pytest.mark.parametrize(
    ("name", "value", "check", "level", "text"),
    [
        ("MAX_SOCKETS", "many", "settings", "fail", "SANCTUM_MAX_SOCKETS: "),
        ("HELO_S", "3", "settings", "warn", "SANCTUM_HELO_S is not a setting"),
        ("SECRET", "a" * 40, "secret", "warn", "easily guessed"),
        ("DATA_DIR", "/proc/nowhere", "data folder", "fail", "cannot be written"),
        ("HOST", "192.0.2.1", "port", "fail", "cannot listen on 192.0.2.1:0"),
        ("REDIS_URL", "redis://127.0.0.1:1", "settings", "fail", "SANCTUM_SECRET is needed"),
    ],
)
def test_what_is_set_wrongly_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, value: str, check: str, level: str, text: str
) -> None:
    monkeypatch.setenv(f"{PREFIX}{name}", value)
    told = found(run, code=FAILED if level == "fail" else DONE)
    assert any(each == level and text in words for each, words in told[check]), told


def test_a_port_in_use_and_too_few_files_are_seen_before_clients_see_them(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    monkeypatch.setenv(f"{PREFIX}MAX_SOCKETS", str(max(most, 1)))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setenv(f"{PREFIX}PORT", str(taken.getsockname()[1]))
        told = found(run)
    assert levels(told["port"]) == levels(told["open files"]) == {"warn"}


def test_a_disk_that_is_nearly_full_is_seen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.doctor.host.LITTLE_MIB", 1 << 40)
    assert levels(found(run)["disk"]) == {"warn"}
    monkeypatch.setattr("server.doctor.host.NONE_MIB", 1 << 40)
    assert levels(found(run, code=FAILED)["disk"]) == {"fail"}
    assert LITTLE_MIB == 1_024


def test_a_secret_that_others_may_read_and_locks_that_are_held_are_told(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "secret").write_text(SECRET)
    (folder / "secret").chmod(0o644)
    outlived = lock.take(folder / "valkey.lock")
    assert outlived is not None
    told = found(run)
    assert levels(told["secret"]) == {"warn"}
    assert told["locks"] == [("warn", "a Valkey has outlived its server")]
    held = lock.take(folder / "supervisor.lock")
    assert held is not None
    lock.sign(held, "4711")
    assert found(run)["locks"] == [("ok", "a server runs here (pid 4711)")]
    os.close(held)
    os.close(outlived)


# ---- the store


@pytest.fixture
def external(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a secret, as an external store needs one."""
    monkeypatch.setenv(f"{PREFIX}SECRET", SECRET)


def test_a_redis_as_it_should_be_is_well_and_nothing_is_written_to_it(
    run: Run,
    external: None,
    own_valkey: Server,
) -> None:
    told = found(run, "--redis", own_valkey.url)
    assert levels(told["redis"]) == {"ok"}
    texts = " ".join(text for _, text in told["redis"])
    for words in ("Valkey 8", "noeviction", "append-only file, appendfsync everysec", "ms from this host's"):
        assert words in texts
    assert told["published"] == [("ok", "what is published at every primary arrives")]
    assert told["nodes"] == [("ok", "none beats: no server runs on this place")]
    assert own_valkey.ask("DBSIZE") == 0


@pytest.mark.parametrize(
    ("setting", "value", "level", "text"),
    [
        ("maxmemory-policy", "allkeys-lru", "fail", "maxmemory-policy is allkeys-lru"),
        ("appendonly", "no", "warn", "no append-only file"),
        ("appendfsync", "no", "warn", "appendfsync no"),
        ("maxmemory", "1mb", "warn", "of maxmemory are used"),
    ],
)
def test_a_redis_set_otherwise_is_told_what_to_set(
    run: Run,
    external: None,
    own_valkey: Server,
    setting: str,
    value: str,
    level: str,
    text: str,
) -> None:
    own_valkey.ask("CONFIG", "SET", setting, value)
    told = found(run, "--redis", own_valkey.url, code=FAILED if level == "fail" else DONE)
    assert any(each == level and text in words for each, words in told["redis"]), told


def test_a_replica_and_a_redis_that_is_not_there_fail(run: Run, external: None, own_valkey: Server) -> None:
    own_valkey.ask("REPLICAOF", "127.0.0.1", "1")
    told = found(run, "--redis", own_valkey.url, code=FAILED)
    assert ("fail", "it is a replica and takes no commit") in told["redis"]
    own_valkey.kill()
    assert levels(found(run, "--redis", own_valkey.url, code=FAILED)["redis"]) == {"fail"}


def test_another_number_of_partitions_fails(run: Run, external: None, own_valkey: Server) -> None:
    own_valkey.ask("HSET", keys.META, "partitions", 16, "format", 1)
    assert levels(found(run, "--redis", own_valkey.url, code=FAILED)["rooms"]) == {"fail"}


async def _beat(url: str, *said: bytes) -> None:
    async with opened(url) as store:
        for number, says in enumerate(said):
            await Store.beat(store, f"node{number}", says)


async def test_nodes_that_beat_are_counted_and_what_differs_is_named(own_valkey: Server) -> None:
    from engines.record import encode
    from server.store.checkup import checkup

    await _beat(
        own_valkey.url, encode({"format": 1, "rules": {"relay": 1}}), encode({"format": 1, "rules": {"relay": 2}})
    )
    told = [finding async for finding in checkup(own_valkey.url, "everysec") if finding.check == "nodes"]
    assert [(each.level, each.text) for each in told] == [
        ("ok", "2 beat"), ("warn", "they differ: rules relay: 1 and 2"),
    ]  # fmt: skip


def test_every_primary_of_a_cluster_is_looked_at(run: Run, external: None, valkey_cluster: ValkeyCluster) -> None:
    told = found(run, "--redis", valkey_cluster.url)
    assert sum("primary with 1 replicas" in text for _, text in told["redis"]) == 3
    assert told["cluster"] == [("ok", "state ok, 3 primaries have all slots")]
    assert levels(told["published"]) == {"ok"}


# ---- a running server


def test_a_running_server_with_its_own_store_is_asked_and_its_store_too(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(f"{PREFIX}DATA_DIR", str(tmp_path / "data"))
    node = Node(None, {}, tmp_path)
    try:
        assert node.http("GET", "/readyz").status_code == 200
        told: Any = found(run, "--url", f"http://{node.address}")
        assert levels(told["ready"]) == levels(told["release"]) == levels(told["server"]) == {"ok"}
        assert told["nodes"] == [("ok", "1 beat")]
        assert told["locks"][0][1].startswith("a server runs here (pid ")
    finally:
        assert node.stop() == 0
    assert levels(found(run, "--url", f"http://{node.address}", code=FAILED)["server"]) == {"fail"}
