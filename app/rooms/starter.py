"""Deals at the deadline, also after a crash between the start and the deal."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from uuid import UUID

import structlog

from app.rooms.room import Room
from app.rooms.service import Rooms

log = structlog.get_logger()

RETRY_SECONDS = 1.0
"""Pause before the next try when the database does not answer."""
STOP_SECONDS = 1.0
"""How long a stop waits for those that just write."""


class Starter:
    """Holds a timer for each room that waits for its browsers' part of the shuffle."""

    def __init__(self, rooms: Rooms) -> None:
        """Listens to `rooms` from now on."""
        self._rooms = rooms
        self._timers: dict[UUID, asyncio.Task[None]] = {}
        rooms.listeners.append(self._changed)

    async def resume(self) -> None:
        """Takes up the rooms that another process, or this one before a crash, left waiting."""
        for room_id, until in await self._rooms.starting():
            self._set(room_id, until)

    async def stop(self) -> None:
        """Drops all timers; `resume` of the next process takes them up.

        One that waits for a database which does not answer is left behind.
        """
        timers = list(self._timers.values())
        for timer in timers:
            timer.cancel()
        if timers:
            await asyncio.wait(timers, timeout=STOP_SECONDS)

    def _changed(self, room: Room) -> None:
        if room.status == "starting":
            self._set(room.id, room.starting_until)
            return
        timer = self._timers.get(room.id)
        # The timer itself may be what changed the room just now.
        if timer is not None and timer is not asyncio.current_task():
            timer.cancel()

    def _set(self, room_id: UUID, until: datetime | None) -> None:
        if room_id not in self._timers:
            timer = asyncio.create_task(self._deal_at(room_id, until))
            self._timers[room_id] = timer
            timer.add_done_callback(lambda _: self._timers.pop(room_id, None))

    async def _deal_at(self, room_id: UUID, until: datetime | None) -> None:
        wait = 0.0 if until is None else (until - datetime.now(UTC)).total_seconds()
        wait = min(wait, self._rooms.reveal_seconds)  # more only where the clock was put back
        while True:
            await asyncio.sleep(max(wait, 0.0))
            wait = RETRY_SECONDS
            try:
                room = await self._rooms.deal(room_id)
            except Exception:
                log.exception("deal_failed", room=str(room_id))
                continue
            if room.status != "starting":
                return
            wait = 0.05
