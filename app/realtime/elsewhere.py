"""What other processes changed, as the database has it: for whoever cannot wait to be told."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import Uuid, bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY

from app.database import Database
from app.direct import Statement
from app.rooms.models import RoomRow
from app.rooms.room import Room
from app.rooms.service import Rooms

_VERSIONS: Final = Statement(
    text("""
    select id, r,
        coalesce(
            (select seq from journal where room_id = rooms.id order by seq desc limit 1), -1
        ) as v,
        (select id from chat where room_id = rooms.id order by id desc limit 1) as line,
        array(
            select coalesce(room_seats.name, players.name)
            from room_seats left join players on players.id = room_seats.player_id
            where room_seats.room_id = rooms.id order by room_seats.seat
        ) as names
    from rooms where id = any(:ids)
    """).bindparams(bindparam("ids", type_=ARRAY(Uuid())))
)
_CHANGES: Final = Statement(select(RoomRow.r).where(RoomRow.id == bindparam("id")))


@dataclass(frozen=True, slots=True)
class Version:
    """How far a room has come: its changes, its journal (-1: none yet), its chat's newest line.

    `names` are those of its people, ascending by seat: a new one is no change of the room.
    """

    room_id: UUID
    r: int
    v: int
    line: UUID | None
    names: list[str]


class Elsewhere:
    """Asks the database; raises SQLAlchemyError or OSError where it does not answer."""

    def __init__(self, database: Database, rooms: Rooms) -> None:
        self._direct = database.direct
        self._rooms = rooms

    async def versions(self, ids: Collection[UUID]) -> list[Version]:
        """Returns how far rooms have come, in one query, in any order."""
        rows = await self._direct.rows(_VERSIONS, {"ids": list(ids)})
        return [Version(*row) for row in rows]

    async def newer(self, room: Room) -> Room:
        """Returns a room as it is now. Raises `RoomRefused(unknown_room)` where it is no more."""
        found = await self._direct.rows(_CHANGES, {"id": room.id})
        if found and found[0][0] == room.r:
            return room
        return await self._rooms.by_id(room.id)
