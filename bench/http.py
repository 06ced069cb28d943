"""Just enough HTTP to set games up, over connections that are kept open."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

import orjson

_Open = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Answered(RuntimeError):
    """The server refused a request, with this status."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Api:
    """The HTTP API of the server at `url`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._where = urlsplit(url)
        self._free: list[_Open] = []

    async def post(self, path: str, body: dict[str, Any], token: str | None = None) -> Any:
        """Returns the JSON of the answer to a POST; raises as `ask` does."""
        return orjson.loads(await self.ask("POST", path, body, token))

    async def ask(
        self, method: str, path: str, body: dict[str, Any] | None = None, token: str | None = None
    ) -> bytes:
        """Returns the body of an answer.

        Raises `Answered` for any status but 2xx, OSError or EOFError without an answer.
        """
        payload = b"" if body is None else orjson.dumps(body)
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self._where.netloc}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(payload)}\r\n"
        )
        if token is not None:
            head += f"Authorization: Bearer {token}\r\n"
        request = head.encode() + b"\r\n" + payload
        while self._free:
            # A connection that was kept may have been closed by the server in the meantime.
            try:
                return await self._exchange(self._free.pop(), path, request)
            except (ConnectionError, asyncio.IncompleteReadError):
                continue
        fresh = await asyncio.open_connection(self._where.hostname, self._where.port)
        return await self._exchange(fresh, path, request)

    def close(self) -> None:
        """Closes the connections that were kept."""
        for _, writer in self._free:
            writer.close()
        self._free.clear()

    async def _exchange(self, connection: _Open, path: str, request: bytes) -> bytes:
        reader, writer = connection
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = head.split(" ", 2)[1]
        length = next(
            int(line[15:]) for line in head.split("\r\n") if line.startswith("content-length:")
        )
        answer = await reader.readexactly(length)
        self._free.append(connection)
        if not status.startswith("2"):
            raise Answered(int(status), f"{path}: {status} {answer.decode(errors='replace')}")
        return answer
