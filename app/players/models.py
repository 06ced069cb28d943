"""The tables of players, of their devices, and of the codes by which one more is added."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import DateTime, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base


class PlayerRow(Base):
    """A guest of the house. `seen_at` is when one of their devices was last seen."""

    __tablename__ = "players"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    seen_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class DeviceRow(Base):
    """A browser or program that acts for a player.

    `token_hash` is the SHA-256 of its secret token (32 bytes), `label` what it is told apart by,
    made of words of ours alone.
    """

    __tablename__ = "devices"
    __table_args__ = (Index(None, "player_id"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    player_id: Mapped[UUID]
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    label: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    seen_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class CodeRow(Base):
    """A code by which one more device becomes a player's: once, until `expires_at`.

    A player has one at most: a newer one takes the place of the older.
    """

    __tablename__ = "device_codes"

    code_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    player_id: Mapped[UUID] = mapped_column(unique=True)
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
