"""Clients that do not behave: they read nothing, send slowly, vanish, or hang up hard."""

from __future__ import annotations

import asyncio
import base64
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

_RESET = struct.pack("ii", 1, 0)


def handshake(url: str, code: str, protocol: str, token: str | None = None) -> bytes:
    """Returns the request that opens a socket in a room."""
    key = base64.b64encode(bytes(16)).decode()
    who = f"Authorization: Bearer {token}\r\n" if token else ""
    return (
        f"GET /rooms/{code}/socket HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n"
        f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n{who}"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Protocol: {protocol}\r\n\r\n"
    ).encode("latin-1")


def frame(text: str) -> bytes:
    """Returns a masked frame with a text of up to 125 bytes; the mask is zero."""
    body = text.encode()
    return bytes((0x81, 0x80 | len(body))) + bytes(4) + body


class Peer:
    """One bare TCP connection to a house."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self._writer = writer

    async def send(self, data: bytes) -> None:
        """Sends bytes."""
        self._writer.write(data)
        await self._writer.drain()

    def receive_little(self) -> None:
        """Has its system keep next to nothing of what comes and is not read."""
        connection = self._writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self._writer.transport.pause_reading()  # type: ignore[attr-defined]

    async def ended(self, seconds: float) -> bytes:
        """Returns what the house sent until it ended the connection. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            try:
                return await self.reader.read()
            except ConnectionError:
                return b""

    def hang_up(self) -> None:
        """Ends the connection with a reset, as a crash does."""
        if not self._writer.is_closing():
            connection = self._writer.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._writer.transport.abort()


@asynccontextmanager
async def reach(url: str, count: int) -> AsyncIterator[list[Peer]]:
    """Connects to a house, some times; hangs up hard at the end."""
    address, peers = urlsplit(url), list[Peer]()
    try:
        for _ in range(count):
            peers.append(Peer(*await asyncio.open_connection(address.hostname, address.port)))
        yield peers
    finally:
        for peer in peers:
            peer.hang_up()


class Wire:
    """Passes bytes on between clients and a house, until it is cut somewhere in between."""

    def __init__(self, url: str) -> None:
        self._target = urlsplit(url)
        self._ends: list[asyncio.StreamWriter] = []
        self._open = asyncio.Event()
        self._open.set()

    def cut(self) -> None:
        """Loses everything from now on, in both directions, without telling either end."""
        self._open.clear()

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[str]:
        """Yields the address of this end."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        try:
            host, port = server.sockets[0].getsockname()
            yield f"http://{host}:{port}"
        finally:
            for end in self._ends:
                end.transport.abort()
            self._open.set()
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(self._target.hostname, self._target.port)
        self._ends += [writer, back]
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65_536):
                await self._open.wait()
                writer.write(data)
        except ConnectionError:
            return
