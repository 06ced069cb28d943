"""Who is missing: asked, and away or silent for so long that the others may decide what to do.

Nobody loses by being away. From the moments that are worked out here the others at the table may
wait, let a bot play on, or end the game without a winner.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from app.play.clock import PATIENCE
from app.play.table import Table
from app.rooms.room import Room

ROOMS_KEPT: Final = 4096
"""Rooms of which it is remembered since when their players have been away."""
LONG: Final = timedelta(hours=1)
"""From this time for a move on, nobody is expected to stay: being away alone asks no question."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """After how long somebody is missing: away while asked, or silent where there is no clock."""

    away: timedelta = timedelta(minutes=2)
    silent: timedelta = PATIENCE


class Absences:
    """Since when the players of a room have had no page of it open."""

    def __init__(self, bounds: Bounds = Bounds()) -> None:
        self.bounds = bounds
        self._since: OrderedDict[UUID, dict[UUID, datetime]] = OrderedDict()

    def missing(
        self, room: Room, table: Table | None, present: Collection[int]
    ) -> Mapping[int, bool]:
        """Returns which seats are missing now, ascending, each with whether its time is over."""
        away = self.note(room, present)
        return {} if table is None else missing_now(table, away, self.bounds)

    def long(self, room: Room, present: Collection[int]) -> frozenset[int]:
        """Returns the seats whose players have been away for long, asked or not."""
        before = datetime.now(UTC) - self.bounds.away
        return frozenset(seat for seat, at in self.note(room, present).items() if at <= before)

    def note(self, room: Room, present: Collection[int]) -> Mapping[int, datetime]:
        """Takes note of which seats have a page open now; returns since when the others have not.

        Who was never seen counts from the first look at the room.
        """
        known = self._since.pop(room.id, {})
        self._since[room.id] = known
        if len(self._since) > ROOMS_KEPT:
            self._since.popitem(last=False)
        now = datetime.now(UTC)
        away: dict[int, datetime] = {}
        for person in room.seated:
            if person.seat in present:
                known.pop(person.player_id, None)
            else:
                away[person.seat] = known.setdefault(person.player_id, now)
        return away


def moments(
    table: Table, away: Mapping[int, datetime], bounds: Bounds
) -> Iterator[tuple[int, datetime, bool]]:
    """Yields from when on a seat is missing, and whether because its time is over.

    Time away counts from when the seat was asked at the earliest, and not at all where the others
    have given it more time.
    """
    if table.over or table.broken is not None:
        return
    position, times = table.position, table.times
    for seat in position.asked:
        since = times.since.get(seat)
        if since is None or seat in position.bots:
            continue
        yield seat, since + (times.limit or bounds.silent), True
        long = times.limit is not None and times.limit >= LONG
        if seat in away and seat not in times.waited and not long:
            yield seat, max(away[seat], since) + bounds.away, False


def judged(
    table: Table, away: Mapping[int, datetime], bounds: Bounds, now: datetime
) -> tuple[dict[int, bool], datetime | None]:
    """Returns the seats that are missing `now`, and when that will change by itself, if ever."""
    missing: dict[int, bool] = {}
    following: datetime | None = None
    for seat, at, late in moments(table, away, bounds):
        if at <= now:
            missing[seat] = missing.get(seat, False) or late
        elif following is None or at < following:
            following = at
    return dict(sorted(missing.items())), following


def missing_now(table: Table, away: Mapping[int, datetime], bounds: Bounds) -> dict[int, bool]:
    """Returns the seats that are missing now, ascending, each with whether its time is over."""
    return judged(table, away, bounds, datetime.now(UTC))[0]


class Vigil:
    """Watches over one room that somebody is connected to.

    `missing` is as of the last look; `changed` is called when it would be another one just because
    time went on.
    """

    def __init__(self, absences: Absences, changed: Callable[[], None]) -> None:
        self.missing: Mapping[int, bool] = {}
        self._absences = absences
        self._changed = changed
        self._next: datetime | None = None
        self._timer: asyncio.TimerHandle | None = None

    def look(
        self, room: Room, table: Table | None, present: Collection[int], *, on: bool = True
    ) -> None:
        """Looks again, after anything has changed; if `on`, also when time has gone on."""
        away = self._absences.note(room, present)
        now = datetime.now(UTC)
        self.missing, self._next = (
            ({}, None) if table is None else judged(table, away, self._absences.bounds, now)
        )
        if on and self._next is not None:
            self._wait(self._next, now)
        else:
            self.stop()

    def stop(self) -> None:
        """Winds the timer down."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def end(self) -> None:
        """Winds the timer down for good, and lets go of who was called."""
        self.stop()
        self._changed = lambda: None

    def _wait(self, until: datetime, now: datetime) -> None:
        """Has the timer go off then. An earlier one stays: most moves only put the moment off."""
        loop = asyncio.get_running_loop()
        at = loop.time() + (until - now).total_seconds() + 0.01
        if self._timer is not None:
            if self._timer.when() <= at:
                return
            self._timer.cancel()
        self._timer = loop.call_at(at, self._ring)

    def _ring(self) -> None:
        self._timer = None
        now = datetime.now(UTC)
        if self._next is not None and now < self._next:
            self._wait(self._next, now)
        else:
            self._changed()
