"""Compression of answers. Ours are sent in one piece, so a compressor is made only where it pays.

Making one costs more than most small answers; Starlette's middleware makes one for each request.
"""

from __future__ import annotations

import gzip
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.proxies import header

COMPRESSED_FROM: Final = 1000
"""Bytes of an answer from which compressing it pays."""
_LEVEL: Final = 5
_KINDS: Final = ("text/", "application/json", "image/svg+xml")


class Compression:
    """ASGI: compresses answers of one piece for clients that say they can read that."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request. Sockets pass untouched."""
        if scope["type"] != "http" or "gzip" not in (header(scope, b"accept-encoding") or ""):
            await self._app(scope, receive, send)
            return
        start: Message = {}

        async def send_compressed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            if start:
                message = _compressed(start, message)
                await send(start)
                start = {}
            await send(message)

        await self._app(scope, receive, send_compressed)


def _compressed(start: Message, message: Message) -> Message:
    """Returns the first body message, compressed with its headers in `start` if that pays."""
    headers = MutableHeaders(scope=start)
    if not headers.get("content-type", "").startswith(_KINDS) or message.get("more_body"):
        return message
    headers.add_vary_header("Accept-Encoding")
    body = message.get("body", b"")
    if len(body) < COMPRESSED_FROM or "content-encoding" in headers:
        return message
    body = gzip.compress(body, _LEVEL, mtime=0)
    headers["content-encoding"] = "gzip"
    headers["content-length"] = str(len(body))
    return {**message, "body": body}
