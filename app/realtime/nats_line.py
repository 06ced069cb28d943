"""One connection to a NATS server, from its opening until it is lost. The next one is another."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import Final, Self
from uuid import UUID

import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error

log = structlog.get_logger()

HOUSE: Final = "motherlode.house"
ROOM: Final = "motherlode.room."

ANSWER_SECONDS: Final = 2.0
"""A server that has not answered for so long is gone, whatever the connection looks like."""
ASK_SECONDS: Final = 2.0
"""How often it is asked whether it is there."""
CONNECT_SECONDS: Final = 5.0
END_SECONDS: Final = 1.0
MOST_WAITING: Final = 10_000
"""Messages that wait to be sent; older ones go."""
AT_ONCE: Final = 100
"""Subscriptions, or messages, sent in one go before others get their turn on the loop."""

TROUBLE: Final = (Error, OSError, TimeoutError)


class NatsLine:
    """A connection on which the house's messages, and those of some rooms, are heard.

    `lost` is set when it is no more use. `hear` is called with each message.
    """

    def __init__(self, client: Client, hear: Callable[[bytes], None]) -> None:
        self.lost = asyncio.Event()
        self._client = client
        self._hear = hear
        self._rooms: dict[UUID, Subscription | None] = {}
        self._heard: set[UUID] = set()
        self._waiting: deque[tuple[str, bytes]] = deque(maxlen=MOST_WAITING)
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, servers: Sequence[str], name: str, hear: Callable[[bytes], None]) -> Self:
        """Connects to one of the servers. Raises one of `TROUBLE`."""
        client = Client()
        line = cls(client, hear)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                # Connecting again is for whoever has this line: it knows what was missed.
                await client.connect(
                    list(servers),
                    name=name,
                    no_echo=True,
                    allow_reconnect=False,
                    max_reconnect_attempts=1,
                    reconnect_time_wait=0,
                    error_cb=line._stumbled,
                    closed_cb=line._closed,
                )
                await client.subscribe(HOUSE, cb=line._message)
                await client.flush()
        except BaseException:
            await line.end()
            raise
        line._spawn(line._send())
        line._spawn(line._ask())
        return line

    async def end(self) -> None:
        """Closes the connection, however it is."""
        self.lost.set()
        for task in self._tasks:
            task.cancel()
        with suppress(*TROUBLE):
            async with asyncio.timeout(END_SECONDS):
                await self._client.close()

    def publish(self, subject: str, payload: bytes) -> None:
        """Has a message sent soon."""
        self._waiting.append((subject, payload))
        self._wake.set()

    def followed(self, room_id: UUID) -> bool:
        """Tells whether the server passes on what is told of a room."""
        return room_id in self._heard

    async def follow(self, rooms: Iterable[UUID]) -> None:
        """Subscribes to rooms; returns once the server has heard of it. Raises one of `TROUBLE`."""
        rooms = list(rooms)
        for at, room_id in enumerate(rooms):
            if room_id not in self._rooms:
                self._rooms[room_id] = None
                self._rooms[room_id] = await self._client.subscribe(
                    f"{ROOM}{room_id}", cb=self._message
                )
                if at % AT_ONCE == AT_ONCE - 1:
                    await asyncio.sleep(0)
        await self._flush()
        self._heard.update(room_id for room_id in rooms if self._rooms.get(room_id) is not None)

    def unfollow(self, room_id: UUID) -> None:
        """Ends the subscription to a room."""
        subscription = self._rooms.pop(room_id, None)
        self._heard.discard(room_id)
        if subscription is not None:
            self._spawn(self._unsubscribe(subscription))

    async def _unsubscribe(self, subscription: Subscription) -> None:
        with suppress(*TROUBLE):
            await subscription.unsubscribe()

    async def _flush(self) -> None:
        try:
            await self._client.flush(timeout=ANSWER_SECONDS)  # type: ignore[arg-type] # seconds
        except TROUBLE:
            self.lost.set()
            raise

    async def _send(self) -> None:
        with suppress(*TROUBLE):
            while True:
                await self._wake.wait()
                self._wake.clear()
                sent = 0
                while self._waiting:
                    subject, payload = self._waiting.popleft()
                    await self._client.publish(subject, payload)
                    sent += 1
                    if sent % AT_ONCE == 0:
                        await asyncio.sleep(0)
        self.lost.set()

    async def _ask(self) -> None:
        with suppress(*TROUBLE):
            while True:
                await asyncio.sleep(ASK_SECONDS)
                await self._flush()

    async def _message(self, message: Msg) -> None:
        try:
            self._hear(message.data)
        except Exception:
            log.exception("bus_message_failed", subject=message.subject)

    async def _stumbled(self, error: Exception) -> None:
        log.debug("bus_stumbled", why=type(error).__name__)

    async def _closed(self) -> None:
        self.lost.set()

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
