"""Dockerfile, compose.yaml and the balancer's file: what they name exists, and what they run runs."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml

from server.cli import main
from server.settings import PREFIX, Settings, read_settings, unknown_variables
from server.store.embedded import find_binary
from server.store.fitness import check_fit
from tests.e2e.rig import Node
from tests.valkey import Server, own_valkey

__all__ = ["own_valkey"]

ROOT = Path(__file__).parents[2]
Instruction = tuple[str, str]


def _stages() -> list[list[Instruction]]:
    """Read the Dockerfile: its stages, and the instructions of each."""
    text = re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text())
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith("#")]
    stages: list[list[Instruction]] = []
    for word, rest in lines:
        if word == "FROM":
            stages.append([])
        stages[-1].append((word, rest))
    return stages


STAGES = _stages()
FINAL = STAGES[-1]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
NODES = {name: service for name, service in SERVICES.items() if "build" in service}


def _only(word: str) -> str:
    found = [rest for each, rest in FINAL if each == word]
    assert len(found) == 1, word
    return found[0]


def _clean(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> Settings:
    """Read the settings as a container would."""
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert unknown_variables(environment) == []
    return read_settings()


def _filled(value: str) -> str:
    """Fill in what compose takes from the environment."""
    return re.sub(r"\$\{\w+:\?[^}]*\}", "0123456789abcdef" * 2, value)


def _pins(name: str) -> dict[str, str]:
    """Read a lock: version by package. Every one of them has a hash."""
    entries = re.sub(r"\\\n", " ", (ROOT / name).read_text())
    lines = [line for line in entries.splitlines() if line.strip() and not line.strip().startswith("#")]
    assert all("--hash=sha256:" in line for line in lines)
    return dict(line.split()[0].split("==", 1) for line in lines)  # type: ignore[misc]


# ---- the image


def test_all_that_is_copied_is_there_and_sent_to_the_builder() -> None:
    ignored = [line.rstrip("/") for line in (ROOT / ".dockerignore").read_text().split() if line]
    for word, rest in (pair for stage in STAGES for pair in stage):
        if word == "COPY" and "--from" not in rest:
            for source in rest.split()[:-1]:
                assert (ROOT / source).exists(), source
                assert not any(fnmatch.fnmatch(source, pattern) for pattern in ignored), source


def test_all_packages_of_the_wheel_are_copied() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    copied = {rest.split()[0] for word, rest in STAGES[0] if word == "COPY"}
    assert copied >= {*project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"], "pyproject.toml"}


def test_the_image_has_what_runs_pinned_with_hashes_and_no_tools() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = [re.match(r"[\w-]+", each.lower()) for each in project["dependencies"]]
    tools = [re.match(r"[\w-]+", each.lower()) for each in project["optional-dependencies"]["dev"]]
    run, everything = _pins("requirements-run.txt"), _pins("requirements.txt")
    assert run.items() <= everything.items()
    assert {name[0] for name in names if name} <= run.keys()
    assert not {tool[0] for tool in tools if tool} & run.keys()
    installed = [rest for stage in STAGES[1:] for word, rest in stage if word == "RUN" and "pip install" in rest]
    assert [("--no-deps" in each) or ("--require-hashes -r requirements-run.txt" in each) for each in installed]
    assert not any("requirements.txt" in each for each in installed)


def test_the_image_runs_as_nobody_and_its_settings_and_command_are_good(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [word for word, _ in FINAL]
    assert _only("USER") == "10001"
    assert not [word for word in words[words.index("USER") :] if word in ("RUN", "COPY", "ADD")]
    environment = dict(pair.split("=", 1) for pair in shlex.split(_only("ENV")))
    ours = {name: value for name, value in environment.items() if name.startswith(PREFIX)}
    settings = _clean(monkeypatch, ours)
    assert (str(settings.port), str(settings.data_dir)) == (_only("EXPOSE"), _only("VOLUME"))
    command = json.loads(_only("CMD"))
    assert command[0] == "sanctum"
    assert main([*command[1:], "--help"]) == 0


def test_the_health_check_tells_a_node_that_serves_from_one_that_cannot(own_valkey: Server) -> None:
    check = json.loads(_only("HEALTHCHECK").partition("CMD ")[2])
    node = Node(own_valkey.url, {})
    try:
        command = [sys.executable, *(part.replace("127.0.0.1:8080", node.address) for part in check[1:])]
        assert command[-1] != check[-1]
        assert subprocess.run(command, check=False).returncode == 0
        own_valkey.kill()
        assert subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode != 0
    finally:
        node.kill()


# ---- three nodes


def test_three_nodes_have_good_settings_and_secrets_of_the_operators(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(NODES) == 3
    head = (ROOT / "compose.yaml").read_text().partition("\nname:")[0]
    for service in NODES.values():
        environment = service["environment"]
        settings = _clean(monkeypatch, {name: _filled(str(value)) for name, value in environment.items()})
        assert int(service["stop_grace_period"].rstrip("s")) > settings.drain_s
        assert service["ulimits"]["nofile"] > settings.max_sockets
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            if "SECRET" in name or "PASSWORD" in name or "@" in str(value):
                asked = re.findall(r"\$\{(\w+):\?", value)
                assert asked, f"{name} is no secret of the operator's"
                assert all(f"{each}=$(" in head for each in asked)


def test_every_container_is_read_only_without_rights_and_watched() -> None:
    for name, service in SERVICES.items():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["tmpfs"]
        assert "healthcheck" in service or name in NODES
        assert "user" in service or name in NODES
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert (ROOT / source).is_file() if source.startswith(".") else source in COMPOSE["volumes"]


def test_the_balancer_knows_every_node_and_asks_whether_it_is_ready() -> None:
    text = (ROOT / "deploy" / "haproxy.cfg").read_text()
    servers = dict(re.findall(r'^ *server (\w+) "\$\{(\w+)\}"$', text, re.M))
    environment = SERVICES["balancer"]["environment"]
    assert servers.keys() == NODES.keys() == SERVICES["balancer"]["depends_on"].keys()
    assert {environment[variable] for variable in servers.values()} == {f"{name}:8080" for name in NODES}
    assert "option httpchk GET /readyz" in text
    assert " check " in text
    port = SERVICES["balancer"]["ports"][0].partition(":")[2]
    assert environment["LISTEN"] == f":{port}"


def test_the_valkey_of_compose_starts_and_is_fit(tmp_path: Path) -> None:
    service = SERVICES["valkey"]
    assert service["entrypoint"] == ["/bin/sh", "-c"]
    (tmp_path / "valkey-server").symlink_to(find_binary())
    command = service["command"][0].replace("$$", "$").replace("--dir /data", f"--dir {tmp_path}")
    socket = tmp_path / "s"
    environment = {"PATH": str(tmp_path), "VALKEY_PASSWORD": "it is long"}
    words = [*service["entrypoint"], f"{command} --port 0 --unixsocket {socket}"]
    running = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
    try:
        for _ in range(500):
            if socket.exists() or running.poll() is not None:
                break
            time.sleep(0.02)
        with redis.Redis(unix_socket_path=str(socket), password="it is long") as client:
            info = client.info()
        check_fit({name: str(value) for name, value in info.items()})
        assert info["aof_enabled"] == 1
        with redis.Redis(unix_socket_path=str(socket)) as client, pytest.raises(redis.AuthenticationError):
            client.ping()
    finally:
        running.kill()
        running.wait()
