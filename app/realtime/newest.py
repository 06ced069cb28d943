"""The newest known state of rooms, for whoever read one a while ago and has awaited since.

Every change that this process makes is told in it. So where it is alone, a room that was read is as
new as can be if no newer one has been told since, and what is decided from it holds. What others
change is heard a moment later, and of rooms that nobody is connected to not at all: who may see
something, or whose seat it is, is then asked of the database (`sure`).
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Final
from uuid import UUID

from app.realtime.live import Live
from app.rooms.room import Room, RoomRefused

REMEMBERED_SECONDS: Final = 120.0
"""How long a change is remembered: longer than anybody takes from reading a room to using it."""


Ask = Callable[[Room], Awaitable[Room]]
"""Returns a room as the database has it now; raises RoomRefused, SQLAlchemyError, OSError."""


class Newest:
    """Rooms that changed lately; `lives` are those that somebody is connected to.

    `ask` is for a house with several processes.
    """

    def __init__(
        self,
        lives: Mapping[UUID, Live],
        ask: Ask | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lives = lives
        self._ask = ask
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
        """Returns the room as it is known to be now, given how it was read at some time."""
        _, known = self._changed.get(room.id, (0.0, room))
        live = self._lives.get(room.id)
        if live is not None and live.room.r > known.r:
            known = live.room
        return known if known.r > room.r else room

    async def sure(self, room: Room) -> Room:
        """Returns the room as it is now, whoever changed it.

        With several processes it raises `RoomRefused` (unknown_room), SQLAlchemyError, OSError.
        """
        newest = self(room)
        if self._ask is None:
            return newest
        found = await self._ask(newest)
        live = self._lives.get(room.id)
        if live is not None:
            live.learn(found)
        self.note(found)
        return self(found)

    async def may_still_look(self, room: Room, player_id: UUID | None, seat: int | None) -> Room:
        """Returns the room as it is now, where a player may still see what `seat` sees.

        `seat` is None for what a spectator sees. Raises `RoomRefused`: not_watching, not_seated;
        and as `sure` does.
        """
        newest = await self.sure(room)
        if not newest.may_look(player_id):
            raise RoomRefused("not_watching")
        seats = newest.seats_of(player_id)
        if seat is not None and seat not in seats:
            raise RoomRefused("not_seated", yours=list(seats))
        return newest
