"""A proxy with TLS before a house, on a port and under a name that the house knows nothing of."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.browser.person import HOUSE_NAME


def _certificate(folder: Path) -> ssl.SSLContext:
    """Makes a certificate that nobody has signed, and how to serve with it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOUSE_NAME)])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    file = folder / "proxy.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


@asynccontextmanager
async def behind_tls(port: int, folder: Path) -> AsyncIterator[str]:
    """Runs a proxy before the house on `port` of this machine; returns the address outside."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            inner, outer = await asyncio.open_connection("127.0.0.1", port)
            outer.write(_told(head, writer.get_extra_info("peername")[0]))
            await asyncio.gather(_pass(reader, outer), _pass(inner, writer))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=_certificate(folder))
    async with server:
        yield f"https://{HOUSE_NAME}:{server.sockets[0].getsockname()[1]}"


def _told(head: bytes, address: str) -> bytes:
    """Returns a request's head with what a proxy adds: one request for each connection."""
    lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    host = next(line.partition(b":")[2].strip() for line in lines if line[:5].lower() == b"host:")
    if not any(line.lower().startswith(b"upgrade:") for line in lines):
        lines = [line for line in lines if not line.lower().startswith(b"connection:")]
        lines.append(b"Connection: close")
    lines.append(b"X-Forwarded-For: " + address.encode())
    lines.append(b"X-Forwarded-Proto: https")
    lines.append(b"X-Forwarded-Host: " + host)
    return b"\r\n".join(lines) + b"\r\n\r\n"


async def _pass(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()
    sink.close()
