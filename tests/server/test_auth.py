"""Accounts: which tokens are believed, what is said of the others, and where the secret is kept."""

from __future__ import annotations

import base64
import hmac
import itertools
import json
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from protocol.errors import Refused
from server.auth import LEEWAY_S, Account, Tokens, readable_name, signing_secret
from server.jwks import FRESH_S, PAUSE_S, KeyRing
from server.settings import Settings, read_settings

SECRET = b"0123456789abcdef0123456789abcdef"
PRIVATE = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PROVIDED = {
    "jwt_algorithm": "RS256", "jwks_url": "https://id.example/keys", "jwt_issuer": "https://id.example",
    "jwt_audience": "sanctum",
}  # fmt: skip


def signed(key: Any = SECRET, algorithm: str = "HS256", kid: str | None = None, **claims: Any) -> str:
    claims = {"sub": "ann", "exp": int(time.time()) + 3_600, **claims}
    given = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(given, key, algorithm, headers=None if kid is None else {"kid": kid})


def of_provider(kid: str = "one", **claims: Any) -> str:
    return signed(PRIVATE, "RS256", kid, **{"iss": PROVIDED["jwt_issuer"], "aud": "sanctum", **claims})


class Provider:
    """An identity provider that counts how often it is asked, and may be down."""

    def __init__(self, *kids: str) -> None:
        self.keys: list[dict[str, Any]] = [self.published(kid) for kid in kids]
        self.asked = 0
        self.down = False
        self.now = 0.0

    @staticmethod
    def published(kid: str, **more: Any) -> dict[str, Any]:
        return {**json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(PRIVATE.public_key())), "kid": kid, **more}

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        return httpx.Response(503) if self.down else httpx.Response(200, json={"keys": self.keys})

    def tokens(self, algorithm: str = "RS256") -> Tokens:
        ring = KeyRing(
            "https://id.example/keys", algorithm, transport=httpx.MockTransport(self.answer), clock=lambda: self.now
        )
        return Tokens(read_settings(**{**PROVIDED, "jwt_algorithm": algorithm}), SECRET, ring)


def plain(**given: Any) -> Tokens:
    return Tokens(read_settings(**given), SECRET)


async def reason(tokens: Tokens, token: str) -> str:
    with pytest.raises(Refused) as caught:
        await tokens.verify(token)
    assert caught.value.code == "unauthorized"
    assert caught.value.__cause__ is None
    assert token not in str(caught.value) or not token
    return str(caught.value.details["reason"])


# ---- guests ----------------------------------------------------------------------------------------------------


async def test_a_guest_comes_back_as_the_same_account() -> None:
    tokens = plain(token_h=2)
    token, account = tokens.issue_guest("Ann")
    assert account == await tokens.verify(token)
    assert account.guest
    assert account.name == "Ann"
    assert account.scopes == frozenset()
    assert 0 < account.expires_at - time.time() * 1_000 <= 2 * 3_600_000


def test_no_two_guests_are_one_account() -> None:
    tokens = plain()
    assert len({tokens.issue_guest("Ann")[1].id for _ in range(100)}) == 100


async def test_guests_keep_their_tokens_beside_a_provider() -> None:
    provider = Provider("one")
    tokens = provider.tokens()
    token, account = tokens.issue_guest("Ann")
    assert await tokens.verify(token) == account
    assert provider.asked == 0


async def test_guests_tokens_bear_the_issuer_and_audience_that_are_asked_for() -> None:
    tokens = plain(jwt_issuer="me", jwt_audience="you")
    token, account = tokens.issue_guest("Ann")
    assert await tokens.verify(token) == account


# ---- the operator's own ----------------------------------------------------------------------------------------


async def test_a_token_of_the_own_secret_speaks_for_its_account_and_scopes() -> None:
    tokens = plain(jwt_issuer="me", jwt_audience="you")
    account = await tokens.verify(tokens.issue("olga", "Olga", ["operator", "watch"], 60))
    assert (account.id, account.name, account.guest) == ("olga", "Olga", False)
    assert account.scopes == {"operator", "watch"}
    assert 0 < account.expires_at - time.time() * 1_000 <= 60_000


async def test_a_token_of_the_own_secret_is_good_beside_a_provider() -> None:
    provider = Provider("one")
    tokens = provider.tokens()
    assert (await tokens.verify(tokens.issue("olga", "Olga", ["operator"], 60))).scopes == {"operator"}
    assert provider.asked == 0


@pytest.mark.parametrize("subject", ["", "guest-1", "a\nb", "x" * 129])
def test_no_token_is_signed_for_an_account_that_cannot_be(subject: str) -> None:
    with pytest.raises(ValueError, match="an account has"):
        plain().issue(subject, "Olga", (), 60)


