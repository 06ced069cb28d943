"""Rooms in the database: one statement to read a room, one to change it.

A change is written only if the room still is what it was computed from: `r` counts the changes,
and the `update` both locks the row and compares `r`. So two changes never overlap, no lock is
held while Python thinks, and every write is one short transaction of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg
import orjson
from sqlalchemy import select

from app.database import Database
from app.direct import Lookup
from app.play.journal import Entry
from app.play.shuffle import commitment
from app.rooms.models import RoomRow
from app.rooms.room import Room, Seated
from app.rooms.statements import (
    CHANGE,
    CREATE,
    FOLLOW,
    READ_BY_CODES,
    READ_BY_ID,
    SECRET_AND_OPENING,
    UNMARKED,
)


@dataclass(frozen=True, slots=True, repr=False)
class Kept:
    """A room with its secret. Never hand this out of the package."""

    room: Room
    server_seed: bytes


class Store:
    """Reads and writes rooms."""

    def __init__(self, database: Database) -> None:
        self._direct = database.direct
        self._by_code = Lookup(database.direct, READ_BY_CODES, "code")
        # One statement is one transaction: no BEGIN and COMMIT on the way.
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")

    async def by_id(self, room_id: UUID) -> Kept | None:
        """Returns the room as it is now, or None."""
        return _kept(await self._direct.rows(READ_BY_ID, {"id": room_id}))

    async def by_code(self, code: str) -> Kept | None:
        """Returns the room with this code in its one spelling, or None."""
        return _kept(await self._by_code.rows(code))

    async def starting(self) -> list[tuple[UUID, datetime | None]]:
        """Returns the rooms that are being started, with their deadlines."""
        query = select(RoomRow.id, RoomRow.starting_until).where(RoomRow.status == "starting")
        async with self._engine.connect() as link:
            return [(row.id, row.starting_until) for row in await link.execute(query)]

    async def unmarked(self) -> list[UUID]:
        """Returns the rooms that are marked as running though nobody owes a decision any more."""
        async with self._engine.connect() as link:
            return list(await link.scalars(UNMARKED))

    async def secret_and_opening(self, room_id: UUID) -> tuple[bytes, str] | None:
        """Returns the server seed of a started room and the body of its first entry."""
        rows = await self._direct.rows(SECRET_AND_OPENING, {"id": room_id})
        return (rows[0]["server_seed"], rows[0]["body"]) if rows else None

    async def create(self, kept: Kept) -> None:
        """Writes a new room and its people. Raises IntegrityError if the code is taken."""
        await self._direct.rows(CREATE, _made(kept))

    async def follow(self, old: Room, kept: Kept) -> bool:
        """Writes the room where the people of `old` play again.

        Returns False, with nothing written, if the room is no longer `old`. Raises IntegrityError
        if the code is taken.
        """
        which = {**_made(kept), "after": old.id, "after_r": old.r}
        return bool(await self._direct.rows(FOLLOW, which))

    async def change(self, old: Room, new: Room, now: datetime, start: Entry | None) -> bool:
        """Writes what differs, and the `start` entry if there is one, all or nothing.

        Returns False, with nothing written, if the room is no longer `old`.
        """
        written = await self._direct.rows(
            CHANGE,
            {
                **_columns(new),
                **_placed([person for person in new.people if person not in old.people]),
                "r": old.r,
                "starting_until": new.starting_until,
                "taken": [person.seat for person in new.people],
                "now": now,
                "deals": start is not None,
                "move_id": start.move_id if start else "",
                "body": start.body if start else "",
                "draws": start is not None and start.draws,
                "actors": list(start.actors) if start else [],
                "due": start.due if start else None,
            },
        )
        return bool(written)


def _made(kept: Kept) -> dict[str, object]:
    room = kept.room
    return {
        **_columns(room),
        **_placed(room.people),
        "code": room.code,
        "game": room.game,
        "server_seed": kept.server_seed,
        "now": room.created_at,
    }


def _columns(room: Room) -> dict[str, object]:
    return {
        "id": room.id,
        "seats": room.seats,
        "options": orjson.dumps(dict(room.options)).decode(),
        "host_id": room.host_id,
        "status": room.status,
        "r": room.r,
        "clock": room.clock,
        "watching": room.watching,
        "watchers_chat": room.watchers_chat,
    }


def _placed(people: Sequence[Seated]) -> dict[str, object]:
    return {
        "put_seat": [person.seat for person in people],
        "put_player": [person.player_id for person in people],
        "put_hash": [_bytes(person.hash) for person in people],
        "put_r": [_bytes(person.r) for person in people],
        "put_held": [person.held for person in people],
        "put_name": [person.called for person in people],
        "put_reopened": [_bytes(person.reopened) for person in people],
        "put_place": [person.place for person in people],
        "put_total": [person.total for person in people],
    }


def _kept(rows: Sequence[asyncpg.Record]) -> Kept | None:
    if not rows:
        return None
    first = rows[0]
    people = tuple(
        Seated(
            row["seat"],
            row["player_id"],
            row["name"],
            _hex(row["r_hash"]),
            _hex(row["shown"]),
            held=row["held"],
            called=row["called"],
            reopened=_hex(row["reopened_hash"]),
            place=row["place"],
            total=row["total"],
        )
        for row in rows
        if row["seat"] is not None
    )
    room = Room(
        id=first["id"],
        code=first["code"],
        game=first["game"],
        seats=first["seats"],
        options=orjson.loads(first["options"]),
        host_id=first["host_id"],
        status=first["status"],
        commitment=commitment(first["server_seed"]),
        r=first["r"],
        people=people,
        starting_until=first["starting_until"],
        created_at=first["created_at"],
        clock=first["clock_seconds"],
        watching=first["watching"],
        watchers_chat=first["watchers_chat"],
        previous=first["previous"],
        next=first["next"],
    )
    return Kept(room, first["server_seed"])


def _bytes(digits: str | None) -> bytes | None:
    return None if digits is None else bytes.fromhex(digits)


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()
