"""Commands that need a service: each starts one, plays over real sockets, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import httpx
import pytest

from server.commands.ends import DONE, FAILED, INTERRUPTED, UNAVAILABLE, UNCHECKED, USAGE, Stop
from server.commands.own_server import own_server
from tests.server.terminal import Run


def sanctum(*arguments: str | Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "server", *map(str, arguments)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, env={**os.environ, **(env or {})},
    )  # fmt: skip


def talking(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "server", *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip


def read_until(text: str, source: IO[str]) -> list[str]:
    """Read lines until one has the text in it."""
    lines = []
    for line in source:
        lines.append(line)
        if text in line:
            return lines
    raise AssertionError(f"{text!r} was never written: {lines}")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The replay of a match that ``sanctum demo`` showed, and the frames that its spectator got."""
    folder = tmp_path_factory.mktemp("kept")
    ran = sanctum("demo", "--keep", folder)
    assert (ran.returncode, ran.stderr) == (DONE, "")
    assert "replay in order" in ran.stdout
    assert "won" in ran.stdout
    return folder


def test_demo_plays_any_game_to_its_end(run: Run) -> None:
    ran = run("demo", "probe")
    assert ran.code == DONE
    assert "── score " in ran.out
    assert "replay in order" in ran.out


def test_demo_of_a_game_that_is_not_there_says_which_are(run: Run) -> None:
    run("demo", "chess").complained(USAGE, "it has: disciple")


def test_a_replay_is_verified_with_every_frame_that_was_seen(run: Run, kept: Path) -> None:
    ran = run("replay", "verify", kept / "replay.json", "--seen", kept / "frames.jsonl", "--json")
    assert (ran.code, ran.json["ok"], ran.json["difference"]) == (DONE, True, None)
    assert ran.json["seen"] == len((kept / "frames.jsonl").read_text().splitlines())


def changed(kept: Path, tmp_path: Path, **fields: Any) -> Path:
    replay = json.loads((kept / "replay.json").read_text())
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(replay | fields))
    return path


def test_a_replay_that_was_tampered_with_fails(run: Run, kept: Path, tmp_path: Path) -> None:
    ran = run("replay", "verify", changed(kept, tmp_path, seed="00" * 32))
    assert ran.code == FAILED
    assert "NOT as told. seed:" in ran.out


def test_a_frame_that_the_match_never_made_fails(run: Run, kept: Path, tmp_path: Path) -> None:
    first = json.loads((kept / "frames.jsonl").read_text().splitlines()[0])
    seen = tmp_path / "frames.jsonl"
    seen.write_text(json.dumps(first | {"frame": "gKFh"}) + "\n")
    assert run("replay", "verify", kept / "replay.json", "--seen", seen).code == FAILED


@pytest.mark.parametrize("fields", [{"game": "chess"}, {"rules": 99}, {"format": 99}])
def test_a_replay_of_rules_that_are_not_here_cannot_be_checked(
    run: Run, kept: Path, tmp_path: Path, fields: dict[str, Any]
) -> None:
    for command in ("verify", "show"):
        run("replay", command, changed(kept, tmp_path, **fields)).complained(UNCHECKED, "")


def test_what_is_no_replay_is_said_to_be_none(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "replay.json"
    path.write_text('{"format": 1}')
    for command in ("verify", "show"):
        run("replay", command, path).complained(USAGE, "is no replay")


def test_a_replay_is_told_as_each_audience_saw_it(run: Run, kept: Path) -> None:
    public = run("replay", "show", kept / "replay.json").out
    seat = run("replay", "show", kept / "replay.json", "--seat", "0").out
    assert "Ada takes seat 0." in public
    assert "won" in public.splitlines()[-1]
    assert "(you)" in seat
    assert "(you)" not in public
    run("replay", "show", kept / "replay.json", "--seat", "7").complained(USAGE, "the match has seats 0 to 1")


def test_a_person_plays_and_resigns() -> None:
    with talking("play", "disciple", "--name", "Ann") as person:
        assert person.stdin is not None
        assert person.stdout is not None
        shown = read_until("Enter or silence", person.stdout)
        assert any("0: Ann  1: greedy (bot)" in line for line in shown)
        person.stdin.write("nonsense\nresign\n")
        person.stdin.flush()
        rest = read_until("greedy (bot) won", person.stdout)
        assert any("type one number" in line for line in rest)
        person.stdin.close()
        assert person.wait(60) == DONE


def test_a_spectator_sees_a_room_from_the_terminal(run: Run) -> None:
    with own_server() as url:
        with talking("play", "disciple", "--url", url, "--name", "Ann") as person:
            assert person.stdin is not None
            assert person.stdout is not None
            head = next(line for line in read_until("Enter or silence", person.stdout) if "  room " in line)
            with talking("watch", head.split("  room ")[1].split()[0], "--url", url) as spectator:
                assert spectator.stdout is not None
                assert "(you)" not in "".join(read_until("B D F H P symbols", spectator.stdout))
                person.stdin.write("resign\n")
                person.stdin.flush()
                read_until("greedy (bot) won", spectator.stdout)
                assert spectator.wait(60) == DONE
            person.stdin.close()
        run("watch", "nowhere", "--url", url).complained(USAGE, "no such room")


def test_two_people_meet_in_a_room() -> None:
    with talking("play", "disciple", "--name", "Ann", "--against", "people") as ann:
        assert ann.stdout is not None
        (invitation,) = read_until("others sit down with", ann.stdout)
        with talking(*invitation.split(": sanctum ")[1].split(), "--name", "Bob") as bob:
            assert bob.stdin is not None
            assert bob.stdout is not None
            read_until("The match begins.", ann.stdout)
            bob.stdin.write("say well met\nresign\n")
            bob.stdin.flush()
            read_until("Bob: well met", ann.stdout)
            read_until("Ann won", ann.stdout)
            read_until("Ann won", bob.stdout)
            assert bob.wait(60) == DONE
        assert ann.wait(60) == DONE


def _hear_interrupts() -> None:
    """Undo what a shell does to commands that it starts in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_stops_its_server(number: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "server", "play", "disciple"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "TMPDIR": str(tmp_path)}, preexec_fn=_hear_interrupts,
    ) as person:  # fmt: skip
        assert person.stdout is not None
        read_until("Enter or silence", person.stdout)
        (folder,) = tmp_path.glob("sanctum-*/data")
        person.send_signal(number)
        assert person.wait(60) == INTERRUPTED
    assert not folder.exists()
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_cannot_start_says_why() -> None:
    with pytest.raises(Stop, match="no server could be started") as caught, own_server(port="nonsense"):
        pass
    assert caught.value.code == UNAVAILABLE
    assert "SANCTUM_PORT" in caught.value.text


def test_settings_of_the_terminal_do_not_reach_a_server_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANCTUM_REDIS_URL", "redis://127.0.0.1:1")
    with own_server() as url:
        assert httpx.get(f"{url}/readyz").status_code == 200
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/readyz")


def test_a_second_server_on_the_same_folder_or_port_is_refused_in_one_line(tmp_path: Path) -> None:
    with own_server(data_dir=str(tmp_path)) as url:
        port = url.rpartition(":")[2]
        folder = sanctum("serve", "--port", "0", env={"SANCTUM_DATA_DIR": str(tmp_path)})
        taken = sanctum("serve", "--port", port, env={"SANCTUM_DATA_DIR": str(tmp_path / "other")})
    for ran, text in ((folder, "uses this data folder"), (taken, "choose another with --port")):
        assert ran.returncode == UNAVAILABLE
        assert text in ran.stderr.splitlines()[-1]
