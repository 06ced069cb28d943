"""The table of what people say at a table."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, DateTime, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base


class ChatRow(Base):
    """One line of a room's chat, or a reaction; it is no part of the game.

    `seat` is where its writer sat then (None: watching), `name` what the seat was called.
    """

    __tablename__ = "chat"
    __table_args__ = (CheckConstraint("kind in ('text', 'reaction')", name="kind"),)

    room_id: Mapped[UUID] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    player_id: Mapped[UUID]
    seat: Mapped[int | None] = mapped_column(SmallInteger)
    name: Mapped[str]
    kind: Mapped[str]
    text: Mapped[str]
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
