"""How a socket's connection ends, and what of it is worth a line in the log.

Uvicorn only asks the transport to close, which waits until everything is sent. A peer that reads
nothing would keep its connection, and what waits for it, for as long as it likes. It also logs as
errors what any stranger can cause. Both are put right here.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Final

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

_AT_ONCE: Final = struct.pack("ii", 1, 0)
"""For SO_LINGER: closing forgets what the kernel has not sent yet, rather than keep it."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's protocol of a WebSocket; the house names it in its configuration."""

    abort_seconds = 5.0
    """How long a socket that is served no more may take to read what it was still sent."""

    _abort: asyncio.TimerHandle | None = None

    async def run_asgi(self) -> None:
        """Serves the socket, then ends its connection whether or not the peer reads."""
        try:
            await super().run_asgi()
        finally:
            self._abort_later()

    def keepalive_timeout(self) -> None:
        """Ends the connection of a peer that answered no ping."""
        super().keepalive_timeout()
        self._abort_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Notes the end of the connection."""
        super().connection_lost(exc)
        if self._abort is not None:
            self._abort.cancel()

    async def send(self, message: ASGISendEvent) -> None:
        """Sends one ASGI message; a handshake that was refused with an answer is complete."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True

    def send_receive_event_to_app(self) -> None:
        """Hands a whole message on; closes with 1007 for a text that is no UTF-8."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.send_close(1007)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    def _abort_later(self) -> None:
        if self._abort is None and not self.disconnected:
            self._abort = self.loop.call_later(self.abort_seconds, self._cut)

    def _cut(self) -> None:
        connection = self.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.transport.abort()
