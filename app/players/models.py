"""The table of players."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import DateTime, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base


class PlayerRow(Base):
    """A guest of the house. `token_hash` is the SHA-256 of the secret token (32 bytes)."""

    __tablename__ = "players"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    seen_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
