"""What other processes changed, as the database has it: for whoever cannot wait to be told."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY

from app.database import Database
from app.rooms.room import Room
from app.rooms.service import Rooms

_VERSIONS: Final = text("""
    select id, r,
        coalesce(
            (select seq from journal where room_id = rooms.id order by seq desc limit 1), -1
        ) as v,
        (select id from chat where room_id = rooms.id order by id desc limit 1) as line
    from rooms where id = any(:ids)
""").bindparams(bindparam("ids", type_=ARRAY(Uuid())))


@dataclass(frozen=True, slots=True)
class Version:
    """How far a room has come: its changes, its journal (-1: none yet), its chat's newest line."""

    room_id: UUID
    r: int
    v: int
    line: UUID | None


class Elsewhere:
    """Asks the database; raises SQLAlchemyError or OSError where it does not answer."""

    def __init__(self, database: Database, rooms: Rooms) -> None:
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._rooms = rooms

    async def versions(self, ids: Collection[UUID]) -> list[Version]:
        """Returns how far rooms have come, in one query, in any order."""
        async with self._engine.connect() as link:
            rows = await link.execute(_VERSIONS, {"ids": list(ids)})
            return [Version(row.id, row.r, row.v, row.line) for row in rows]

    async def newer(self, room: Room) -> Room:
        """Returns a room as it is now. Raises `RoomRefused(unknown_room)` where it is no more."""
        found = await self.versions([room.id])
        if found and found[0].r == room.r:
            return room
        return await self._rooms.by_id(room.id)
