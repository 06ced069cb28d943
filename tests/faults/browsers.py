"""Browsers without a script: cookies, forms, and nothing else."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import httpx


class Browser:
    """One browser at the house: it keeps its cookies, and its forms come from our own pages."""

    def __init__(self, url: str, http: httpx.AsyncClient) -> None:
        self.url = url
        self.http = http

    async def look(self, path: str) -> httpx.Response:
        """Opens a page."""
        return await self.http.get(self.url + path)

    async def form(
        self, path: str, fields: Mapping[str, str] | None = None, **more: str
    ) -> httpx.Response:
        """Submits a form; redirects are not followed."""
        return await self.http.post(self.url + path, data={**(fields or {}), **more})

    @property
    def token(self) -> str | None:
        """The secret that this browser keeps in its cookie."""
        return self.http.cookies.get("motherlode")


@asynccontextmanager
async def browsers(
    url: str, count: int, *, verify: ssl.SSLContext | bool = True
) -> AsyncIterator[list[Browser]]:
    """Opens some browsers; `verify`: which certificates they take."""
    headers = {"sec-fetch-site": "same-origin", "accept": "text/html"}
    async with AsyncExitStack() as stack:
        yield [
            Browser(
                url,
                await stack.enter_async_context(
                    httpx.AsyncClient(timeout=20, headers=headers, verify=verify)
                ),
            )
            for _ in range(count)
        ]