async def test_who_is_not_admitted_is_refused_in_spite_of_a_good_token() -> None:
    tokens = plain()
    token, _ = tokens.issue_guest("Ann")

    async def nobody(account: Account) -> None:
        raise Refused("forbidden", account.name)

    tokens.admit = nobody
    with pytest.raises(Refused, match="Ann"):
        await tokens.verify(token)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("  Ann \n Lee ", "Ann Lee"),
        ("A\u202enn\u200b\x00", "Ann"),
        ("e\u0301", "\u00e9"),
        ("\U0001f409" * 50, "\U0001f409" * 40),
        ("a" * 39 + " b", "a" * 39),
    ],
)
def test_a_name_is_one_readable_line(given: str, shown: str) -> None:
    assert readable_name(given) == shown


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u200d", "\x00"])
def test_a_name_that_nobody_sees_is_refused(name: str) -> None:
    with pytest.raises(Refused, match="at least one letter"):
        plain().issue_guest(name)


# ---- tokens of the secret --------------------------------------------------------------------------------------


async def test_claims_become_an_account() -> None:
    end = int(time.time()) + 60
    account = await plain().verify(signed(name="Ann", scope="operator extra", exp=end))
    assert account == Account("ann", "Ann", frozenset({"operator", "extra"}), end * 1_000, False)


async def test_an_account_without_a_name_is_called_by_its_id() -> None:
    assert (await plain().verify(signed())).name == "ann"
    assert (await plain().verify(signed(name="\u200b"))).name == "ann"
    assert (await plain().verify(signed(name=["x"]))).name == "ann"


async def test_a_guest_has_no_scopes_whatever_is_signed() -> None:
    account = await plain().verify(signed(sub="guest-1", guest=True, scope="operator"))
    assert account.scopes == frozenset()


@pytest.mark.parametrize(
    ("token", "why"),
    [
        (signed(exp=int(time.time()) - LEEWAY_S - 1), "expired"),
        (signed(nbf=int(time.time()) + LEEWAY_S + 1_800), "not_yet_valid"),
        (signed(b"another-secret-another-secret-123"), "bad_signature"),
        (signed(exp=None), "missing_claim"),
        (signed(sub=None), "missing_claim"),
        (signed(SECRET * 2, "HS512"), "wrong_algorithm"),
        (signed("", "none"), "wrong_algorithm"),
        (signed(PRIVATE, "RS256"), "wrong_algorithm"),
        (signed(sub="guest-1"), "malformed"),
        (signed(sub="ann", guest=True), "malformed"),
        (signed(sub="a\nb"), "malformed"),
        (signed(sub=""), "malformed"),
        (signed(sub="a" * 129), "malformed"),
        (signed(exp=float("inf")), "malformed"),
        ("", "malformed"),
        ("a.b.c", "malformed"),
        ("\ud800.a.b", "malformed"),
        ("x" * 5_000, "malformed"),
        (base64.urlsafe_b64encode(b"[" * 1_500).decode() + ".e30.e30", "malformed"),
    ],
    ids=itertools.count(),  # a signed token differs from one process to the next
)
async def test_a_bad_token_is_refused_with_the_reason(token: str, why: str) -> None:
    assert await reason(plain(), token) == why


async def test_issuer_and_audience_are_checked_where_they_are_set() -> None:
    tokens = plain(jwt_issuer="me", jwt_audience="you")
    assert (await tokens.verify(signed(iss="me", aud=["you", "others"]))).id == "ann"
    assert await reason(tokens, signed(iss="other", aud="you")) == "wrong_issuer"
    assert await reason(tokens, signed(iss="me", aud="other")) == "wrong_audience"
    assert await reason(tokens, signed()) == "missing_claim"


async def test_a_clock_that_is_a_little_off_does_no_harm() -> None:
    assert (await plain().verify(signed(exp=int(time.time()) - LEEWAY_S + 20))).id == "ann"


# ---- tokens of a provider --------------------------------------------------------------------------------------


async def test_a_provider_speaks_for_its_accounts_and_is_asked_once() -> None:
    provider = Provider("one", "two")
    tokens = provider.tokens()
    for kid in ("one", "two", "one"):
        assert (await tokens.verify(of_provider(kid, name="Ann"))).name == "Ann"
    assert provider.asked == 1


async def test_a_provider_cannot_speak_for_guests() -> None:
    assert await reason(Provider("one").tokens(), of_provider(sub="guest-1", guest=True)) == "malformed"


