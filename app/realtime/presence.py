"""Who is at a table: by an open socket, or by having looked at its page lately."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from uuid import UUID

from app.play.table import Table
from app.realtime.bus import Bus
from app.realtime.live import Live, seats_of, watching
from app.realtime.missing import Absences, Bounds
from app.realtime.newest import Newest
from app.realtime.roll import NOBODY, Attendance, Roll
from app.realtime.visits import Visits
from app.rooms.room import Room


class Presence:
    """Answers who is present in any room; `lives` are the rooms that somebody is connected to.

    `arrivals` are called with a running game's table when somebody has come to it.
    """

    def __init__(
        self, lives: Mapping[UUID, Live], bounds: Bounds, newest: Newest, bus: Bus
    ) -> None:
        self.visits = Visits(self._visited)
        self.absences = Absences(bounds)
        self.arrivals: list[Callable[[Table], None]] = []
        self._lives = lives
        self._newest = newest
        self._roll = Roll(bus, self._here, self._rooms, self._changed) if bus.remote else None

    def start(self) -> None:
        """Begins to tell other processes who is here."""
        if self._roll is not None:
            self._roll.start()

    def stop(self) -> None:
        """Tells them that nobody is here any more."""
        if self._roll is not None:
            self._roll.stop()

    def players(self, room: Room) -> frozenset[UUID]:
        """Returns the players who have the room open, or looked at its page lately."""
        return self._here(room.id).players | self.elsewhere(room.id).players

    def elsewhere(self, room_id: UUID) -> Attendance:
        """Returns who is at a room by other processes."""
        return self._roll.of(room_id) if self._roll is not None else NOBODY

    def watchers(self, room: Room) -> int:
        """Returns how many people without a seat are there."""
        live = self._lives.get(room.id)
        return live.watchers if live is not None else watching(room, self.elsewhere(room.id))

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
        """Tells whether somebody who plays for themselves is at the table, by this process."""
        here = self._here(table.room_id).players
        live = self._lives.get(table.room_id)
        if live is None:
            return bool(here)
        return bool(seats_of(live.room, here) - table.position.bots)

    def arrived(self, table: Table) -> None:
        """Tells that somebody has come to a running game."""
        for ear in self.arrivals:
            ear(table)

    def came_or_went(self, room_id: UUID) -> None:
        """Takes note that somebody came to a room here, or went."""
        if self._roll is not None:
            self._roll.came_or_went(room_id)

    def _here(self, room_id: UUID) -> Attendance:
        live = self._lives.get(room_id)
        connections = live.connections if live is not None else ()
        players = frozenset(each.player_id for each in connections if each.player_id is not None)
        nameless = sum(each.player_id is None for each in connections)
        return Attendance(players | self.visits.of(room_id), nameless)

    def _rooms(self) -> frozenset[UUID]:
        return frozenset(self._lives) | self.visits.rooms

    def _visited(self, room_id: UUID) -> None:
        self.came_or_went(room_id)
        self._changed(room_id)

    def _changed(self, room_id: UUID) -> None:
        live = self._lives.get(room_id)
        if live is not None:
            live.changed()
