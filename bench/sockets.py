"""A WebSocket client as light as Python allows, so that the load does not measure itself.

Frames are masked with a key of zeros: valid, and the payload goes out as it is. On 127.0.0.1 there
is no proxy that masking would protect.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit

_TEXT = 0x81
_CLOSE = 0x88
_PING = 0x89
_PONG = 0x8A
_MASKED = 0x80
_SHORT = 126
_LONG = 127


class Socket(asyncio.Protocol):
    """One open socket. `heard` gets each text message as bytes, `lost` the reason of the end.

    `received` and `sent` count the bytes of TCP payload, the upgrade included.
    """

    def __init__(
        self, request: bytes, heard: Callable[[bytes], None], lost: Callable[[str], None]
    ) -> None:
        self.received = 0
        self.sent = 0
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._request = request
        self._heard = heard
        self._lost = lost
        self._buffer = b""
        self._closing = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for the upgrade."""
        self._transport = cast(asyncio.Transport, transport)
        self._write(self._request)

    def data_received(self, data: bytes) -> None:
        """Reads the answer to the upgrade, then frames."""
        self.received += len(data)
        self._buffer = self._buffer + data if self._buffer else data
        if not self.opened.done():
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                self.opened.set_exception(ConnectionError(head.decode(errors="replace")))
                return
            self._buffer = rest
            self.opened.set_result(None)
        self._read_frames()

    def connection_lost(self, error: Exception | None) -> None:
        """Tells the owner unless it closed the socket itself."""
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("closed before it was open"))
        elif not self._closing:
            self._lost(f"connection lost: {error or 'closed by the server'}")

    def send(self, text: bytes) -> None:
        """Sends a text message."""
        self._frame(_TEXT, text)

    def close(self) -> None:
        """Closes the socket in good order."""
        self._closing = True
        self._frame(_CLOSE, (1000).to_bytes(2, "big"))
        if self._transport is not None:
            self._transport.close()

    def cut(self) -> None:
        """Ends the connection at once, without a word."""
        self._closing = True
        if self._transport is not None:
            self._transport.abort()

    def _read_frames(self) -> None:
        data = self._buffer
        at, end = 0, len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == _SHORT:
                size, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif size == _LONG:
                size, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if end < start or end - start < size:
                break
            kind, at = data[at], start + size
            if kind == _TEXT:
                self._heard(data[start:at])
            elif kind == _PING:
                self._frame(_PONG, data[start:at])
            elif kind == _CLOSE and not self._closing:
                self._closing = True
                self._lost(f"closed by the server: {data[start:at]!r}")
        self._buffer = data[at:]

    def _frame(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        if size < _SHORT:
            head = bytes((kind, _MASKED | size, 0, 0, 0, 0))
        else:
            head = bytes((kind, _MASKED | _SHORT)) + size.to_bytes(2, "big") + bytes(4)
        self._write(head + payload)

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self.sent += len(data)
            self._transport.write(data)


async def open_socket(
    url: str,
    path: str,
    *,
    token: str,
    protocol: str,
    heard: Callable[[bytes], None],
    lost: Callable[[str], None],
) -> Socket:
    """Opens the socket at `path` of the server at `url`. Raises ConnectionError if refused."""
    where = urlsplit(url)
    key = base64.b64encode(os.urandom(16)).decode()
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {where.netloc}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Protocol: {protocol}\r\nAuthorization: Bearer {token}\r\n\r\n"
    )
    _, socket = await asyncio.get_running_loop().create_connection(
        lambda: Socket(request.encode(), heard, lost), where.hostname or "", where.port or 80
    )
    try:
        await socket.opened
    except asyncio.CancelledError:
        socket.close()
        raise
    return socket
