"""How long an HTTP request may take to arrive.

Uvicorn waits for ever for the end of a request that has begun, and for the first one of a
connection. Whoever opens connections and sends a byte now and then would use up the house's files.
"""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_TEXT: Final = b"This request took too long to arrive. Send it again.\n"
_TOO_SLOW: Final = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: %d\r\nconnection: close\r\n\r\n%b" % (len(_TEXT), _TEXT)
)


class ArrivingProtocol(HttpToolsProtocol):
    """Uvicorn's protocol of an HTTP connection, which gives each request some time to arrive."""

    arrive_seconds = 30.0
    """From the opening of a connection, or the first byte of a later request, to its last byte."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Waits for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Waits for the rest of what begins."""
        self._wait()
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Waits for the rest of a request that came together with an earlier one."""
        self._wait()
        super().on_message_begin()

    def on_message_complete(self) -> None:
        """Waits no longer: the request is here."""
        self._come()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits for nothing any more."""
        self._come()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(self.arrive_seconds, self._end)

    def _come(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _end(self) -> None:
        """Says why, where no answer is under way, and ends the connection."""
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(_TOO_SLOW)
        self.transport.close()
