"""Bounds on what a stranger can send: the size of a body, and how often something is done."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.proxies import header

_KEYS_KEPT = 50_000
_MOST_DIGITS = 20
_NO_MORE = {"connection": "close"}
"""The rest of the body is not read, so the connection is of no more use."""


class BodyLimit:
    """ASGI: ends a request whose body is longer than `most` bytes with 413 (0: no limit)."""

    def __init__(self, app: ASGIApp, *, most: int) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request; the exception becomes an answer further in."""
        if scope["type"] != "http" or not self._most or scope["method"] in {"GET", "HEAD"}:
            await self._app(scope, receive, send)
            return
        claimed = header(scope, b"content-length") or "0"
        known = claimed.isascii() and claimed.isdigit() and len(claimed) < _MOST_DIGITS
        too_long = not known or int(claimed) > self._most
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            if too_long:
                raise HTTPException(413, headers=_NO_MORE)
            message = await receive()
            if message["type"] == "http.request":
                seen += len(message.get("body", b""))
                if seen > self._most:
                    raise HTTPException(413, headers=_NO_MORE)
            return message

        await self._app(scope, counted, send)


class Rate:
    """At most `most` acts of one key in any `seconds`, refilled steadily (0: no limit)."""

    def __init__(
        self, most: int, seconds: float, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._each = seconds / most if most else 0.0
        self._span = seconds
        self._clock = clock
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def wait(self, key: str) -> float:
        """Counts one act of `key`, if it is within the limit, and returns 0.

        Otherwise returns the seconds until one more is.
        """
        if not self._most:
            return 0.0
        now = self._clock()
        full_at = max(self._full_at.get(key, now), now) + self._each
        over = full_at - (now + self._span)
        if over > 1e-9:
            return over
        self._full_at[key] = full_at
        self._full_at.move_to_end(key)
        if len(self._full_at) > _KEYS_KEPT:
            self._full_at.popitem(last=False)
        return 0.0

    def add(self, key: str, acts: int) -> None:
        """Counts `acts` more of a `key` that was counted just now, whether they are within it."""
        if self._most and key in self._full_at:
            self._full_at[key] += acts * self._each


class Crowd:
    """At most `most` of each key at once (0: no limit)."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._inside: Counter[str] = Counter()

    def enter(self, key: str) -> bool:
        """Counts one more of `key`, unless there are too many already."""
        if self._most and self._inside[key] >= self._most:
            return False
        self._inside[key] += 1
        return True

    def leave(self, key: str) -> None:
        """Counts one less of `key`."""
        self._inside[key] -= 1
        if not self._inside[key]:
            del self._inside[key]


def address_key(scope: Scope) -> str:
    """Returns what one household shares: its IPv4 address or its IPv6 /64 network."""
    client = scope.get("client")
    if not client:
        return "local"
    try:
        address = ip_address(client[0])
    except ValueError:
        return str(client[0])
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped or ip_network((address, 64), strict=False))
    return str(address)
