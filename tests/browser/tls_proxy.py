"""A proxy with TLS before a house, on a port and under a name that the house knows nothing of."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from tests.browser.person import HOUSE_NAME
from tests.certificates import certificate


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

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(folder, HOUSE_NAME))
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
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
