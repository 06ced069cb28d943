"""One socket: reads its messages in order, and has one pending state."""

from __future__ import annotations

import asyncio
import time
from contextvars import copy_context
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson
import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from app.games.contract import Json
from app.play.table import Refusal
from app.realtime.hands import COVERED, Hand, seat_shown
from app.realtime.kept import NOTHING
from app.realtime.line import line_of
from app.realtime.live import Live
from app.realtime.protocol import HTML_PROTOCOL, BadMessage, Message, read_message, state

if TYPE_CHECKING:
    from app.realtime.hub import Hub

log = structlog.get_logger()

CLOSE_SECONDS = 5.0
FAREWELL_SECONDS = 2.0
"""How long a socket that is closed in good order may take to read what it was still to be sent."""
CLOSE_LOST = 1006
"""What stands for a line that ended without a word; never sent."""
CLOSE_BAD = 1007
CLOSE_TOO_FAST = 1008
CLOSE_RESTART = 1012
CLOSE_GONE = 4010
"""The room has been cleared away."""
CLOSE_SIGNED_OUT = 4001
"""The device was taken away from its player: from now on its token is nobody's."""
CLOSE_UNWATCHED = 4003
"""Who has no seat here gets nothing more: connecting again is of no use."""
CLOSES = frozenset({*range(1000, 1016), CLOSE_GONE, CLOSE_SIGNED_OUT, CLOSE_UNWATCHED})
"""What a socket may be closed with, as RFC 6455 or we have it."""
MOST_WAITING = 32
"""Small messages that wait for one socket before it is read again."""


