"""Clearing away what the rule of the house no longer keeps: a little at a time, in any process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import DateTime, Integer, bindparam, text
from sqlalchemy.exc import SQLAlchemyError

from app.database import Database
from app.rooms.removal import Removal

log = structlog.get_logger()

SWEEP_SECONDS: Final = 3600.0
"""How often is swept, the first time so long after the start."""
CLOCK_SECONDS: Final = 60.0
"""By how much the clock may have been set meanwhile: if by more, nothing is cleared away yet."""
AT_ONCE: Final = 100
"""Rooms, and players, that one statement removes."""
REST_SECONDS: Final = 0.2
"""Pause between two statements, for those who play."""
REMEMBERED: Final = timedelta(days=365)
"""How long the link of a removed room still says what happened."""

_MOMENT = DateTime(timezone=True)
# Ids were given in the order of coming, so the oldest players are looked at first.
_PLAYERS = text("""
    with due as (
        select id from players
        where seen_at < :before
            and not exists (select from room_seats where player_id = players.id)
            and not exists (select from rooms where host_id = players.id)
        order by id
        limit :most
        for update skip locked
    ), gone as (
        delete from players using due where players.id = due.id and seen_at < :before
        returning players.id
    ), devices as (
        delete from devices using gone where devices.player_id = gone.id
    ), codes as (
        delete from device_codes using gone where device_codes.player_id = gone.id
    ), subscriptions as (
        delete from push_subscriptions using gone where push_subscriptions.player_id = gone.id
    )
    select count(*) from gone
""").bindparams(bindparam("before", type_=_MOMENT), bindparam("most", type_=Integer()))

# A process drops the snapshot of a game that is over, unless it ends just then.
_SNAPSHOTS = text("""
    delete from snapshots using rooms where rooms.id = room_id and rooms.status = 'finished'
""")


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Sweep:
    """Removes rooms and players by the rule of `Keeping`.

    Two processes may sweep at once: each row is removed by one of them.
    """

    def __init__(
        self, database: Database, removal: Removal, *, now: Callable[[], datetime] = _utc_now
    ) -> None:
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._removal = removal
        self._now = now

    async def once(self) -> tuple[int, int]:
        """Sweeps until nothing is left to clear away; returns how many rooms and players went.

        Raises SQLAlchemyError or OSError where the database does not answer.
        """
        now = self._now()
        rooms = 0
        while removed := await self._removal.overdue(now, AT_ONCE):
            rooms += len(removed)
            await asyncio.sleep(REST_SECONDS)
        await self._removal.forget(now - REMEMBERED)
        async with self._engine.connect() as link:
            await link.execute(_SNAPSHOTS)
        players = await self._players(now)
        if rooms or players:
            log.info("swept", rooms=rooms, players=players)
        return rooms, players

    async def _players(self, now: datetime) -> int:
        _, before = self._removal.keeping.before(now)
        gone = 0
        while before is not None:
            async with self._engine.connect() as link:
                some = await link.scalar(_PLAYERS, {"before": before, "most": AT_ONCE})
            if not some:
                break
            gone += some
            await asyncio.sleep(REST_SECONDS)
        return gone

    async def run(self, every: float = SWEEP_SECONDS) -> None:
        """Sweeps now and then, until it is cancelled.

        By a wrong clock every room may look forgotten. So the first sweep leaves a host, or the
        network's time, a while to set it right, and after a jump the same while begins again.
        """
        while True:
            begun, ticks = self._now(), time.monotonic()
            await asyncio.sleep(every)
            elapsed = timedelta(seconds=time.monotonic() - ticks)
            if abs(self._now() - begun - elapsed) > timedelta(seconds=CLOCK_SECONDS):
                log.warning("not_swept", error="the clock was set")
                continue
            try:
                await self.once()
            except (SQLAlchemyError, OSError) as wrong:
                log.warning("not_swept", error=type(wrong).__name__)
            except Exception:
                log.exception("not_swept")
