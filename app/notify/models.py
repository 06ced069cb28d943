"""The tables of push subscriptions and of the house's own keys."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import DateTime, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base


class PushRow(Base):
    """A browser that wants to be told. Its push service made `endpoint`, `p256dh` and `auth`."""

    __tablename__ = "push_subscriptions"
    __table_args__ = (Index(None, "player_id"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    player_id: Mapped[UUID]
    endpoint: Mapped[str] = mapped_column(unique=True)
    p256dh: Mapped[str]
    auth: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class HouseRow(Base):
    """A fact of this house that its processes share, such as a key made at the first start."""

    __tablename__ = "house"

    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[bytes] = mapped_column(LargeBinary)
