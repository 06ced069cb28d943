"""What changed in rooms, and telling it to those who are connected to them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError

from app.play.history import Broken
from app.play.journal import Unavailable
from app.play.table import Table
from app.play.tables import Tables
from app.realtime.background import Background
from app.realtime.bus import Bus, Hint
from app.realtime.live import Live
from app.realtime.newest import Newest
from app.rooms.room import Room, RoomRefused
from app.rooms.service import Rooms


class Changes:
    """Tells the bus what changes here, and hears from it what changed anywhere."""

    def __init__(
        self,
        lives: Mapping[UUID, Live],
        rooms: Rooms,
        tables: Tables,
        bus: Bus,
        newest: Newest,
        *,
        background: Background,
    ) -> None:
        self._lives = lives
        self._rooms = rooms
        self._tables = tables
        self._bus = bus
        self._newest = newest
        self._background = background
        bus.listen(Hint, self._heard)

    def of_table(self, table: Table) -> None:
        """Passes on that a game moved on."""
        self._bus.publish(Hint(table.room_id, v=table.v))

    def of_room(self, room: Room) -> None:
        """Passes on that a room changed."""
        self._newest.note(room)
        self._bus.publish(Hint(room.id, r=room.r))

    def renamed(self, player_id: UUID) -> None:
        """Has everybody told who sees a player that has another name now."""
        for live in self._lives.values():
            if live.room.seats_of(player_id):
                self._background.spawn(self._reread(live))

    def look_again(self, live: Live) -> None:
        """Looks again at a room that waits for its game, in the background."""
        self._background.spawn(self._refresh(live))

    def _heard(self, hint: Hint) -> None:
        """Has everybody in the room told."""
        live = self._lives.get(hint.room_id)
        if live is None:
            return
        if hint.r is None:
            live.moved()
        elif live.table is None and live.room.status == "running":
            self.look_again(live)
        else:
            live.changed()

    async def _refresh(self, live: Live) -> None:
        with suppress(Broken, RoomRefused, Unavailable, SQLAlchemyError, OSError):
            room = await self._rooms.by_id(live.room.id)
            table = await self._tables.get(live.room.id)
            if room.r <= live.room.r and table is live.table:
                return
            self._newest.note(room)
            if table is not None:
                live.table = table
            live.changed()

    async def _reread(self, live: Live) -> None:
        """Reads the names in a room again."""
        with suppress(RoomRefused, SQLAlchemyError, OSError):
            room = await self._rooms.by_id(live.room.id)
            if room.r >= live.room.r:
                live.room = room
                live.changed()
