"""One socket: reads its messages in order, and has one writer and one pending state."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson
import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from app.games.contract import Json
from app.play.table import Refusal
from app.realtime.limits import Bucket
from app.realtime.live import Live
from app.realtime.protocol import HTML_PROTOCOL, BadMessage, Message, read_message, state

if TYPE_CHECKING:
    from app.realtime.hub import Hub

log = structlog.get_logger()

CLOSE_SECONDS = 5.0
CLOSE_BAD = 1007
CLOSE_TOO_FAST = 1008
CLOSE_ERROR = 1011
CLOSE_RESTART = 1012
MOST_WAITING = 64
"""Small messages that may wait for one socket; a client that reads nothing is closed."""


class Connection:
    """A viewer's socket in one room.

    The writer sends small messages first, then the newest state: a newer one replaces an unsent
    one, and the difference to what this socket last got is made when sending begins.
    """

    def __init__(
        self,
        hub: Hub,
        live: Live,
        socket: WebSocket,
        *,
        player_id: UUID | None,
        protocol: str,
        language: str,
        known: int | None,
    ) -> None:
        self.player_id = player_id
        self.html = protocol == HTML_PROTOCOL
        self.language = language
        self.awaited: tuple[int, str] | None = None
        self._hub = hub
        self._live = live
        self._socket = socket
        self._since = known if known is not None else live.v
        self._sent: dict[str, int] = {}
        self._layout: str | None = None
        self._pending = False
        self._small: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._bucket = Bucket(hub.settings.moves_per_second)

    def wake(self) -> None:
        """Has the newest state sent."""
        self._pending = True
        self._wake.set()

    def sync(self) -> None:
        """Has the full state sent."""
        self._sent = {}
        self.wake()

    def say(self, message: dict[str, Json]) -> None:
        """Has a small message sent, before the next state."""
        if len(self._small) >= MOST_WAITING:
            return
        self._small.append(orjson.dumps(message))
        self._wake.set()

    async def run(self) -> None:
        """Serves the socket until it ends."""
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (writer, reader):
                task.cancel()
            await asyncio.gather(writer, reader, return_exceptions=True)

    async def close(self, code: int, reason: str = "") -> None:
        """Closes the socket; `run` then ends."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._socket.close(code, reason)
        except (TimeoutError, RuntimeError, OSError, WebSocketDisconnect):
            pass

    # Reading

    async def _read(self) -> None:
        try:
            while True:
                received = await self._socket.receive()
                if received["type"] == "websocket.disconnect":
                    return
                if not self._bucket.take(time.monotonic()):
                    await self.close(CLOSE_TOO_FAST, "too many messages: slow down")
                    return
                text = received.get("text")
                if text is None:
                    await self.close(CLOSE_BAD, "expected text, not binary")
                    return
                try:
                    message = read_message(text)
                except BadMessage as bad:
                    self._refuse(Refusal("bad_message", {"detail": str(bad)}))
                    continue
                await self._handle(message)
        except (WebSocketDisconnect, OSError):
            return

    async def _handle(self, message: Message) -> None:
        try:
            await self._hub.handle(self, self._live, message)
        except Exception:
            log.exception("message_failed", room=self._live.room.code)
            self._refuse(Refusal("failed"), getattr(message, "id", None))

    def _refuse(self, refusal: Refusal, move_id: str | None = None) -> None:
        self._hub.refuse(self, self._live, refusal, move_id)

    # Writing

    async def _write(self) -> None:
        limit = self._hub.settings.send_seconds
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._small:
                    await self._send(self._small.popleft(), limit)
                if self._pending:
                    self._pending = False
                    message = self._state()
                    if message is not None:
                        await self._send(message, limit)
        except (WebSocketDisconnect, OSError, RuntimeError):
            return
        except TimeoutError:
            log.info("send_stuck", room=self._live.room.code)
            await self.close(CLOSE_RESTART)

    async def _send(self, message: bytes, limit: float) -> None:
        async with asyncio.timeout(limit):
            await self._socket.send({"type": "websocket.send", "text": message.decode()})

    def _state(self) -> bytes | None:
        """Makes the message that brings this socket up to date; None if nothing differs."""
        live = self._live
        try:
            content = self._html_content() if self.html else self._json_content()
        except Exception:
            # A view that cannot be drawn must harm neither the move nor other viewers.
            log.exception("view_not_drawn", room=live.room.code, v=live.v)
            self._refuse(Refusal("not_drawn"))
            return None
        ack = self._ack()
        if content is None and ack is None:
            return None
        self._since = live.v
        return state(live.v, live.room.r, ack, content or {"regions": {}})

    def _json_content(self) -> dict[str, Any]:
        return self._live.content(self._live.seat_of(self.player_id), self._since)

    def _html_content(self) -> dict[str, Any] | None:
        live = self._live
        seat = live.seat_of(self.player_id)
        layout = self._hub.layout(live.scene(seat, self.player_id))
        regions = live.regions(seat, self.player_id, self.language, self._hub.draw)
        if layout != self._layout:
            self._sent = {}
        changed = {
            name: html for name, html in regions.items() if self._sent.get(name) != hash(html)
        }
        if not changed and layout == self._layout:
            return None
        self._layout = layout
        self._sent = {name: hash(html) for name, html in regions.items()}
        return {"layout": layout, "regions": changed}

    def _ack(self) -> str | None:
        """Returns the id of this socket's own move if the state about to be sent answers it."""
        if self.awaited is None or self._live.table is None:
            return None
        seat, move_id = self.awaited
        if not self._live.table.accepted(seat, move_id):
            return None
        self.awaited = None
        return move_id
