"""The tables of rooms and of the seats in them."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, DateTime, Index, LargeBinary, SmallInteger, false, true
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base


class RoomRow(Base):
    """A room. `seats` is how many it has, `r` counts its changes, `server_seed` is 32 bytes.

    `after_id` is the room where the same people played before; a room has one such follower.
    `clock_seconds` is the time for a move (None: no clock), `watching` whether strangers may watch,
    `watchers_chat` whether those may write in the chat.
    """

    __tablename__ = "rooms"
    __table_args__ = (
        CheckConstraint("status in ('open', 'starting', 'running', 'finished')", name="status"),
        CheckConstraint("octet_length(server_seed) = 32", name="server_seed"),
        CheckConstraint("clock_seconds > 0", name="clock"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(unique=True)
    game: Mapped[str]
    seats: Mapped[int] = mapped_column(SmallInteger)
    options: Mapped[dict[str, Any]] = mapped_column(JSONB)
    host_id: Mapped[UUID | None]
    status: Mapped[str]
    server_seed: Mapped[bytes] = mapped_column(LargeBinary)
    r: Mapped[int]
    after_id: Mapped[UUID | None] = mapped_column(unique=True)
    clock_seconds: Mapped[int | None]
    watching: Mapped[bool] = mapped_column(server_default=true())
    watchers_chat: Mapped[bool] = mapped_column(server_default=false())
    starting_until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    started_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    finished_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class SeatRow(Base):
    """Who sits where. One player may hold several seats of a room.

    `r` is the browser's part of the shuffle (32 bytes), `r_hash` its SHA-256, sent first. A seat
    that is `held` is kept free for its player. `place` and `total` are what they reached in a
    finished game; no place: it ended without a winner. No total: it was not counted to the end.
    `name` is what the seat is called where that is not its player's name. `reopened_hash` is the
    SHA-256 of the secret by whose link the seat can be taken over.
    """

    __tablename__ = "room_seats"
    __table_args__ = (Index(None, "player_id"),)

    room_id: Mapped[UUID] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    player_id: Mapped[UUID]
    joined_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    r_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    r: Mapped[bytes | None] = mapped_column(LargeBinary)
    held: Mapped[bool] = mapped_column(server_default=false())
    name: Mapped[str | None]
    reopened_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    place: Mapped[int | None] = mapped_column(SmallInteger)
    total: Mapped[int | None]
