"""The browsers that want to be told, by player."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from sqlalchemy import ColumnElement, Integer, Uuid, bindparam, delete, select, text
from sqlalchemy.dialects.postgresql import ARRAY, insert

from app.database import Database, new_id
from app.notify.models import PushRow

MOST_BROWSERS: Final = 10
"""Subscriptions of one player; a newer one takes the place of the oldest."""

_ASKED = text("""
select own.room_id, own.seat, own.player_id, sub.id, sub.endpoint, sub.p256dh, sub.auth
from unnest(:rooms, :seats) as asked (room_id, seat)
join room_seats own on own.room_id = asked.room_id and own.seat = asked.seat
join push_subscriptions sub on sub.player_id = own.player_id
order by own.room_id, own.seat, sub.id
""").bindparams(bindparam("rooms", type_=ARRAY(Uuid())), bindparam("seats", type_=ARRAY(Integer())))


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser's address at its push service, and the keys that only that browser can read by."""

    id: UUID
    endpoint: str
    p256dh: str
    auth: str


@dataclass(frozen=True, slots=True)
class Reader:
    """A seat that is asked something, and one browser of whoever holds it."""

    room_id: UUID
    seat: int
    player_id: UUID
    browser: Subscription


class Subscriptions:
    """Keeps and finds subscriptions.

    `any` is False while nobody in the house has ever asked to be told: then nothing needs to be
    looked up when a move is made.
    """

    def __init__(self, database: Database) -> None:
        self.any = False
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")

    async def start(self) -> None:
        """Finds out whether there are any."""
        async with self._engine.connect() as connection:
            self.any = await connection.scalar(select(PushRow.id).limit(1)) is not None

    async def add(self, player_id: UUID, endpoint: str, p256dh: str, auth: str) -> None:
        """Has a browser told what concerns this player; it tells of no other one from now on."""
        made = insert(PushRow).values(
            id=new_id(),
            player_id=player_id,
            endpoint=endpoint,
            p256dh=p256dh,
            auth=auth,
            created_at=datetime.now(UTC),
        )
        newer = {name: made.excluded[name] for name in ("player_id", "p256dh", "auth")}
        mine = select(PushRow.id).where(PushRow.player_id == player_id)
        oldest = mine.order_by(PushRow.created_at.desc(), PushRow.id.desc()).offset(MOST_BROWSERS)
        async with self._engine.connect() as connection:
            await connection.execute(
                made.on_conflict_do_update(index_elements=["endpoint"], set_=newer)
            )
            await connection.execute(delete(PushRow).where(PushRow.id.in_(oldest)))
        self.any = True

    async def end(self, player_id: UUID, endpoint: str) -> None:
        """Tells a browser of this player nothing any more."""
        await self._drop(PushRow.player_id == player_id, PushRow.endpoint == endpoint)

    async def end_all(self, player_id: UUID) -> None:
        """Tells no browser of this player anything any more, until it asks again."""
        await self._drop(PushRow.player_id == player_id)

    async def gone(self, subscription_id: UUID) -> None:
        """Forgets a browser that its push service no longer knows."""
        await self._drop(PushRow.id == subscription_id)

    async def readers(self, asked: Collection[tuple[UUID, int]]) -> list[Reader]:
        """Returns the browsers of those who hold these seats, given as (room, seat)."""
        rooms, seats = [room for room, _ in asked], [seat for _, seat in asked]
        async with self._engine.connect() as connection:
            rows = (await connection.execute(_ASKED, {"rooms": rooms, "seats": seats})).all()
        return [
            Reader(
                row.room_id,
                row.seat,
                row.player_id,
                Subscription(row.id, row.endpoint, row.p256dh, row.auth),
            )
            for row in rows
        ]

    async def _drop(self, *which: ColumnElement[bool]) -> None:
        async with self._engine.connect() as connection:
            await connection.execute(delete(PushRow).where(*which))
