"""Who is at a table: by an open socket, or by having looked at its page lately."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from uuid import UUID

from app.play.table import Table
from app.realtime.live import Live, seats_of
from app.realtime.missing import Absences, Bounds
from app.realtime.newest import Newest
from app.realtime.visits import Visits
from app.rooms.room import Room


class Presence:
    """Answers who is present in any room; `lives` are the rooms that somebody is connected to.

    `arrivals` are called with a running game's table when somebody has come to it.
    """

    def __init__(self, lives: Mapping[UUID, Live], bounds: Bounds, newest: Newest) -> None:
        self.visits = Visits(self._visited)
        self.absences = Absences(bounds)
        self.arrivals: list[Callable[[Table], None]] = []
        self._lives = lives
        self._newest = newest

    def players(self, room: Room) -> frozenset[UUID]:
        """Returns the players who have the room open, or looked at its page lately."""
        live = self._lives.get(room.id)
        connected = {each.player_id for each in live.connections} if live is not None else set()
        return frozenset(one for one in connected if one) | self.visits.of(room.id)

    def seats(self, room: Room) -> frozenset[int]:
        """Returns the seats that those players hold now."""
        return seats_of(self._newest(room), self.players(room))

    def missing(self, room: Room, table: Table | None) -> Mapping[int, bool]:
        """Returns which seats are missing now, each with whether its time is over."""
        room = self._newest(room)
        return self.absences.missing(room, table, self.seats(room))

    def long_away(self, room: Room) -> frozenset[int]:
        """Returns the seats whose players have been away for so long that they may be replaced."""
        room = self._newest(room)
        return self.absences.long(room, self.seats(room))

    def attended(self, table: Table) -> bool:
        """Tells whether somebody who plays for themselves is at the table."""
        live = self._lives.get(table.room_id)
        if live is None:
            return bool(self.visits.of(table.room_id))
        return bool(live.online - table.position.bots)

    def arrived(self, table: Table) -> None:
        """Tells that somebody has come to a running game."""
        for ear in self.arrivals:
            ear(table)

    def _visited(self, room_id: UUID) -> None:
        live = self._lives.get(room_id)
        if live is not None:
            live.changed()
