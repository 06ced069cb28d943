"""Counts requests and how long their answers take, by the pattern of their address."""

from __future__ import annotations

import time
from collections import Counter
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.measure import SECONDS, Histogram

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def pattern_of(scope: Scope) -> str:
    """Returns the pattern of a request's address (`/r/{code}`); empty for one that there is not."""
    return str(getattr(scope.get("route"), "path", ""))


class Requests:
    """What was asked of this house over HTTP: a finite number of counts, whatever is asked.

    `answers` counts by method, pattern of the address and status; `seconds` has how long answers
    took by method and pattern, until they were sent; `refusals` counts the codes of
    `app.web.errors.Problem`.
    """

    def __init__(self) -> None:
        self.answers: Counter[tuple[str, str, int]] = Counter()
        self.seconds: dict[tuple[str, str], Histogram] = {}
        self.refusals: Counter[str] = Counter()

    def note(self, scope: Scope, status: int, seconds: float) -> None:
        """Counts one request after its answer."""
        method = scope["method"] if scope["method"] in _METHODS else "other"
        pattern = pattern_of(scope)
        self.answers[method, pattern, status] += 1
        took = self.seconds.get((method, pattern))
        if took is None:
            took = self.seconds[method, pattern] = Histogram(SECONDS)
        took.add(seconds)


class Measured:
    """ASGI: has each request counted. Sockets pass untouched: what they do is counted elsewhere."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        # Who went away before there was an answer is counted as nginx does it.
        status = 499

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            requests: Requests = scope["app"].state.house.requests
            requests.note(scope, status, time.perf_counter() - begun)
