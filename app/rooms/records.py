"""The record of a room's game, as much of it as the one who asks may have."""

from __future__ import annotations

from app.games.contract import Json
from app.games.registry import Registry
from app.play.history import follow, start
from app.play.journal import Journal
from app.play.opening import read_opening
from app.play.record import Cast, full_record, partial_record
from app.rooms.room import Room, RoomRefused
from app.rooms.service import Rooms


class Records:
    """Makes records from the journal."""

    def __init__(self, rooms: Rooms, journal: Journal, games: Registry) -> None:
        self._rooms = rooms
        self._journal = journal
        self._games = games

    async def of(self, room: Room, viewer: int | None) -> dict[str, Json]:
        """Returns the complete record once the game is over, before that the viewer's part.

        Whether it is over is found by playing it again, not by what the room says: the secret of
        a running game must leave through no door. Raises `RoomRefused("not_started")`, `Broken`
        where an entry no longer applies, `Unavailable` when the database does not answer.
        """
        entries = await self._journal.read(room.id)
        if not entries:
            raise RoomRefused("not_started")
        deal = read_opening(entries[0], await self._rooms.seed(room.id), self._games)
        position, first = start(deal)
        told = [first]
        for entry in entries[1:]:
            position, said = follow(position, entry)
            told.append(said)
        cast = Cast(
            names=tuple(person.name for person in room.people),
            hashes=tuple(person.hash for person in room.people),
            commitment=room.commitment,
        )
        if position.outcome is None:
            return partial_record(cast, entries, told, viewer)
        server_seed = await self._rooms.server_seed(room.id)
        return full_record(cast, entries, server_seed, position.outcome)
