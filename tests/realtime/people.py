"""Players that speak HTTP and the JSON socket to a running house."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson
from websockets.asyncio.client import ClientConnection, connect

JSON = "motherlode.json.v1"
SECONDS = 10.0

Message = dict[str, Any]
_ids = itertools.count()


@dataclass
class Line:
    """One open socket, and everything it was sent."""

    socket: ClientConnection
    state: Message = field(default_factory=dict)
    heard: list[Message] = field(default_factory=list)

    async def hear(self, wanted: Callable[[Message], bool]) -> Message:
        """Returns the next message that is wanted; keeps the newest state on the way."""
        async with asyncio.timeout(SECONDS):
            while True:
                message: Message = orjson.loads(await self.socket.recv())
                self.heard.append(message)
                if message["t"] == "state":
                    self.state = message
                if wanted(message):
                    return message

    async def hear_state(self, v: int = -1) -> Message:
        """Returns the next state that is at least as new as `v`."""
        return await self.hear(lambda message: message["t"] == "state" and message["v"] >= v)

    async def hear_of(self, kind: str) -> Message:
        """Returns the next message of a kind."""
        return await self.hear(lambda message: message["t"] == kind)

    async def say(self, message: Any) -> None:
        """Sends one frame."""
        await self.socket.send(orjson.dumps(message).decode())

    async def quiet(self, seconds: float = 0.3) -> list[Message]:
        """Returns what comes within a while."""
        came: list[Message] = []
        try:
            async with asyncio.timeout(seconds):
                while True:
                    came.append(orjson.loads(await self.socket.recv()))
        except TimeoutError:
            return came

    @property
    def prompt(self) -> Message:
        """The question in the newest state."""
        prompt: Message = self.state["d"]["prompt"]
        return prompt

    async def move(self, *moves: Any, move_id: str | None = None, **more: Any) -> str:
        """Answers the newest question; returns the message's id."""
        chosen = move_id or f"m{next(_ids)}"
        message = {"t": "move", "id": chosen, "prompt": self.prompt["n"], "moves": list(moves)}
        await self.say(message | more)
        return chosen


@dataclass
class Person:
    """A player of the house at `url`: a program with a token, or a browser with cookies."""

    url: str
    token: str | None
    http: httpx.AsyncClient
    cookies: str | None = None

    async def post(self, path: str, body: Any = None) -> httpx.Response:
        """Sends a POST to the API."""
        return await self.http.post(f"{self.url}/api{path}", json=body, headers=self.headers)

    async def get(self, path: str) -> httpx.Response:
        """Sends a GET to the API."""
        return await self.http.get(f"{self.url}/api{path}", headers=self.headers)

    @property
    def headers(self) -> dict[str, str]:
        """The headers that say who this is."""
        if self.cookies is not None:
            return {"Cookie": self.cookies, "Origin": self.url}
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    @asynccontextmanager
    async def line(
        self,
        code: str,
        *,
        known: int | None = None,
        seat: int | None = None,
        protocol: str = JSON,
        **more: Any,
    ) -> AsyncIterator[Line]:
        """Opens a socket in a room and hears its first state."""
        address = self.url.replace("http", "ws", 1) + f"/rooms/{code}/socket"
        if known is not None:
            address += f"?v={known}"
        if seat is not None:
            address += f"&seat={seat}"
        async with connect(
            address,
            subprotocols=[protocol],  # type: ignore[list-item]
            additional_headers=self.headers,
            compression=None,
            **more,
        ) as socket:
            line = Line(socket)
            await line.hear_state()
            yield line


async def person(url: str, http: httpx.AsyncClient, name: str) -> Person:
    """Makes a player."""
    made = await http.post(f"{url}/api/players", json={"name": name})
    return Person(url, made.json()["token"], http)


async def started(people: list[Person], game: str, options: dict[str, Any] | None = None) -> str:
    """Seats the people in a new room, starts it, and returns its code."""
    host, *guests = people
    body = {"game": game, "seats": len(people), "options": options or {}}
    code: str = (await host.post("/rooms", body)).json()["code"]
    for guest in guests:
        (await guest.post(f"/rooms/{code}/seats")).raise_for_status()
    (await host.post(f"/rooms/{code}/start")).raise_for_status()
    return code
