"""One server by TLS: its certificate is checked by the options of the address."""

from __future__ import annotations

import contextlib
import datetime
import ssl
from collections.abc import AsyncIterator
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from server.store import line, subscriber
from server.store.errors import Unavailable
from server.store.redis import Store
from tests.server.store.scene import Ear, Proxy, made, opened, until
from tests.valkey import Server

pytestmark = pytest.mark.usefixtures("one_server")


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for this host, signed by itself, and its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "store")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    paths[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain))
    return paths


@contextlib.asynccontextmanager
async def secured(server: Server, folder: Path) -> AsyncIterator[tuple[str, Path]]:
    """Put TLS before a server; gives its address and the certificate."""
    proof, key = certificate(folder)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(proof, key)
    async with Proxy(server.socket).serving(ssl=context) as port:
        yield f"rediss://127.0.0.1:{port}", proof


async def test_a_store_is_reached_by_tls(valkey_server: Server, tmp_path: Path) -> None:
    async with secured(valkey_server, tmp_path) as (url, proof), opened(f"{url}?ssl_ca_certs={proof}") as store:
        ear = Ear(store)
        await store.subscribe("room")
        await made(store)
        await until(lambda: ear.entries)
        assert await store.ready()


async def test_a_server_that_nobody_vouches_for_is_not_trusted(
    valkey_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (line, subscriber):
        monkeypatch.setattr(module, "WITHIN_S", 0.3)
    async with secured(valkey_server, tmp_path) as (url, _):
        with pytest.raises(Unavailable, match="certificate"):
            await Store.open(url)
        async with opened(f"{url}?ssl_cert_reqs=none") as store:
            await made(store)
