"""The bus of several processes: a NATS server, or a cluster of them.

Losing it costs delay, never a move: without it processes find out from the database what others
did. So the house starts without it too, and connects when it comes.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

import orjson
import structlog

from app.realtime.bus import Ears, Hint, Message, News, Spoken
from app.realtime.nats_line import HOUSE, ROOM, TROUBLE, NatsLine

log = structlog.get_logger()

RETRY_SECONDS: Final = 0.5
"""Pause before the next try to connect."""
FOLLOW_SECONDS: Final = 1.0
"""How long somebody's arrival waits until a room is followed."""


class NatsBus:
    """Tells and hears other processes over NATS.

    `servers` are addresses as in `nats://user:password@host:4222`, with commas between them. See
    `Bus` for what the methods promise.
    """

    remote = True

    def __init__(self, servers: str) -> None:
        self.name = secrets.token_hex(8)
        self._servers = [server.strip() for server in servers.split(",")]
        self._ears = Ears()
        self.listen = self._ears.listen
        self._on_connect: list[Callable[[], None]] = []
        self._wanted: Counter[UUID] = Counter()
        self._line: NatsLine | None = None
        self._running: asyncio.Task[None] | None = None
        self._away = False
        self._tried = asyncio.Event()

    async def start(self) -> None:
        """Tries to connect, and goes on in the background."""
        self._running = asyncio.create_task(self._run(), name="bus")
        await self._tried.wait()

    async def stop(self) -> None:
        """Ends the connection."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    @property
    def connected(self) -> bool:
        """Whether others are heard now."""
        return self._line is not None and not self._line.lost.is_set()

    def on_connect(self, ear: Callable[[], None]) -> None:
        """Has `ear` called each time that others can be heard again, or for the first time."""
        self._on_connect.append(ear)

    def publish(self, message: Message) -> None:
        """Tells everyone who listens."""
        self._ears.hear(message)
        if self._line is not None:
            self._line.publish(*packed(message, self.name))

    async def follow(self, room_id: UUID) -> None:
        """Has what others tell of a room heard here, until `unfollow` was called as often."""
        self._wanted[room_id] += 1
        line = self._line
        if line is None or line.lost.is_set() or line.followed(room_id):
            return
        # Who goes away while it is under way takes nothing from those who wait for the same.
        following = asyncio.create_task(_followed(line, room_id))
        await asyncio.wait({following}, timeout=FOLLOW_SECONDS)

    def unfollow(self, room_id: UUID) -> None:
        """Ends one `follow`."""
        self._wanted[room_id] -= 1
        if self._wanted[room_id] <= 0:
            del self._wanted[room_id]
            if self._line is not None:
                self._line.unfollow(room_id)

    def followed(self, room_id: UUID) -> bool:
        """Tells whether everything that others tell of a room is heard here now."""
        line = self._line
        return line is not None and not line.lost.is_set() and line.followed(room_id)

    async def _run(self) -> None:
        while True:
            try:
                await self._connect()
            except TROUBLE as trouble:
                if not self._away:
                    # Whoever starts a house without its bus shall read why others are late.
                    log.warning("bus_away", servers=self._places(), why=type(trouble).__name__)
                self._away = True
            except Exception:
                log.exception("bus_failed")
            self._tried.set()
            await asyncio.sleep(RETRY_SECONDS)

    async def _connect(self) -> None:
        """Serves one connection until it is lost."""
        line = await NatsLine.open(self._servers, f"motherlode {self.name}", self._heard)
        try:
            self._line = line
            await line.follow(self._wanted)
            self._away = False
            self._tried.set()
            log.info("bus_connected", servers=self._places())
            for ear in self._on_connect:
                ear()
            await line.lost.wait()
            log.warning("bus_lost", servers=self._places())
        finally:
            self._line = None
            await line.end()

    def _heard(self, payload: bytes) -> None:
        message = unpacked(payload)
        if message is not None:
            self._ears.hear(message)

    def _places(self) -> list[str]:
        """Returns the servers without the passwords that their addresses may have."""
        return [urlsplit(server).netloc.rpartition("@")[2] for server in self._servers]


async def _followed(line: NatsLine, room_id: UUID) -> None:
    with suppress(*TROUBLE):
        await line.follow([room_id])


def packed(message: Message, sender: str) -> tuple[str, bytes]:
    """Returns where a message goes, and how it is written: ids of the database's driver as text."""
    match message:
        case Hint(room_id, v, r):
            hint = {"p": sender, "room": str(room_id), "v": v, "r": r}
            return f"{ROOM}{room_id}", orjson.dumps(hint)
        case Spoken(room_id, line):
            spoken = {"p": sender, "room": str(room_id), "line": line}
            return f"{ROOM}{room_id}", orjson.dumps(spoken, default=str)
        case News(kind, facts):
            news = {"p": sender, "kind": kind, "facts": facts}
            return HOUSE, orjson.dumps(news, default=str)


def unpacked(payload: bytes) -> Message | None:
    """Reads a message; None for one that this version of the program does not know."""
    try:
        read: dict[str, Any] = orjson.loads(payload)
        match read:
            case {"p": str(sender), "kind": str(kind), "facts": dict(facts)}:
                return News(kind, facts, sender)
            case {"p": str(sender), "room": str(room), "line": dict(line)}:
                return Spoken(UUID(room), line, sender)
            case {
                "p": str(sender),
                "room": str(room),
                "v": int() | None as v,
                "r": int() | None as r,
            }:
                return Hint(UUID(room), v, r, sender)
    except ValueError:
        pass
    log.warning("bus_message_unknown", size=len(payload))
    return None
