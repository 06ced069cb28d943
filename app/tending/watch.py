"""What a serving process looks at in the database while games go on.

The host's commands are processes of their own: what they changed is found here within seconds.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.rooms.removal import Removal
from app.tending.announcements import Announcement, Announcements
from app.tending.processes import Processes

log = structlog.get_logger()

LOOK_SECONDS: Final = 2.0
"""How often is looked for announcements, and whether the rooms served here are still there."""
LEAVE_SECONDS: Final = 1.0
"""How long a stop tries to say that this process is gone."""
TELL_SECONDS: Final = 10.0
"""How often this process tells of itself."""


class Watch:
    """Looks now and then, and tells what it finds.

    `announced` is told of what is announced whenever it differs, None for nothing more; `rooms`
    returns the rooms that this process serves, `removed` is told of those that are gone; `counts`
    returns the open sockets and the tables in memory.
    """

    def __init__(
        self,
        announcements: Announcements,
        processes: Processes,
        removal: Removal,
        *,
        announced: Callable[[Announcement | None], None],
        rooms: Callable[[], Collection[UUID]],
        removed: Callable[[Collection[UUID]], Awaitable[None]],
        counts: Callable[[], tuple[int, int]],
    ) -> None:
        self.current: Announcement | None = None
        self._announcements = announcements
        self._processes = processes
        self._removal = removal
        self._announced = announced
        self._rooms = rooms
        self._removed = removed
        self._counts = counts
        self._gone: list[UUID] = []
        self._told = -math.inf

    async def look(self) -> None:
        """Looks once. Raises SQLAlchemyError or OSError where the database does not answer."""
        current = await self._announcements.current()
        if current != self.current:
            self.current = current
            self._announced(current)
        if time.monotonic() - self._told >= TELL_SECONDS:
            self._told = time.monotonic()
            await self._processes.tell(*self._counts())
        if self._gone:
            # What was on its way to the journal when the room went is there by now.
            await self._removal.wipe(self._gone)
        self._gone = await self._removal.gone(self._rooms())
        if self._gone:
            await self._removed(self._gone)

    async def run(self) -> None:
        """Looks until it is cancelled."""
        while True:
            try:
                with suppress(SQLAlchemyError, OSError):
                    await self.look()
            except Exception:
                log.exception("not_looked")
            await asyncio.sleep(LOOK_SECONDS)

    async def leave(self) -> None:
        """Says that this process serves no more, if the database takes it within a second."""
        with suppress(SQLAlchemyError, OSError):
            async with asyncio.timeout(LEAVE_SECONDS):
                await self._processes.leave()
