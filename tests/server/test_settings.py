"""Settings: what the environment may say, and what is said about mistakes in it."""

from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path

import pytest

from server.settings import PREFIX, BadSettings, Settings, read_settings, unknown_variables, variable

SECRET = "0123456789abcdef0123456789abcdef"


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)


def test_nothing_set_gives_a_private_server_with_a_store_of_its_own() -> None:
    settings = read_settings()
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8080, 1)
    assert settings.data_dir == Path("data")
    assert settings.redis_url is None
    assert settings.secret is None
    assert settings.origins == ()


def test_the_environment_is_read_and_the_command_line_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANCTUM_PORT", "9000")
    monkeypatch.setenv("SANCTUM_HOST", "0.0.0.0")
    settings = read_settings(port=9001, host=None)
    assert (settings.host, settings.port) == ("0.0.0.0", 9001)


def test_an_empty_variable_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANCTUM_PORT", "")
    monkeypatch.setenv("SANCTUM_REDIS_URL", "")
    assert read_settings().port == 8080


def test_lists_are_split_at_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANCTUM_ORIGINS", "https://Play.example, http://localhost:5173,")
    monkeypatch.setenv("SANCTUM_TRUSTED_PROXIES", "10.0.0.0/8, ::1")
    settings = read_settings()
    assert settings.origins == ("https://play.example", "http://localhost:5173")
    assert settings.trusted_proxies == (ip_network("10.0.0.0/8"), ip_network("::1/128"))


@pytest.mark.parametrize("origin", ["play.example", "https://play.example/game", "ftp://play.example", "*", "https://"])
def test_what_is_no_origin_is_refused(monkeypatch: pytest.MonkeyPatch, origin: str) -> None:
    monkeypatch.setenv("SANCTUM_ORIGINS", origin)
    with pytest.raises(BadSettings, match="SANCTUM_ORIGINS"):
        read_settings()


def test_every_mistake_is_told_at_once_by_the_variables_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANCTUM_PORT", "many")
    monkeypatch.setenv("SANCTUM_WORKERS", "0")
    monkeypatch.setenv("SANCTUM_LOG_FORMAT", "xml")
    with pytest.raises(BadSettings) as caught:
        read_settings()
    assert [fault.split(":")[0] for fault in caught.value.faults] == [
        "SANCTUM_PORT", "SANCTUM_WORKERS", "SANCTUM_LOG_FORMAT",
    ]  # fmt: skip


def test_a_mistake_never_shows_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANCTUM_SECRET", "hunter2")
    monkeypatch.setenv("SANCTUM_REDIS_URL", "http://user:hunter3@store")
    with pytest.raises(BadSettings) as caught:
        read_settings()
    assert len(caught.value.faults) == 2
    assert "hunter" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_settings_do_not_print_their_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANCTUM_SECRET", SECRET)
    monkeypatch.setenv("SANCTUM_REDIS_URL", "redis://user:hunter3@store")
    settings = read_settings()
    assert SECRET not in repr(settings)
    assert "hunter3" not in repr(settings)
    assert settings.secret is not None
    assert settings.secret.get_secret_value() == SECRET


def test_an_outside_store_needs_a_secret_that_all_nodes_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANCTUM_REDIS_URL", "redis://store")
    with pytest.raises(BadSettings, match="SANCTUM_SECRET is needed"):
        read_settings()


def test_replicas_are_those_of_an_outside_store(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings().durability == "everysec"
    assert read_settings(durability="always").durability == "always"
    with pytest.raises(BadSettings, match="SANCTUM_REDIS_URL"):
        read_settings(durability="replicated")
    monkeypatch.setenv("SANCTUM_SECRET", SECRET)
    assert read_settings(durability="replicated", redis_url="cluster://store").durability == "replicated"


@pytest.mark.parametrize("scheme", ["redis", "rediss", "unix", "sentinel", "cluster"])
def test_each_kind_of_store_has_its_scheme(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    monkeypatch.setenv("SANCTUM_SECRET", SECRET)
    assert read_settings(redis_url=f"{scheme}://store:6379").redis_url is not None


def test_a_published_key_set_needs_algorithm_issuer_and_audience(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "https://id.example/keys"
    with pytest.raises(BadSettings, match="every SANCTUM_JWT_ALGORITHM but HS256"):
        read_settings(jwks_url=url)
    with pytest.raises(BadSettings, match="every SANCTUM_JWT_ALGORITHM but HS256"):
        read_settings(jwt_algorithm="RS256")
    with pytest.raises(BadSettings, match="SANCTUM_JWT_AUDIENCE"):
        read_settings(jwks_url=url, jwt_algorithm="RS256", jwt_issuer="https://id.example")
    assert read_settings(jwks_url=url, jwt_algorithm="RS256", jwt_issuer="i", jwt_audience="a").jwks_url == url


@pytest.mark.parametrize(
    ("url", "fine"),
    [
        ("http://id.example/keys", False),
        ("http://127.0.0.1:9/keys", True),
        ("http://[::1]/keys", True),
        ("http://localhost/keys", True),
        ("http://localhost.example/keys", False),
        ("file:///etc/keys", False),
    ],
)
def test_keys_are_fetched_in_the_open_from_this_machine_only(url: str, fine: bool) -> None:
    given = {"jwt_algorithm": "RS256", "jwt_issuer": "i", "jwt_audience": "a", "jwks_url": url}
    if fine:
        assert read_settings(**given).jwks_url == url
    else:
        with pytest.raises(BadSettings, match="SANCTUM_JWKS_URL"):
            read_settings(**given)


def test_a_mistyped_variable_is_met_with_the_nearest_name() -> None:
    strange = unknown_variables(
        {"SANCTUM_PROT": "1", "SANCTUM_PORT": "1", "sanctum_host": "", "SANCTUM_XYZZY": "", "A": ""}
    )
    assert strange == [("SANCTUM_PROT", "SANCTUM_PORT"), ("SANCTUM_XYZZY", None)]


def test_every_setting_is_explained_in_one_line() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert field.description.endswith("."), name
        assert len(field.description) <= 100, name


def test_settings_do_not_change_while_the_server_runs() -> None:
    settings = read_settings()
    with pytest.raises(ValueError, match="frozen"):
        settings.port = 1  # type: ignore[misc]
    assert PREFIX == "SANCTUM_"
