"""What a process that died left undone is taken up by whichever process looks first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.play.history import Broken
from app.play.journal import Unavailable
from app.play.table import Table
from app.rooms.room import RoomRefused
from app.rooms.service import Rooms
from app.rooms.starter import Starter

log = structlog.get_logger()

LOOK_SECONDS: Final = 15.0


class TakingUp:
    """Deals where the deadline has passed, and marks games that have ended.

    `find` finds a room's table. Two processes that do the same at once do no harm: rooms change one
    way only, and once.
    """

    def __init__(
        self, rooms: Rooms, starter: Starter, find: Callable[[UUID], Awaitable[Table | None]]
    ) -> None:
        self._rooms = rooms
        self._starter = starter
        self._find = find

    async def once(self) -> None:
        """Looks once. Raises SQLAlchemyError or OSError where the database does not answer."""
        await self._starter.resume()
        for room_id in await self._rooms.unmarked():
            with suppress(Broken, Unavailable, KeyError, RoomRefused):
                await self._mark(room_id)

    async def _mark(self, room_id: UUID) -> None:
        table = await self._find(room_id)
        # Its own process may have it in memory, and have found no database to mark it in.
        if table is not None and table.position.outcome is not None:
            await self._rooms.finish(room_id, table.position.outcome)

    async def run(self) -> None:
        """Looks now and then, until it is cancelled."""
        while True:
            try:
                await self.once()
            except (SQLAlchemyError, OSError) as error:
                log.info("nothing_taken_up", error=type(error).__name__)
            except Exception:
                log.exception("nothing_taken_up")
            await asyncio.sleep(LOOK_SECONDS)
