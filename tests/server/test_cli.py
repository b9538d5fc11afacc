"""The command line: what every command says and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import jwt
import pytest

from engines.registry import game
from server.commands.ends import DONE, FAILED, MEANINGS, UNAVAILABLE, UNCHECKED, USAGE
from server.settings import PREFIX, Settings, variable
from tests.server.terminal import Run, run

__all__ = ["run"]

COMMANDS = (
    "serve",
    "demo",
    "play",
    "watch",
    "selfplay",
    "rules",
    "pack",
    "deck",
    "replay",
    "schema",
    "config",
    "doctor",
    "load",
    "new-game",
)
PACK = files("engines.disciple") / "pack" / "first_light.toml"
DECKS = files("engines.disciple") / "pack" / "decks.toml"


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.upper().startswith(PREFIX)]:
        monkeypatch.delenv(name)


# ---- help and usage --------------------------------------------------------------------------------------------


def test_help_lists_every_command_and_every_exit_code(run: Run) -> None:
    ran = run("--help")
    assert ran.code == DONE
    for command in COMMANDS:
        assert f" {command} " in ran.out
    for code, text in MEANINGS.items():
        assert f"{code}  {text}" in ran.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(run: Run, command: str) -> None:
    ran = run(command, "--help")
    assert ran.code == DONE
    assert f"Usage: sanctum {command}" in ran.out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("sing",), "No such command 'sing'. See: sanctum --help"),
        (("config", "--jsn"), "--json"),
        (("selfplay",), "Missing argument 'game'. See: sanctum selfplay --help"),
        (("selfplay", "disciple", "--matches", "0"), "See: sanctum selfplay --help"),
        (("schema", "--format", "xml"), "'xml'"),
        (("serve", "--port", "many"), "See: sanctum serve --help"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_met_with_one_line(
    run: Run, arguments: tuple[str, ...], text: str
) -> None:
    run(*arguments).complained(USAGE, text)


def test_no_command_at_all_shows_the_help(run: Run) -> None:
    ran = run()
    assert ran.code == USAGE
    assert "Usage: sanctum" in ran.out
    assert ran.err == ""


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "server", "schema"]
    ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (DONE, "")


# ---- config ----------------------------------------------------------------------------------------------------


def test_config_explains_every_setting_and_shows_no_secret(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANCTUM_SECRET", "0123456789abcdef0123456789abcdef")
    monkeypatch.setenv("SANCTUM_REDIS_URL", "redis://me:hunter2@store")
    ran = run("config")
    assert ran.code == DONE
    assert all(variable(field) in ran.out for field in Settings.model_fields)
    assert "hunter2" not in ran.out
    assert "0123456789abcdef" not in ran.out


def test_config_as_json_is_alone_on_stdout(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANCTUM_PORT", "9000")
    monkeypatch.setenv("SANCTUM_PROT", "9001")
    ran = run("config", "--json")
    rows = {row["name"]: row for row in ran.json}
    assert rows["SANCTUM_PORT"]["value"] == 9000
    assert rows["SANCTUM_PORT"]["set"]
    assert not rows["SANCTUM_HOST"]["set"]
    assert ran.err == "sanctum: warning: SANCTUM_PROT is not a setting; did you mean SANCTUM_PORT?\n"


def test_config_tells_every_mistake_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANCTUM_PORT", "many")
    monkeypatch.setenv("SANCTUM_WORKERS", "0")
    ran = run("config")
    ran.complained(USAGE, "SANCTUM_PORT")
    assert "SANCTUM_WORKERS" in ran.err


# ---- tokens ----------------------------------------------------------------------------------------------------


def test_a_token_is_signed_with_the_services_secret(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    secret = "0123456789abcdef0123456789abcdef"
    asked = ("token", "--sub", "olga", "--scope", "operator", "--ttl", "60")
    monkeypatch.setenv("SANCTUM_SECRET", secret)
    claims = jwt.decode(run(*asked).out.strip(), secret, ["HS256"])
    assert (claims["sub"], claims["scope"], claims["exp"] - claims["iat"]) == ("olga", "operator", 60)
    monkeypatch.delenv("SANCTUM_SECRET")
    monkeypatch.setenv("SANCTUM_DATA_DIR", str(tmp_path))
    run(*asked).complained(USAGE, "SANCTUM_SECRET")
    (tmp_path / "secret").write_text(secret)
    assert jwt.decode(run(*asked).out.strip(), secret, ["HS256"])["sub"] == "olga"
    run("token", "--sub", "guest-1").complained(USAGE, "--sub")


# ---- packs and decks -------------------------------------------------------------------------------------------


@pytest.fixture
def broken_pack(tmp_path: Path) -> Path:
    path = tmp_path / "broken.toml"
    text = (
        PACK.read_text()
        .replace('kind = "saint"', 'kind = "sinner"', 1)
        .replace('rarity = "common"', 'rarity = "odd"', 1)
    )
    path.write_text(text)
    return path


def test_a_pack_that_is_in_order_is_said_to_be(run: Run) -> None:
    ran = run("pack", "check", PACK)
    assert ran.code == DONE
    assert "in order" in ran.out
    checked = run("pack", "check", PACK, "--json").json
    assert (checked["ok"], checked["game"], checked["id"], checked["faults"]) == (True, "disciple", "first_light", [])


def test_every_fault_of_a_pack_is_told_by_card_and_field(run: Run, broken_pack: Path) -> None:
    ran = run("pack", "check", broken_pack)
    assert ran.code == FAILED
    assert "bede_the_venerable" in ran.out
    checked = run("pack", "check", broken_pack, "--json")
    assert checked.code == FAILED
    assert not checked.json["ok"]
    assert len(checked.json["faults"]) >= 2
    assert all(fault["where"] and fault["code"] and fault["text"] for fault in checked.json["faults"])
    assert f"{len(checked.json['faults'])} faults" in ran.out


def test_a_pack_may_be_judged_by_a_game_that_it_does_not_name(run: Run) -> None:
    ran = run("pack", "check", PACK, "--game", "probe", "--json")
    assert (ran.code, ran.json["game"]) == (FAILED, "probe")


def test_a_pack_that_names_no_game_or_an_unknown_one_cannot_be_checked(run: Run, tmp_path: Path) -> None:
    pack = tmp_path / "pack.toml"
    pack.write_text('[pack]\nid = "x"\n')
    run("pack", "check", pack).complained(USAGE, "does not say which game")
    pack.write_text('[pack]\ngame = "chess"\n')
    run("pack", "check", pack).complained(UNCHECKED, "no game 'chess'")
    pack.write_text("[pack\n")
    run("pack", "check", pack).complained(FAILED, "is no pack")
    pack.write_text("pack = 3\n")
    run("pack", "check", pack).complained(USAGE, "does not say which game")
    run("pack", "check", tmp_path / "none.toml").complained(USAGE, "No such file")
    run("pack", "check", tmp_path).complained(USAGE, "cannot read")


def test_a_pack_says_by_its_ruleset_what_it_is_for(run: Run, tmp_path: Path) -> None:
    pack = tmp_path / "pack.toml"
    pack.write_bytes(next(iter(game("patron").packs().values())).source)
    assert run("pack", "check", pack, "--json").json["game"] == "patron"


def ready_deck(name: str) -> list[dict[str, Any]]:
    return next(deck["cards"] for deck in tomllib.loads(DECKS.read_text())["deck"] if deck["name"] == name)


def test_a_legal_deck_is_said_to_be_in_json_and_in_toml(run: Run, tmp_path: Path) -> None:
    cards = ready_deck("scriptorium")
    (tmp_path / "deck.json").write_text(json.dumps(cards))
    (tmp_path / "deck.toml").write_text(
        "".join(f'[[deck]]\ncard = "{c["card"]}"\ncount = {c["count"]}\n' for c in cards)
    )
    for name in ("deck.json", "deck.toml"):
        ran = run("deck", "check", "disciple", tmp_path / name)
        assert ran.code == DONE
        assert "a legal deck" in ran.out


def test_all_violations_of_a_deck_are_told_at_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    path.write_text(json.dumps([{"card": "nobody", "count": 1}, {"card": "bede_the_venerable", "count": 9}]))
    ran = run("deck", "check", "disciple", path, "--json")
    assert ran.code == FAILED
    codes = {fault["code"] for fault in ran.json["faults"]}
    assert {"E_DECK_UNKNOWN_CARD", "E_DECK_SIZE", "E_DECK_COPIES"} <= codes
    told = run("deck", "check", "disciple", path)
    assert all(code in told.out for code in codes)


def test_decks_are_judged_by_the_pack_that_is_named(run: Run, tmp_path: Path, broken_pack: Path) -> None:
    path = tmp_path / "deck.json"
    path.write_text(json.dumps(ready_deck("scriptorium")))
    other = tmp_path / "other.toml"
    other.write_text(PACK.read_text().replace('key = "bede_the_venerable"', 'key = "bede_of_jarrow"'))
    assert run("deck", "check", "disciple", path, "--pack", "first_light").code == DONE
    assert "E_DECK_UNKNOWN_CARD" in run("deck", "check", "disciple", path, "--pack", other).out
    run("deck", "check", "disciple", path, "--pack", broken_pack).complained(UNCHECKED, "see: sanctum pack check")
    run("deck", "check", "disciple", path, "--pack", "none").complained(UNCHECKED, "there are: first_light")


def test_a_deck_that_cannot_be_read_or_is_not_wanted_is_no_verdict(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    path.write_text("{")
    run("deck", "check", "disciple", path).complained(USAGE, "is no JSON")
    run("deck", "check", "chess", path).complained(UNCHECKED, "no game 'chess'")
    run("deck", "check", "probe", path).complained(USAGE, "nobody brings a deck")


# ---- selfplay --------------------------------------------------------------------------------------------------


def test_selfplay_plays_the_same_matches_for_the_same_seed(run: Run) -> None:
    first, again, other = (
        run("selfplay", "probe", "--matches", "4", "--seed", seed, "--bots", "eager,random", "--json").json
        for seed in ("1", "1", "2")
    )
    for found in (first, again, other):
        del found["choices_per_s"], found["submit_p99_ms"]
    assert first == again
    assert first != other
    assert first["matches"] == 4
    assert list(first["wins"]) == ["eager", "random"]


def test_selfplay_tells_its_figures_in_words(run: Run) -> None:
    ran = run("selfplay", "disciple", "--matches", "1", "--bots", "random")
    assert ran.code == DONE
    for word in ("matches", "wins", "ends", "random"):
        assert word in ran.out


def test_selfplay_fails_when_a_match_breaks_what_must_hold(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from engines.registry import game

    monkeypatch.setattr(type(game("probe")), "check", lambda *_: ["a card is gone"])
    ran = run("selfplay", "probe", "--matches", "1")
    assert ran.code == FAILED
    assert "a card is gone" in ran.out


def test_selfplay_wants_bots_that_there_are_and_as_many_as_seats(run: Run) -> None:
    run("selfplay", "disciple", "--bots", "random,random,random").complained(USAGE, "2 to 2 seats")
    run("selfplay", "disciple", "--bots", "clever").complained(USAGE, "no bot 'clever'")
    run("selfplay", "chess").complained(UNCHECKED, "no game 'chess'")


# ---- rules -----------------------------------------------------------------------------------------------------


def test_rules_compares_a_game_with_what_it_says_of_itself(run: Run) -> None:
    ran = run("rules", "disciple", "--json")
    found = ran.json
    assert {"DI-4.1", "DI-7.1"} <= set(found["rules"])
    assert set(found["uncited"]) | set(found["unshown"]) <= set(found["rules"])
    assert ran.code == (FAILED if found["uncited"] or found["unshown"] or found["unknown"] else DONE)
    assert f"{len(found['rules'])} rules" in run("rules", "disciple").out


def test_rules_says_nothing_of_tests_that_are_not_here(run: Run) -> None:
    ran = run("rules", "probe", "--json")
    assert ran.json["rules"]
    assert ran.json["unshown"] is None
    assert "the tests are not here" in run("rules", "probe").out


def test_rules_without_a_page_cannot_be_checked(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("server.commands.rules.folder_of", lambda _: tmp_path)
    run("rules", "disciple").complained(UNCHECKED, "no RULES.md")
    run("rules", "chess").complained(UNCHECKED, "no game 'chess'")


def test_rules_that_nothing_cites_fail(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "RULES.md").write_text("- **DI-1.1** One.\n- **DI-1.2** Two.\n")
    (tmp_path / "play.py").write_text("# DI-1.1, DI-1.3\n")
    monkeypatch.setattr("server.commands.rules.folder_of", lambda _: tmp_path)
    ran = run("rules", "disciple", "--json")
    assert (ran.code, ran.json["uncited"], ran.json["unknown"]) == (FAILED, ["DI-1.2"], ["DI-1.3"])
    assert "cited, but no rules: DI-1.3" in run("rules", "disciple").out


# ---- schema ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "key", "value"),
    [
        ("jsonschema", "$schema", "https://json-schema.org/draft/2020-12/schema"),
        ("asyncapi", "asyncapi", "3."),
        ("openapi", "openapi", "3.1"),
    ],
)
def test_schema_prints_each_description(run: Run, form: str, key: str, value: str) -> None:
    ran = run("schema", "--format", form)
    assert ran.code == DONE
    assert ran.json[key].startswith(value)


def test_schema_prints_a_page_for_people(run: Run) -> None:
    assert run("schema", "--format", "markdown").out.startswith("# ")


# ---- the service -----------------------------------------------------------------------------------------------


def test_a_service_that_is_not_there_is_told_in_one_line(run: Run) -> None:
    for arguments in (("watch", "r1"), ("play", "disciple")):
        run(*arguments, "--url", "http://127.0.0.1:9").complained(UNAVAILABLE, "is the server running?")
        run(*arguments, "--url", "ftp://host").complained(USAGE, "no address of a service")


def test_serve_tells_mistakes_in_its_settings(run: Run) -> None:
    run("serve", "--port", "70000").complained(USAGE, "SANCTUM_PORT")
    run("serve", "--redis", "http://store").complained(USAGE, "redis://")
    run("serve", "--redis", "redis://store").complained(USAGE, "SANCTUM_SECRET is needed")


def test_the_page_lists_the_same_commands_and_exit_codes_as_the_help() -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
    for command in COMMANDS:
        assert f"`sanctum {command}" in page
    for code, text in MEANINGS.items():
        assert f"| {code} | {text[0].upper()}{text[1:]}. |" in page