async def test_a_public_key_is_no_secret_to_sign_with() -> None:
    public = PRIVATE.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","kid":"one"}').rstrip(b"=")
    body = base64.urlsafe_b64encode(json.dumps({"sub": "ann", "exp": 4_000_000_000}).encode()).rstrip(b"=")
    tag = base64.urlsafe_b64encode(hmac.digest(public, head + b"." + body, "sha256")).rstrip(b"=")
    assert await reason(Provider("one").tokens(), b".".join((head, body, tag)).decode()) == "wrong_algorithm"


async def test_a_provider_is_held_to_issuer_audience_and_algorithm() -> None:
    tokens = Provider("one").tokens()
    assert await reason(tokens, of_provider(iss="other")) == "wrong_issuer"
    assert await reason(tokens, of_provider(aud="other")) == "wrong_audience"
    assert await reason(tokens, signed(PRIVATE, "RS512", "one")) == "wrong_algorithm"
    assert await reason(tokens, of_provider(exp=1)) == "expired"


async def test_a_key_without_an_algorithm_serves_the_one_that_is_set() -> None:
    tokens = Provider("one").tokens("PS256")
    token = signed(PRIVATE, "PS256", "one", iss=PROVIDED["jwt_issuer"], aud="sanctum")
    assert (await tokens.verify(token)).id == "ann"


async def test_keys_for_other_ends_are_left_out() -> None:
    provider = Provider()
    provider.keys = [
        Provider.published("enc", use="enc"),
        Provider.published("other", alg="RS512"),
        {"kty": "oct", "kid": "oct", "k": base64.urlsafe_b64encode(SECRET).decode()},
        {"kty": "unheard", "kid": "odd"},
        Provider.published("one"),
    ]
    tokens = provider.tokens()
    assert (await tokens.verify(of_provider())).id == "ann"
    for kid in ("enc", "other", "oct", "odd"):
        assert await reason(tokens, of_provider(kid)) == "unknown_key"


async def test_made_up_key_ids_do_not_make_the_service_ask_again_and_again() -> None:
    provider = Provider("one")
    tokens = provider.tokens()
    for number in range(20):
        assert await reason(tokens, of_provider(f"made-up-{number}")) == "unknown_key"
    assert provider.asked == 1


async def test_a_new_key_is_found_after_a_pause() -> None:
    provider = Provider("one")
    tokens = provider.tokens()
    await tokens.verify(of_provider())
    provider.keys = [Provider.published("new")]
    assert await reason(tokens, of_provider("new")) == "unknown_key"
    provider.now += PAUSE_S
    assert (await tokens.verify(of_provider("new"))).id == "ann"


async def test_a_withdrawn_key_is_soon_forgotten() -> None:
    provider = Provider("one")
    tokens = provider.tokens()
    await tokens.verify(of_provider())
    provider.keys = [Provider.published("new")]
    provider.now += FRESH_S + 1
    assert await reason(tokens, of_provider()) == "unknown_key"


async def test_known_keys_outlive_a_provider_that_is_down() -> None:
    provider = Provider("one")
    tokens = provider.tokens()
    await tokens.verify(of_provider())
    provider.down = True
    provider.now += FRESH_S + 1
    assert (await tokens.verify(of_provider())).id == "ann"
    assert provider.asked == 2


async def test_a_provider_that_was_never_reached_is_no_fault_of_the_token() -> None:
    provider = Provider("one")
    provider.down = True
    with pytest.raises(Refused) as caught:
        await provider.tokens().verify(of_provider())
    assert caught.value.code == "unavailable"


# ---- the secret ------------------------------------------------------------------------------------------------


def kept_in(folder: Path) -> Settings:
    return read_settings(data_dir=folder)


def test_the_secret_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    settings = kept_in(tmp_path / "new" / "data")
    secret = signing_secret(settings)
    assert len(secret) >= 32
    assert signing_secret(settings) == secret
    assert stat.S_IMODE((settings.data_dir / "secret").stat().st_mode) == 0o600
    assert [path.name for path in settings.data_dir.iterdir()] == ["secret"]


def test_nodes_that_start_at_once_agree_on_one_secret(tmp_path: Path) -> None:
    settings = kept_in(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(lambda _: signing_secret(settings), range(32)))
    assert len(secrets) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_a_broken_secret_file_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"")
    with pytest.raises(OSError, match="remove it"):
        signing_secret(kept_in(tmp_path))


def test_a_secret_that_is_set_is_used_and_not_written(tmp_path: Path) -> None:
    assert signing_secret(read_settings(data_dir=tmp_path, secret=SECRET.decode())) == SECRET
    assert list(tmp_path.iterdir()) == []