class Connection:
    """A viewer's socket in one room.

    Small messages are sent first, then the newest state: a newer one replaces an unsent one, and
    the difference to what this socket last got is made when sending begins. What the line takes at
    once is sent with all else of the same turn of the loop; for the rest there is the writer.
    """

    def __init__(
        self,
        hub: Hub,
        live: Live,
        socket: WebSocket,
        *,
        player_id: UUID | None,
        device_id: UUID | None,
        protocol: str,
        language: str,
        known: int | None,
        seat: int | None,
    ) -> None:
        self.player_id = player_id
        self.device_id = device_id
        self.html = protocol == HTML_PROTOCOL
        self.language = language
        self.awaited: tuple[int, str] | None = None
        self._hub = hub
        self._live = live
        self._socket = socket
        self._line = line_of(socket.scope)
        self._joined = live.v
        self._since = known if known is not None else live.v
        self._hand = Hand(seat, self._since)
        self._shown = NOTHING
        self._layout: tuple[str, int | None] | None = None
        self._told: tuple[int, int] | None = None
        self._pending = False
        self._small: list[bytes] = []
        self._due = False
        self._context = copy_context()
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        self._flushed: asyncio.Event | None = None
        self._ack: str | None = None
        self._farewell: tuple[int, str] | None = None
        self._writer: asyncio.Task[None] | None = None
        self._sending: float | None = None
        self._watchdog: asyncio.TimerHandle | None = None
        self._stuck = False
        self._bucket = hub.bucket(player_id)
        self._closed: int | None = None

    @property
    def closed(self) -> int:
        """The code with which the socket was closed, by whichever side did so first."""
        return CLOSE_LOST if self._closed is None else self._closed

    def wake(self) -> None:
        """Has the newest state sent."""
        self._pending = True
        self._send_soon()

    def take(self, seat: int | None) -> None:
        """Has another seat of the player shown from now on; None: the first one, or a covered page.

        A page of several seats is covered by itself once its seat is done and another is asked.
        """
        self._hand = Hand(seat, self._live.v)
        self.wake()

    def seat(self) -> int | None:
        """Returns the seat whose view this socket is sent, and for which its messages are."""
        live = self._live
        if not self.html:
            wished = live.seat_of(self.player_id, self._hand.seat)
            return live.seat_of(self.player_id) if wished is None else wished
        seat = seat_shown(self._hand, live.seats_of(self.player_id), live.table)
        if seat is None or live.table is None:
            self._hand = COVERED
        return seat

    def sync(self) -> None:
        """Has the full state sent."""
        self._shown = NOTHING
        self.wake()

    def say(self, message: dict[str, Json]) -> None:
        """Has a small message sent, before the next state."""
        self.pass_on(orjson.dumps(message))

    def pass_on(self, message: bytes) -> None:
        """Has a small message sent that is written out already, before the next state."""
        self._small.append(message)
        self._send_soon()

    def beat(self, message: dict[str, Json]) -> None:
        """Has a beat sent, unless something waits to be sent that tells as much."""
        if not self._small and not self._pending:
            self.say(message)

    def answered(self, move_id: str, *, accepted: bool) -> None:
        """Notes what became of the message in hand; an accepted one is acknowledged."""
        if accepted and self.awaited is not None:
            self._ack = move_id
            self.wake()
        self.awaited = None

    async def run(self) -> None:
        """Serves the socket until it ends."""
        writer = self._writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (writer, reader):
                task.cancel()
            await asyncio.gather(writer, reader, return_exceptions=True)
            # How it was cancelled holds what it was doing, and that us: nobody would free both.
            self._writer = None
            if self._watchdog is not None:
                self._watchdog.cancel()

    async def close(self, code: int, reason: str = "") -> None:
        """Closes the socket; `run` then ends."""
        self._note_closed(code)
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._socket.close(code, reason)
        except (TimeoutError, RuntimeError, OSError, WebSocketDisconnect):
            pass

    def _note_closed(self, code: int) -> None:
        if self._closed is None:
            self._closed = code

    async def finish(self, code: int, reason: str = "") -> None:
        """Has what waits sent, as far as that goes soon, and closes the socket."""
        self._farewell = (code, reason)
        self._wake.set()
        if self._writer is not None:
            await asyncio.wait({self._writer}, timeout=FAREWELL_SECONDS)
        await self.close(code, reason)

    # Reading

    async def _read(self) -> None:
        try:
            while True:
                received = await self._socket.receive()
                if received["type"] == "websocket.disconnect":
                    self._note_closed(received["code"])
                    return
                if self._hub.closing:
                    # Its sender asks again under the same name, once there is a house again.
                    continue
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
                else:
                    await self._handle(message)
                if len(self._small) >= MOST_WAITING:
                    self._flushed = asyncio.Event()
                    await self._flushed.wait()
        except (WebSocketDisconnect, OSError):
            return

    async def _handle(self, message: Message) -> None:
        try:
            await self._hub.inbox.handle(self, self._live, message)
        except Exception:
            log.exception("message_failed", room=self._live.room.code, seats=self._seats())
            self._refuse(Refusal("failed"), getattr(message, "id", None))

    def _refuse(self, refusal: Refusal, move_id: str | None = None) -> None:
        self._hub.refuse(self, self._live, refusal, move_id)

    def _seats(self) -> tuple[int, ...]:
        return self._live.room.seats_of(self.player_id)

    # Writing

    def _send_soon(self) -> None:
        if not self._due:
            self._due = True
            self._loop.call_soon(self._send_now, context=self._context)

    def _send_now(self) -> None:
        """Sends what waits, or leaves it to the writer."""
        self._due = False
        if not self._sent_at_once():
            self._wake.set()

    def _sent_at_once(self) -> bool:
        """Sends what waits as far as the line takes it now; returns whether that was all."""
        line = self._line
        # What is still being sent, and every farewell, has to be waited for.
        if line is None or self._sending is not None or self._farewell is not None:
            return False
        while self._small and line.free():
            line.write(self._small.pop(0))
        if self._small or not line.free():
            return False
        self._read_on()
        if self._pending:
            if not self._live.room.may_look(self.player_id):
                return False
            self._pending = False
            message = self._state()
            if message is not None:
                line.write(message)
        return True

    async def _write(self) -> None:
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._small:
                    await self._send(self._small.pop(0))
                self._read_on()
                if self._pending:
                    self._pending = False
                    if not self._live.room.may_look(self.player_id):
                        await self.close(CLOSE_UNWATCHED, "this table is not watched")
                        return
                    message = self._state()
                    if message is not None:
                        await self._send(message)
                    message = None  # a socket that only listens keeps no state
                if self._farewell is not None:
                    await self.close(*self._farewell)
                    return
        except (WebSocketDisconnect, OSError, RuntimeError):
            return
        except asyncio.CancelledError:
            if not self._stuck:
                raise
            log.info("send_stuck", room=self._live.room.code, seats=self._seats())
            await self.close(CLOSE_RESTART)

    def _read_on(self) -> None:
        """Has the socket read again, if that waited for small messages to be sent."""
        if self._flushed is not None:
            self._flushed.set()
            self._flushed = None

    async def _send(self, message: bytes) -> None:
        self._sending = self._loop.time()
        if self._watchdog is None:
            self._watch(self._sending)
        await self._socket.send({"type": "websocket.send", "text": message.decode()})
        self._sending = None

    def _watch(self, since: float) -> None:
        """Looks again once a message that was begun `since` then may be on its way no longer.

        One timer for many messages: a timeout around each costs more than sending it.
        """
        self._watchdog = self._loop.call_at(since + self._hub.settings.send_seconds, self._look)

    def _look(self) -> None:
        self._watchdog = None
        since = self._sending
        if since is None or self._writer is None:
            return
        if self._loop.time() < since + self._hub.settings.send_seconds:
            self._watch(since)
        else:
            self._stuck = True
            self._writer.cancel()

    def _state(self) -> bytes | None:
        """Makes the message that brings this socket up to date; None if nothing differs."""
        live = self._live
        try:
            return self._drawn(live)
        except Exception:
            # A view that cannot be drawn must harm neither the move nor other viewers.
            log.exception("view_not_drawn", room=live.room.code, seats=self._seats(), v=live.v)
            self._refuse(Refusal("not_drawn"))
            return None

    def _drawn(self, live: Live) -> bytes | None:
        content = self._html_content() if self.html else self._json_content()
        ack = self._acknowledged()
        # What changes nothing on this page still tells that it is up to date: a small message now
        # instead of the full state at the next beat.
        now = (live.v, live.room.r)
        if content is None and ack is None and now == self._told:
            return None
        self._since, self._told = live.v, now
        return state(live.v, live.room.r, ack, content or {"regions": {}})

    def _json_content(self) -> dict[str, Any]:
        live = self._live
        return live.content(self.seat(), self._since, self._joined, self.player_id)

    def _html_content(self) -> dict[str, Any] | None:
        live = self._live
        seat = self.seat()
        scene = live.scene(seat, self.player_id)
        # A board lies differently before each seat: another seat is another page.
        whose = seat if scene.shared else None
        layout = (self._hub.layout(scene), whose)
        same = layout == self._layout
        before = self._shown if same else NOTHING
        regions, self._shown = live.changes(
            seat, self.player_id, self.language, before, self._hub.draw
        )
        if not regions and same:
            return None
        self._layout = layout
        changed = {"layout": layout[0], "regions": regions}
        return {**changed, "seat": whose} if scene.shared else changed

    def _acknowledged(self) -> str | None:
        """Returns the id of this socket's newest move that the state about to be sent answers."""
        table = self._live.table
        if self.awaited is not None and table is not None and table.accepted(*self.awaited):
            self._ack, self.awaited = self.awaited[1], None
        ack, self._ack = self._ack, None
        return ack
