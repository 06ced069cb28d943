"""The newest known state of rooms, for whoever read one a while ago and has awaited since.

Every change of a room is told in this process. So a room that was read is as new as can be if no
newer one has been told since, and what is decided from it holds.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final
from uuid import UUID

from app.realtime.live import Live
from app.rooms.room import Room, RoomRefused

REMEMBERED_SECONDS: Final = 120.0
"""How long a change is remembered: longer than anybody takes from reading a room to using it."""


class Newest:
    """Rooms that changed lately; `lives` are those that somebody is connected to, always newest."""

    def __init__(
        self, lives: Mapping[UUID, Live], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._lives = lives
        self._clock = clock
        self._changed: OrderedDict[UUID, tuple[float, Room]] = OrderedDict()

    def note(self, room: Room) -> None:
        """Takes note of a room as it was changed, unless a newer one is known."""
        if self(room) is not room:
            return
        now = self._clock()
        self._changed[room.id] = now, room
        self._changed.move_to_end(room.id)
        while self._changed:
            changed, _ = next(iter(self._changed.values()))
            if now - changed < REMEMBERED_SECONDS:
                break
            self._changed.popitem(last=False)
        live = self._lives.get(room.id)
        if live is not None:
            live.room = room

    def __call__(self, room: Room) -> Room:
        """Returns the room as it is now, given how it was read at some time."""
        _, known = self._changed.get(room.id, (0.0, room))
        live = self._lives.get(room.id)
        if live is not None and live.room.r > known.r:
            known = live.room
        return known if known.r > room.r else room

    def may_still_look(self, room: Room, player_id: UUID | None, seat: int | None) -> Room:
        """Returns the room as it is now, where a player may still see what `seat` sees.

        `seat` is None for what a spectator sees. Raises `RoomRefused`: not_watching, not_seated.
        """
        newest = self(room)
        if not newest.may_look(player_id):
            raise RoomRefused("not_watching")
        seats = newest.seats_of(player_id)
        if seat is not None and seat not in seats:
            raise RoomRefused("not_seated", yours=list(seats))
        return newest
