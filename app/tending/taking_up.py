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
from app.rooms.service import Rooms
from app.rooms.starter import Starter

log = structlog.get_logger()

LOOK_SECONDS: Final = 15.0


class TakingUp:
    """Deals where the deadline has passed, and has games marked that have ended.

    `find` finds a room's table: one that is loaded and over marks its room. Two processes that do
    the same at once do no harm: rooms change one way only, and once.
    """

    def __init__(
        self, rooms: Rooms, starter: Starter, find: Callable[[UUID], Awaitable[object]]
    ) -> None:
        self._rooms = rooms
        self._starter = starter
        self._find = find

    async def once(self) -> None:
        """Looks once. Raises SQLAlchemyError or OSError where the database does not answer."""
        await self._starter.resume()
        for room_id in await self._rooms.unmarked():
            with suppress(Broken, Unavailable, KeyError):
                await self._find(room_id)

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
