"""How an HTTP connection is read: what a stranger may send before the house has to answer it.

Uvicorn reads on until a request is whole: headers without an end, or requests by the thousand
before the first one is answered, would fill the memory of the house. Both end the connection here.
It also warns of every request that is none, so that strangers could fill the log.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from app.web.arriving import ArrivingProtocol

MOST_HEAD: Final = 32_768
"""Bytes that may come without bringing a request any further: an address and its headers."""
MOST_WAITING: Final = 8
"""Requests of one connection that may wait for the answer to an earlier one."""
_SLICE: Final = 16_384
_TEXT: Final = b"The address and the headers of this request are too long.\n"
_TOO_LONG: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: %d\r\nconnection: close\r\n\r\n%b" % (len(_TEXT), _TEXT)
)
_log = logging.getLogger("motherlode.http")
_log.setLevel(logging.ERROR)


class RequestProtocol(ArrivingProtocol):
    """Uvicorn's protocol of an HTTP connection; the house names it in its configuration."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = _log
        self._steps = 0
        self._without = 0

    def data_received(self, data: bytes) -> None:
        """Reads on, a piece at a time, until this is more than a request takes."""
        for at in range(0, len(data), _SLICE):
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            piece, steps = data[at : at + _SLICE], self._steps
            super().data_received(piece)
            if self.transport.get_protocol() is not self:
                # It is a socket now. The parser calls us, and we hold it: nobody would free both.
                self.parser = None  # type: ignore[assignment]  # as uvicorn does at the end
                return
            self._without = self._without + len(piece) if steps == self._steps else 0
            if self._without > MOST_HEAD:
                self._turn_away()
            elif len(self.pipeline) > MOST_WAITING:
                self.transport.abort()

    def on_headers_complete(self) -> None:
        """Notes that the request has got further."""
        self._steps += 1
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Notes that the request has got further."""
        self._steps += 1
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Notes that the request has got further."""
        self._steps += 1
        super().on_message_complete()

    def _turn_away(self) -> None:
        """Answers a head that does not end; one that follows a request under way is cut off."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(_TOO_LONG)
            self.transport.close()
        else:
            self.transport.abort()
