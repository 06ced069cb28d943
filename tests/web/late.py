"""A socket whose door read the room a while ago: much may have changed before it is let in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import orjson
from starlette.types import Message
from starlette.websockets import WebSocket

from app.players.service import Player
from app.realtime.protocol import JSON_PROTOCOL
from app.rooms.room import Room
from app.web.house import House

SECONDS = 5.0


class LateSocket:
    """What such a socket was sent, and a way to say something on it."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[Message] = asyncio.Queue()
        self.sent: asyncio.Queue[Message] = asyncio.Queue()
        self.said.put_nowait({"type": "websocket.connect"})

    async def say(self, message: dict[str, Any]) -> None:
        """Sends one frame to the house."""
        text = orjson.dumps(message).decode()
        await self.said.put({"type": "websocket.receive", "text": text})

    async def next(self) -> Message:
        """Returns the next thing that the house did with the socket."""
        async with asyncio.timeout(SECONDS):
            return await self.sent.get()

    async def hear(self, kind: str) -> dict[str, Any]:
        """Returns the next message of a kind."""
        while True:
            message = await self.next()
            if message["type"] == "websocket.send":
                read: dict[str, Any] = orjson.loads(message["text"])
                if read["t"] == kind:
                    return read


@asynccontextmanager
async def joined(house: House, room: Room, player: Player | None) -> AsyncIterator[LateSocket]:
    """Lets a socket into a room that was read before, and serves it meanwhile."""
    line = LateSocket()
    socket = WebSocket({"type": "websocket"}, line.said.get, line.sent.put)
    serving = asyncio.create_task(
        house.hub.serve(
            socket, room, player, protocol=JSON_PROTOCOL, language="en", known=None, seat=None
        )
    )
    yield line
    await line.said.put({"type": "websocket.disconnect", "code": 1000})
    async with asyncio.timeout(SECONDS):
        await serving
