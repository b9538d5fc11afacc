"""Packs of operators: which files count, whose they are, and all that is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from probe.packs import shipped

from engines.registry import games
from server.cli import main
from server.packs import BadPacks, read_packs

EMBERS = shipped()["embers"].decode()


def probe_pack(id_: str, **changes: str) -> str:
    text = EMBERS.replace('id = "embers"', f'id = "{id_}"')
    for old, new in changes.items():
        text = text.replace(old, new)
    return text


def shipped_source(game: str) -> str:
    return next(iter(games()[game].packs().values())).source.decode()


def faults(folder: Path) -> list[str]:
    with pytest.raises(BadPacks) as bad:
        read_packs(folder)
    return [fault.removeprefix(f"{folder}/") for fault in bad.value.faults]


def test_without_a_folder_there_are_none() -> None:
    assert read_packs(None) == {}


def test_packs_are_read_by_the_game_that_they_name(tmp_path: Path) -> None:
    (tmp_path / "coals.toml").write_text(probe_pack("coals"))
    (tmp_path / "saints.toml").write_text(shipped_source("patron").replace('id = "patron-core"', 'id = "our-saints"'))
    (tmp_path / ".unfinished.toml").write_text("no pack yet")
    (tmp_path / "notes.txt").write_text("no pack at all")
    found = read_packs(tmp_path)
    assert {game: list(packs) for game, packs in found.items()} == {"probe": ["coals"], "patron": ["our-saints"]}


@pytest.mark.parametrize(
    ("game", "old"), [("knights", 'id = "first-constellations"'), ("sanctuary", 'id = "wild_atlas"')]
)
def test_a_pack_of_every_game_may_name_it_or_lie_in_its_folder(tmp_path: Path, game: str, old: str) -> None:
    (tmp_path / game).mkdir()
    source = shipped_source(game)
    (tmp_path / game / "a.toml").write_text(source.replace(old, 'id = "ours"', 1))
    (tmp_path / "b.toml").write_text(source.replace(old, f'id = "theirs"\nruleset = "{game}"', 1))
    assert sorted(read_packs(tmp_path)[game]) == ["ours", "theirs"]


def test_every_fault_of_every_file_is_named_by_card_and_field(tmp_path: Path) -> None:
    (tmp_path / "coals.toml").write_text(probe_pack("coals", **{"worth = 3": "worth = 30", "worth = 4": "worth = 40"}))
    (tmp_path / "later.toml").write_text("[pack\n")
    (tmp_path / "saints.toml").write_text(
        shipped_source("patron").replace("bread", "bred", 1) + '\n[[grace]]\nid = "x"\n'
    )
    found = faults(tmp_path)
    assert found[:2] == [
        "coals.toml: coal: worth is 1 to 9, copies 1 to 99 (out_of_range)",
        "coals.toml: salamander: worth is 1 to 9, copies 1 to 99 (out_of_range)",
    ]
    assert found[2].startswith("later.toml: pack: ")
    assert len([fault for fault in found if fault.startswith("saints.toml: ")]) >= 2


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.toml", "x = 1", "pack: it does not say which game it is for"),
        ("a.toml", '[pack]\nruleset = "chess"', "pack: no game 'chess'; there are: "),
        ("chess/a.toml", "x = 1", "pack: no game 'chess'; there are: "),
        (
            "knights/a.toml",
            probe_pack("coals"),
            "pack: it is for probe, but lies in the folder of knights (wrong_game)",
        ),
        (
            "a.toml",
            probe_pack("embers"),
            "pack.id: embers is a pack that ships with probe; choose another id (id_taken)",
        ),
        ("a.toml", "#" * (1 << 20) + "\n", "pack: a pack has at most 1048576 bytes"),
    ],
)
def test_a_file_that_is_nobodys_or_not_its_own_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    (found,) = faults(tmp_path)
    assert found.startswith(f"{name}: {said}")


def test_two_files_may_not_bear_one_id(tmp_path: Path) -> None:
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text(probe_pack("coals"))
    assert faults(tmp_path) == ["b.toml: pack.id: coals is another file's pack for probe; choose another id (id_taken)"]


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadPacks, match="there is no such folder"):
        read_packs(tmp_path / "none")


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xff")
    (fault,) = faults(tmp_path)
    assert fault.startswith("a.toml: pack: 'utf-8' codec")


def test_the_server_does_not_start_and_names_every_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.toml").write_text(probe_pack("coals", **{"worth = 3": "worth = 30"}))
    (tmp_path / "b.toml").write_text("x = 1")
    monkeypatch.setenv("SANCTUM_PACKS_DIR", str(tmp_path))
    monkeypatch.setenv("SANCTUM_DATA_DIR", str(tmp_path / "data"))
    assert main(["serve", "--port", "0"]) == 2
    told = capsys.readouterr().err
    assert "coal: worth is 1 to 9, copies 1 to 99 (out_of_range)" in told
    assert "b.toml: pack: it does not say which game it is for" in told
    assert f"nothing was started: 2 faults in the packs of {tmp_path}" in told
    assert not (tmp_path / "data").exists()
