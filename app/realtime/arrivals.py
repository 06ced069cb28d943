"""What follows from somebody's being at a table: they are seen, and get back what is theirs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError

from app.realtime.attention import Attention
from app.realtime.background import Background
from app.realtime.deeds import come_back
from app.realtime.live import Live
from app.realtime.newest import Newest
from app.realtime.presence import Presence
from app.rooms.room import Room, RoomRefused
from app.rooms.service import Rooms


class Arrivals:
    """Notes who comes, by a socket or by a request."""

    def __init__(
        self,
        lives: Mapping[UUID, Live],
        rooms: Rooms,
        presence: Presence,
        attention: Attention,
        newest: Newest,
        *,
        background: Background,
    ) -> None:
        self._lives = lives
        self._rooms = rooms
        self._presence = presence
        self._attention = attention
        self._newest = newest
        self._background = background
        self._closing = False

    def close(self) -> None:
        """Counts nobody's looks any more: the house stops."""
        self._closing = True
        self._presence.visits.clear()

    def looked(self, room: Room, player_id: UUID) -> None:
        """Counts that somebody who holds a seat looked at the room's page.

        Whoever has a socket open is seen by that.
        """
        self._attention.seen(player_id)
        self.acted(room, player_id)

    def acted(self, room: Room, player_id: UUID) -> None:
        """Counts that somebody who holds a seat is there, by what a request did in their name."""
        room = self._newest(room)
        live = self._lives.get(room.id)
        connected = live is not None and any(
            connection.player_id == player_id for connection in live.connections
        )
        if room.seats_of(player_id) and not connected and not self._closing:
            self._presence.visits.note(room.id, player_id)
            self._close_links(room, player_id)

    def joined(self, live: Live, player_id: UUID | None) -> None:
        """Gives seats that bots play back to who has come, and has the other bots go on."""
        if live.table is None:
            return
        for seat in live.room.seats_of(player_id):
            self._background.spawn(come_back(live.table, seat))
        self._close_links(live.room, player_id)
        self._presence.arrived(live.table)

    def _close_links(self, room: Room, player_id: UUID | None) -> None:
        """Makes the links of seats worthless whose player found back without them."""
        if any(one.player_id == player_id and one.reopened is not None for one in room.people):
            self._background.spawn(self._close(room.id, room.seats_of(player_id)))

    async def _close(self, room_id: UUID, seats: tuple[int, ...]) -> None:
        with suppress(RoomRefused, SQLAlchemyError, OSError):
            await self._rooms.close_links(room_id, seats)
