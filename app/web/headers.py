"""The headers that every answer carries: what a page may load, and who may keep it.

The policy allows nothing inline and nothing from elsewhere. Referrer-Policy is `same-origin`
rather than `no-referrer`: both tell other sites nothing, but with `no-referrer` browsers send
`Origin: null` with our own forms, and a form over plain http could not be told from a foreign one.
"""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.config import is_host
from app.web.proxies import header

PRIVATE = "private, no-store"
IMMUTABLE = "public, max-age=31536000, immutable"

_FIXED = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": (
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
        "microphone=(), midi=(), payment=(), usb=()"
    ),
    "x-frame-options": "DENY",
}
_ENCRYPTED = {"cross-origin-opener-policy": "same-origin"}
"""Sent over https only: over plain http browsers ignore it, and complain about it."""


def policy(host: str) -> str:
    """Returns the Content-Security-Policy for a page reached at `host`.

    The socket's address is spelled out because older browsers do not take it for 'self'.
    """
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"font-src 'self'; manifest-src 'self'; connect-src 'self' ws://{host} wss://{host}; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


class SecurityHeaders:
    """ASGI: refuses an impossible Host and adds the headers. Sockets pass untouched."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = header(scope, b"host") or "localhost"
        if not is_host(host):
            await PlainTextResponse("This host name cannot be right.", 400)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                encrypted = scope.get("scheme") == "https"
                for name, value in (_FIXED | (_ENCRYPTED if encrypted else {})).items():
                    headers[name] = value
                headers.setdefault("cache-control", PRIVATE)
                headers.setdefault("content-security-policy", policy(host))
            await send(message)

        await self._app(scope, receive, send_with_headers)
