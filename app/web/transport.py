"""How a socket's connection ends, what is too much on it, and what is worth a line in the log.

Uvicorn only asks the transport to close, which waits until everything is sent. A peer that reads
nothing would keep its connection, and what waits for it, for as long as it likes. It takes pings,
pieces of messages and tiny frames without end, and does not answer a handshake that cannot be read.
It also logs as errors what any stranger can cause. All of that is put right here.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from http import HTTPStatus
from typing import Final

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from app.realtime.connection import CLOSE_LOST, CLOSE_TOO_FAST
from app.realtime.limits import Bucket
from app.realtime.line import LINE

_AT_ONCE: Final = struct.pack("ii", 1, 0)
"""For SO_LINGER: closing forgets what the kernel has not sent yet, rather than keep it."""
PIECES_PER_SECOND: Final = 50
"""Frames of one socket that are no whole message: pings, pongs, pieces of messages."""
MOST_QUEUED: Final = 1_000
"""Messages that may wait for the house to read them. They come at once, or reading pauses."""
_SLICE: Final = 4_096
_TEXT: Final = 0x81
_UNREADABLE: Final = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class SocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's protocol of a WebSocket; the house names it in its configuration."""

    abort_seconds = 5.0
    """How long a socket that is served no more may take to read what it was still sent."""

    _abort: asyncio.TimerHandle | None = None
    _pieces: Bucket | None = None

    def data_received(self, data: bytes) -> None:
        """Reads on, a piece at a time, until it is too much."""
        for at in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[at : at + _SLICE])
            if self.queue.qsize() > MOST_QUEUED:
                self._end_flood()
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self._refuse_handshake()

    def handle_connect(self, event: Request) -> None:
        """Begins to serve a socket, which may write to its line at once."""
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.scope["extensions"][LINE] = {"line": self}

    def handle_cont(self, event: Frame) -> None:
        """Takes another piece of a message."""
        self._count_piece()
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answers a ping."""
        self._count_piece()
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Takes the answer to a ping."""
        self._count_piece()
        super().handle_pong(event)

    async def run_asgi(self) -> None:
        """Serves the socket, then ends its connection whether or not the peer reads."""
        try:
            await super().run_asgi()
        finally:
            del self.scope["extensions"][LINE]
            self._abort_later()

    def keepalive_timeout(self) -> None:
        """Ends the connection of a peer that answered no ping."""
        super().keepalive_timeout()
        self._abort_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Notes the end of the connection, and with which code it was closed, if with any."""
        told = self.conn.close_rcvd or self.conn.close_sent
        code = CLOSE_LOST if told is None else told.code
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
        super().connection_lost(exc)
        if self._abort is not None:
            self._abort.cancel()

    async def send(self, message: ASGISendEvent) -> None:
        """Sends one ASGI message; a handshake that was refused with an answer is complete."""
        if message["type"] == "websocket.send" and self.free():
            text = message.get("text")
            if text is not None:
                self.write(text.encode())
                return
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True

    def send_receive_event_to_app(self) -> None:
        """Hands a whole message on; closes with 1007 for a text that is no UTF-8."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                text = b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.send_close(1007)
                self.handle_parser_exception()
                return
            if self.queue.empty():
                # Reading pauses once a message waits behind another one, not for each of them.
                self.frames = []
                self.queue.put_nowait({"type": "websocket.receive", "text": text})
                return
        super().send_receive_event_to_app()

    def free(self) -> bool:
        """Tells whether a text can be written at once, as one frame with nothing done to it."""
        return (
            self.handshake_complete
            and not self.close_sent
            and not self.disconnected
            and self.writable.is_set()
            and self.conn.state is State.OPEN
            and not self.conn.extensions
        )

    def write(self, text: bytes) -> None:
        """Writes a text, while the line is `free`."""
        self.transport.write(_text_frame(text))

    def _count_piece(self) -> None:
        if self._pieces is None:
            self._pieces = Bucket(PIECES_PER_SECOND)
        if not self._pieces.take(self.loop.time()):
            self._end_flood()

    def _end_flood(self) -> None:
        if not self.handshake_complete:
            self.transport.abort()
        elif not self.close_sent and not self.transport.is_closing():
            self.conn.fail(CLOSE_TOO_FAST, "too many frames: slow down")
            self.handle_parser_exception()
            self._abort_later()

    def _refuse_handshake(self) -> None:
        self.handshake_complete = self.close_sent = True
        self.transport.write(b"".join(self.conn.data_to_send()) or _UNREADABLE)
        self.transport.close()

    def _abort_later(self) -> None:
        if self._abort is None and not self.disconnected:
            self._abort = self.loop.call_later(self.abort_seconds, self._cut)

    def _cut(self) -> None:
        connection = self.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.transport.abort()


def _text_frame(text: bytes) -> bytes:
    """Returns a whole text message of a server (RFC 6455, 5.2): final, not masked."""
    size = len(text)
    if size < 126:
        return bytes((_TEXT, size)) + text
    if size < 65_536:
        return struct.pack("!BBH", _TEXT, 126, size) + text
    return struct.pack("!BBQ", _TEXT, 127, size) + text
